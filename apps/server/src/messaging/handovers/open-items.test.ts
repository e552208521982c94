import { createStatement, updateStatement } from '@stagedoor/contract/fans/statements';
import { saveDraft } from '@stagedoor/contract/messaging/drafts';
import {
  getShift,
  handOver,
  listHandovers,
  SHIFT_DRAFT_MAX_CHARS,
  SHIFT_PROMISES_MAX,
} from '@stagedoor/contract/messaging/handovers';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff, type Staff, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();

const claimed = (staff: Staff) => buildConversation(app, { claimedBy: staff.admin });
const begin = ({ client }: Staff, id: string, text: string) =>
  client.call(saveDraft, { params: { id }, body: { text } });
const promise = async ({ client }: Staff, id: string, text: string, due_at: string) =>
  (await client.call(createStatement, { params: { id }, body: { text, due_at } })).body.data;
const passingOn = (to: Staff | null, conversations: readonly { id: string }[]) => ({
  body: {
    client_id: unique('handover'),
    to: to?.admin.id ?? null,
    items: conversations.map(({ id }) => ({ conversation_id: id })),
  },
});

test('a shift lists the admin’s own drafts and the open promises to fans', async () => {
  const [staff, other] = [await buildStaff(app), await buildStaff(app)];
  const [one, two, three] = [await claimed(staff), await claimed(staff), await claimed(staff)];
  await begin(staff, one.id, 'x'.repeat(SHIFT_DRAFT_MAX_CHARS + 1));
  await begin(other, two.id, 'Not to be seen');
  const reply_to = { id: 'm1', sender: 'Ana', preview: 'How are you?' };
  await staff.client.call(saveDraft, { params: three, body: { text: ' \n', reply_to } });
  const open = [];
  for (let n = SHIFT_PROMISES_MAX; n >= 0; n--)
    open.unshift(await promise(n === 2 ? other : staff, one.id, 'x', `203${n}-01-01T00:00:00Z`));
  const kept = await promise(staff, two.id, 'a video', '2031-01-01T00:00:00Z');
  await staff.client.call(updateStatement, { params: kept, body: { done: true } });
  await staff.client.call(createStatement, { params: two, body: { text: 'no promise' } });
  const { body } = await staff.client.call(getShift);
  const shown = ({ id }: { id: string }) => {
    const item = body.data.items.find(({ conversation }) => conversation.id === id);
    return { draft: item?.draft, promises: item?.promises };
  };
  expect(shown(one)).toEqual({
    draft: 'x'.repeat(SHIFT_DRAFT_MAX_CHARS),
    promises: open
      .slice(0, SHIFT_PROMISES_MAX)
      .map(({ id, text, due_at }) => ({ id, text, due_at })),
  });
  expect(shown(two)).toEqual({ draft: null, promises: [] });
  expect(shown(three)).toEqual({ draft: null, promises: [] });
});

test('a teammate gets the giver’s drafts only for the conversations handed over to them', async () => {
  const [from, to, other] = [await buildStaff(app), await buildStaff(app), await buildStaff(app)];
  const [one, two, kept] = [await claimed(from), await claimed(from), await claimed(from)];
  await begin(from, one.id, 'Half an answer');
  await begin(from, kept.id, 'Not to be seen');
  await begin(other, one.id, 'Not to be seen');
  await begin(other, two.id, 'Not to be seen');
  const { id, text, due_at } = await promise(from, one.id, 'a video', '2031-01-01T00:00:00Z');
  await from.client.call(handOver, passingOn(to, [one, two]));
  const shown = async () => {
    const { body, text: all } = await to.client.call(listHandovers);
    expect(all).not.toContain('Not to be seen');
    return body.data.map(({ items }) => items.map(({ draft, promises }) => ({ draft, promises })));
  };
  const nothing = { draft: null, promises: [] };
  expect(await shown()).toEqual([
    [{ draft: 'Half an answer', promises: [{ id, text, due_at }] }, nothing],
  ]);
  // The handover keeps a copy of the draft, but shows the current promises.
  await begin(from, one.id, 'Not to be seen');
  await to.client.call(updateStatement, { params: { id }, body: { done: true } });
  expect(await shown()).toEqual([[{ draft: 'Half an answer', promises: [] }, nothing]]);
  const released = await from.client.call(handOver, passingOn(null, [kept]));
  expect(released.body.data.items).toMatchObject([nothing]);
});
