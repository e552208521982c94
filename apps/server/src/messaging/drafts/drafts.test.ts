import {
  DRAFTS_MAX,
  discardDraft,
  discardDrafts,
  getDraft,
  listDrafts,
  saveDraft,
} from '@stagedoor/contract/messaging/drafts';
import { eraseFan } from '@stagedoor/contract/platform/platform';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildConversation, buildFan, buildStaff, type Staff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();

const REPLY = { id: 'm1', sender: 'Ana', preview: 'How are you?' };
const save = async ({ client }: Pick<Staff, 'client'>, id: string, text: string, age_ms = 0) =>
  (await client.call(saveDraft, { params: { id }, body: { text, age_ms } })).body.data;
const read = async ({ client }: Pick<Staff, 'client'>, id: string) =>
  (await client.call(getDraft, { params: { id } })).body.data;
const list = async ({ client }: Pick<Staff, 'client'>) => (await client.call(listDrafts)).body.data;

test('a draft is kept with its quote, per admin and conversation', async () => {
  const [staff, teammate] = [await buildStaff(app), await buildStaff(app)];
  const [{ id }, other] = [await buildConversation(app), await buildConversation(app)];
  expect(await read(staff, id)).toBeNull();
  const { body } = await staff.client.call(saveDraft, {
    params: { id },
    body: { text: ' Hi Ana \n', reply_to: REPLY },
  });
  expect(body.data).toMatchObject({ conversation_id: id, text: ' Hi Ana \n', reply_to: REPLY });
  expect(await read(staff, id)).toEqual(body.data);
  expect(await list(staff)).toEqual([body.data]);
  expect(await read(staff, other.id)).toBeNull();
  expect(await read(teammate, id)).toBeNull();
  expect(await list(teammate)).toEqual([]);
});

test('every change of a draft raises its version, discarding included', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const first = await save(staff, id, 'one');
  const second = await save(staff, id, 'two');
  const gone = (await staff.client.call(discardDraft, { params: { id } })).body.data;
  const third = await save(staff, id, 'three');
  const versions = [first.version, second.version, gone.version, third.version];
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect(new Set(versions).size).toBe(4);
});

test('text typed earlier but received later does not replace newer text', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const later = await save(staff, id, 'typed on the phone');
  expect(await save(staff, id, 'typed on the laptop an hour ago', 3_600_000)).toEqual(later);
  expect(await read(staff, id)).toEqual(later);
});

test('a draft update reaches only the admin’s own browsers', async () => {
  const [staff, teammate] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const own = [await app.connectSocket(staff.token), await app.connectSocket(staff.token)];
  const other = await app.connectSocket(teammate.token);
  const draft = await save(staff, id, 'Hi');
  const { version } = (await staff.client.call(discardDraft, { params: { id } })).body.data;
  for (const socket of own) {
    const received = await socket.nextEvent('draft_updated');
    expect(received).toEqual({ conversation_id: id, version: draft.version, draft });
    expect(await socket.nextEvent('draft_updated')).toEqual({
      conversation_id: id,
      version,
      draft: null,
    });
  }
  await save(teammate, id, 'fence');
  await other.nextEvent('draft_updated');
  expect(other.received('draft_updated').map((event) => event.draft?.text)).toEqual(['fence']);
});

test('discarding a missing draft changes nothing, and discarding all drafts affects only their admin', async () => {
  const [staff, teammate] = [await buildStaff(app), await buildStaff(app)];
  const [one, two] = [await buildConversation(app), await buildConversation(app)];
  await staff.client.call(discardDraft, { params: { id: one.id } });
  await save(staff, one.id, 'one');
  await save(staff, two.id, 'two');
  const theirs = await save(teammate, one.id, 'theirs');
  const socket = await app.connectSocket(staff.token);
  await staff.client.call(discardDrafts);
  expect(await list(staff)).toEqual([]);
  const received = [
    await socket.nextEvent('draft_updated'),
    await socket.nextEvent('draft_updated'),
  ];
  expect(received.map(({ conversation_id }) => conversation_id).toSorted()).toEqual(
    [one.id, two.id].toSorted(),
  );
  expect(await list(teammate)).toEqual([theirs]);
});

test('a draft not edited for seven days is purged', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  await save(staff, id, 'old');
  const grow = (age: string) =>
    sql`update drafts set edited_at = now() - ${age}::interval where conversation_id = ${id}`.execute(
      app.db.kysely,
    );
  await grow('6 days 23 hours');
  expect(await read(staff, id)).not.toBeNull();
  await grow('7 days 1 minute');
  expect(await read(staff, id)).toBeNull();
  expect(await list(staff)).toEqual([]);
  expect((await save(staff, id, 'new')).text).toBe('new');
});

test('the oldest drafts make room for new ones', async () => {
  const staff = await buildStaff(app);
  const fans = await Promise.all(Array.from({ length: DRAFTS_MAX + 2 }, () => buildFan(app)));
  for (const { conversation_id } of fans) await save(staff, conversation_id, 'x');
  const kept = (await list(staff)).map(({ conversation_id }) => conversation_id);
  expect(kept).toHaveLength(DRAFTS_MAX);
  expect(kept[0]).toBe(fans.at(-1)?.conversation_id);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from drafts where admin_id = ${staff.admin.id}`.execute(
    app.db.kysely,
  );
  expect(rows[0]?.n).toBeLessThanOrEqual(DRAFTS_MAX + 1);
});

test('drafts are deleted with their fan and with a removed admin', async () => {
  const [staff, manager] = [await buildStaff(app), await buildStaff(app, { role: 'manager' })];
  const [one, two] = [await buildConversation(app), await buildConversation(app)];
  await save(staff, one.id, 'one');
  await save(staff, two.id, 'two');
  await app.platform.call(eraseFan, { params: { fan: one.fan.external_id } });
  expect((await list(staff)).map(({ text }) => text)).toEqual(['two']);
  await manager.client.call(removeAdmin, { params: { id: staff.admin.id } });
  const left = await app.db.kysely
    .selectFrom('drafts')
    .selectAll()
    .where('admin_id', '=', staff.admin.id)
    .execute();
  expect(left).toEqual([]);
});

test('an unknown conversation has no drafts, and blank text is no draft', async () => {
  const { client } = await buildStaff(app);
  for (const id of [crypto.randomUUID(), 'nonsense']) {
    const gone = { status: 404, code: 'conversation_not_found' };
    expect(await client.refused(getDraft, { params: { id } })).toMatchObject(gone);
    expect(await client.refused(discardDraft, { params: { id } })).toMatchObject(gone);
    const body = { text: 'x' };
    expect(await client.refused(saveDraft, { params: { id }, body })).toMatchObject(gone);
  }
  const { id } = await buildConversation(app);
  for (const body of [{ text: ' \n' }, { text: 'x', age_ms: -1 }, { text: 'a\0' }, {}]) {
    expect((await client.refused(saveDraft, { params: { id }, body })).status).toBe(400);
  }
});
