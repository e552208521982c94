import {
  getConversation,
  inbox,
  inboxStats,
  markRead,
} from '@stagedoor/contract/inbox/conversations';
import { markUnread } from '@stagedoor/contract/inbox/queue';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFan,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const witness = await app.connectSocket(staff.token);

const now = async (id: string) =>
  (await staff.client.call(getConversation, { params: { id } })).body.data;
const read = (id: string) => staff.client.call(markRead, { params: { id } });
const mark = async (id: string) =>
  (await staff.client.call(markUnread, { params: { id } })).body.data;
const unreadIds = async () => {
  const { body } = await staff.client.call(inbox, { query: { filter: 'unread', limit: 200 } });
  expect(body.total).toBe(body.data.length);
  expect((await staff.client.call(inboxStats)).body.data.unread_count).toBe(body.total);
  return body.data.map(({ id }) => id);
};

/** Builds a fully read conversation that is marked as unread. */
async function buildMarked() {
  const conversation = await buildConversation(app);
  await read(conversation.id);
  await mark(conversation.id);
  return conversation;
}

test('marking as unread applies to everyone and is emitted', async () => {
  const { id } = await buildConversation(app);
  await read(id);
  expect(await unreadIds()).not.toContain(id);
  const marked = await mark(id);
  expect(marked).toMatchObject({ marked_unread: true, unread_count: 1 });
  expect(await unreadIds()).toContain(id);
  const event = await witness.nextEvent(
    'conversation_updated',
    ({ conversation }) => conversation.id === id && conversation.marked_unread,
  );
  expect(event.conversation).toEqual(marked);
});

test('a conversation without messages can be marked as unread', async () => {
  const { conversation_id: id } = await buildFan(app);
  expect(await mark(id)).toMatchObject({ marked_unread: true, unread_count: 1 });
  expect((await read(id)).body.data).toEqual({ read_at: null, unread_count: 0 });
  expect(await now(id)).toMatchObject({ marked_unread: false, unread_count: 0 });
});

test('marking an unread or marked conversation changes nothing', async () => {
  const { id } = await buildConversation(app, { messages: ['One', 'Two'] });
  const before = await now(id);
  expect(await mark(id)).toEqual(before);
  const { id: other } = await buildMarked();
  const marked = await now(other);
  expect(await mark(other)).toEqual(marked);
});

test('reading removes the mark for everyone', async () => {
  const { id } = await buildMarked();
  expect((await read(id)).body.data).toEqual({
    read_at: expect.any(String),
    unread_count: 0,
  });
  expect(await now(id)).toMatchObject({ marked_unread: false, unread_count: 0 });
  expect(await unreadIds()).not.toContain(id);
  await until('the change was emitted', () =>
    witness
      .received('conversation_updated')
      .some(({ conversation }) => conversation.id === id && conversation.unread_count === 0),
  );
});

test('the fan’s next message replaces the mark, so the count stays one', async () => {
  const { id, fan } = await buildMarked();
  await buildFanMessage(app, fan);
  expect(await now(id)).toMatchObject({ marked_unread: false, unread_count: 1 });
  await read(id);
  expect(await now(id)).toMatchObject({ marked_unread: false, unread_count: 0 });
});

test('a reply removes the mark and ends the fan’s wait', async () => {
  const { id } = await buildMarked();
  await buildReply(staff, id);
  const event = await witness.nextEvent(
    'new_message',
    (each) => each.conversation_id === id && each.message.author !== null,
  );
  expect(event.conversation).toMatchObject({
    marked_unread: false,
    unread_count: 0,
    waiting_since: null,
  });
  expect(await now(id)).toMatchObject(event.conversation);
});

test('after simultaneous changes, the count equals the unread messages, or one for a mark without any', async () => {
  const { id, fan } = await buildMarked();
  for (let round = 0; round < 8; round++) {
    await Promise.all([mark(id), read(id), buildFanMessage(app, fan), mark(id), read(id)]);
    const { rows } = await app.db.kysely
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', id)
      .where('from_fan', '=', true)
      .where('read_at', 'is', null)
      .execute()
      .then((rows) => ({ rows }));
    const { unread_count, marked_unread } = await now(id);
    expect(unread_count).toBe(rows.length + Number(marked_unread));
  }
});

test('an unknown conversation is not found', async () => {
  expect(
    await staff.client.refused(markUnread, { params: { id: crypto.randomUUID() } }),
  ).toMatchObject({ status: 404, code: 'conversation_not_found' });
});
