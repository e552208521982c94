import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { type BulkAction, bulk } from '@stagedoor/contract/inbox/bulk';
import { inbox } from '@stagedoor/contract/inbox/conversations';
import { handOver } from '@stagedoor/contract/messaging/handovers';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { expect, test } from 'vitest';
import { mostRepeatedQuery } from '../../../test/count-queries.ts';
import { buildConversation, buildStaff, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';

const ROWS = 40;
const app = await sharedApp();
const staff = await buildStaff(app, { role: 'manager' });
const taker = await buildStaff(app);
const ids: string[] = [];
for (let n = 0; n < ROWS; n++) ids.push((await buildConversation(app)).id);
const witness = await app.connectSocket(staff.token);

const act = async (who: typeof staff, action: BulkAction) => {
  const { body } = await who.client.call(bulk, { body: { ids, action } });
  expect(body.data.filter(({ changed }) => changed)).toHaveLength(ROWS);
};
const claimedBy = (adminId: string | null) => new Map(ids.map((id) => [id, adminId]));
const claims = async () => {
  const { body } = await staff.client.call(inbox, { query: { limit: 200 } });
  return new Map(body.data.map(({ id, claimed_by }) => [id, claimed_by]));
};

test('changing many conversations takes no query per conversation, and each is emitted', async () => {
  const { body } = await staff.client.call(createGlobalTag, { body: { label: unique('tag') } });
  const tag_id = body.data.id;
  const actions: readonly BulkAction[] = [
    { kind: 'claim' },
    { kind: 'release' },
    { kind: 'assign', admin_id: taker.admin.id },
    { kind: 'unassign' },
    { kind: 'snooze', until: null },
    { kind: 'unsnooze' },
    { kind: 'archive' },
    { kind: 'unarchive' },
    { kind: 'add_tag', tag_id },
    { kind: 'remove_tag', tag_id },
  ];
  for (const action of actions) {
    expect(await mostRepeatedQuery(() => act(staff, action)), action.kind).toBeLessThan(ROWS);
  }
  expect(await mostRepeatedQuery(() => act(staff, { kind: 'read' }))).toBeLessThan(ROWS);
  for (const id of ids) {
    await witness.nextEvent('message_read', (event) => event.conversation_id === id);
    for (const _action of actions) {
      await witness.nextEvent('conversation_updated', (event) => event.conversation.id === id);
    }
  }
});

test('a handover takes no query per conversation', async () => {
  await act(staff, { kind: 'claim' });
  const items = ids.map((conversation_id) => ({ conversation_id, brief: '' }));
  const body = { client_id: unique('handover'), to: taker.admin.id, brief: '', items };
  expect(await mostRepeatedQuery(() => staff.client.call(handOver, { body }))).toBeLessThan(ROWS);
  expect(await claims()).toEqual(claimedBy(taker.admin.id));
  await act(staff, { kind: 'release' });
});

test('removing an admin takes no query per claimed conversation', async () => {
  const leaving = await buildStaff(app);
  await act(leaving, { kind: 'claim' });
  const params = { id: leaving.admin.id };
  expect(await mostRepeatedQuery(() => staff.client.call(removeAdmin, { params }))).toBeLessThan(
    ROWS,
  );
  expect(await claims()).toEqual(claimedBy(null));
});
