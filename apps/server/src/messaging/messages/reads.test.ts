import { getConversation, markRead } from '@stagedoor/contract/inbox/conversations';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { listFanMessages, postFanRead } from '@stagedoor/contract/platform/platform';
import { expect, test } from 'vitest';
import {
  type BuiltConversation,
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { seededRandom } from '../../../test/random.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

const unreadOf = async (id: string) =>
  (await staff.client.call(getConversation, { params: { id } })).body.data.unread_count;

const messagesOf = async (id: string) =>
  (await staff.client.call(listMessages, { params: { id }, query: { limit: 200 } })).body.data;

const read = async (id: string, up_to_message_id?: string) => {
  const body = up_to_message_id === undefined ? undefined : { up_to_message_id };
  return (await staff.client.call(markRead, { params: { id }, body })).body.data;
};

/** The expected count: the fan’s messages without a read time. */
const recount = async ({ id, fan }: Pick<BuiltConversation, 'id' | 'fan'>) =>
  (await messagesOf(id)).filter(
    ({ sender_id, read_at }) => sender_id === fan.id && read_at === null,
  ).length;

test('each message from the fan raises the unread count by one, and a reply resets it to 0', async () => {
  const { id, fan } = await buildConversation(app, { messages: [] });
  for (let count = 1; count <= 3; count++) {
    await buildFanMessage(app, fan);
    expect(await unreadOf(id)).toBe(count);
  }
  await buildReply(staff, id);
  expect(await unreadOf(id)).toBe(0);
  await buildReply(staff, id);
  expect(await unreadOf(id)).toBe(0);
  await buildFanMessage(app, fan);
  expect(await unreadOf(id)).toBe(1);
});

test('a reply marks the fan’s messages as read, and the read is emitted before the reply', async () => {
  const { id, messages } = await buildConversation(app, { messages: ['one', 'two'] });
  const socket = await app.connectSocket(staff.token);
  const reply = await buildReply(staff, id);
  const received = await socket.nextEvent('message_read');
  const arrived = await socket.nextEvent('new_message');
  expect(received).toMatchObject({
    conversation_id: id,
    up_to_message_id: messages[1]?.id,
    up_to_seq: 2,
    unread_count: 0,
    version: arrived.version - 1,
  });
  expect(socket.everything().map(({ name }) => name)).toEqual(['message_read', 'new_message']);
  expect((await messagesOf(id)).map(({ read_at }) => read_at)).toEqual([
    received.read_at,
    received.read_at,
    null,
  ]);
  expect(arrived.message.id).toBe(reply.id);
});

test('reading marks all messages and notifies every admin', async () => {
  const { id, messages } = await buildConversation(app, { messages: ['one', 'two'] });
  const socket = await app.connectSocket((await buildStaff(app)).token);
  const data = await read(id);
  expect(data.unread_count).toBe(0);
  const { body } = await staff.client.call(getConversation, { params: { id } });
  expect(await socket.nextEvent('message_read')).toEqual({
    conversation_id: id,
    read_at: data.read_at,
    up_to_message_id: messages[1]?.id,
    up_to_seq: 2,
    unread_count: 0,
    version: body.data.version,
  });
  expect((await messagesOf(id)).map(({ read_at }) => read_at)).toEqual([
    data.read_at,
    data.read_at,
  ]);
});

test('reading up to a message leaves later ones unread', async () => {
  const { id, messages } = await buildConversation(app, { messages: ['one', 'two', 'three'] });
  const data = await read(id, messages[1]?.id);
  expect(data.unread_count).toBe(1);
  const [one, two, three] = await messagesOf(id);
  expect([one?.read_at, two?.read_at, three?.read_at]).toEqual([data.read_at, data.read_at, null]);
});

test('reading again changes nothing, keeps the first time and emits nothing', async () => {
  const conversation = await buildConversation(app, { messages: ['one', 'two'] });
  const first = await read(conversation.id);
  const socket = await app.connectSocket(staff.token);
  const before = (await staff.client.call(getConversation, { params: { id: conversation.id } }))
    .body;
  expect(await read(conversation.id)).toEqual(first);
  expect(await read(conversation.id, conversation.messages[0]?.id)).toEqual(first);
  const after = (await staff.client.call(getConversation, { params: { id: conversation.id } }))
    .body;
  expect(after).toEqual(before);
  await buildFanMessage(app, conversation.fan);
  await socket.nextEvent('new_message');
  expect(socket.received('message_read')).toEqual([]);
});

test('reading a conversation without fan messages returns no read time', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  expect(await read(id)).toEqual({ read_at: null, unread_count: 0 });
  await buildReply(staff, id);
  expect(await read(id)).toEqual({ read_at: null, unread_count: 0 });
});

test('a message of another conversation, or an unknown one, can’t be read up to', async () => {
  const { id } = await buildConversation(app);
  const other = await buildConversation(app);
  for (const up_to_message_id of [other.messages[0]?.id, crypto.randomUUID(), 'nonsense']) {
    const refusal = await staff.client.refused(markRead, {
      params: { id },
      body: { up_to_message_id },
    });
    expect(refusal).toMatchObject({ status: 404, code: 'message_not_found' });
  }
  for (const wrong of [crypto.randomUUID(), 'nonsense']) {
    const refusal = await staff.client.refused(markRead, { params: { id: wrong } });
    expect(refusal).toMatchObject({ status: 404, code: 'conversation_not_found' });
  }
  expect(await unreadOf(id)).toBe(1);
  expect(await unreadOf(other.id)).toBe(1);
});

test('reading accepts no body, an empty one or null, and refuses unknown fields', async () => {
  for (const body of [undefined, null, {}]) {
    const { id } = await buildConversation(app);
    const { body: reply } = await staff.client.call(markRead, { params: { id }, body });
    expect(reply.data.unread_count).toBe(0);
  }
  const { id } = await buildConversation(app);
  const refusal = await staff.client.refused(markRead, { params: { id }, body: { all: true } });
  expect(refusal.status).toBe(400);
});

test('without message privileges nothing is marked as read', async () => {
  const { id } = await buildConversation(app);
  const reader = await buildStaff(app, { can_manage_messages: false });
  const refusal = await reader.client.refused(markRead, { params: { id } });
  expect(refusal).toMatchObject({ status: 403, code: 'message_privilege_required' });
  expect(await unreadOf(id)).toBe(1);
});

test('a message that arrives during a read or a reply stays unread', async () => {
  const random = seededRandom();
  for (let round = 0; round < 40; round++) {
    const conversation = await buildConversation(app, { messages: ['one', 'two'] });
    const { id, fan, messages } = conversation;
    const racing = [
      () => buildFanMessage(app, fan, { content: 'racing' }),
      () => read(id),
      () => read(id, messages[random.below(2)]?.id),
      () => buildReply(staff, id),
      () => buildFanMessage(app, fan, { content: 'racing' }),
    ];
    await Promise.all(Array.from({ length: 6 }, () => random.pick(racing)()));
    expect(await unreadOf(id), `seed ${random.seed}, round ${round}`).toBe(
      await recount(conversation),
    );
  }
});

test('a message concurrent with reading up to an earlier one always stays unread', async () => {
  for (let round = 0; round < 30; round++) {
    const { id, fan, messages } = await buildConversation(app);
    const [racing] = await Promise.all([buildFanMessage(app, fan), read(id, messages[0]?.id)]);
    const stored = (await messagesOf(id)).find((message) => message.id === racing.id);
    expect(stored?.read_at).toBeNull();
    expect(await unreadOf(id)).toBe(1);
  }
});

test('the fan’s read marks the creator’s messages and is emitted to staff as its own event', async () => {
  const { id, fan } = await buildConversation(app);
  const replies = [
    await buildReply(staff, id),
    await buildReply(staff, id),
    await buildReply(staff, id),
  ];
  const socket = await app.connectSocket(staff.token);
  const readByFan = async (up_to_message_id: string) => {
    const params = { fan: fan.external_id };
    return (await app.platform.call(postFanRead, { params, body: { up_to_message_id } })).body.data;
  };
  const marked = await readByFan(replies[1]?.id ?? '');
  expect(marked.count).toBe(2);
  const { body } = await staff.client.call(getConversation, { params: { id } });
  expect(await socket.nextEvent('fan_read')).toEqual({
    conversation_id: id,
    read_at: marked.read_at,
    up_to_message_id: replies[1]?.id,
    up_to_seq: 3,
    version: body.data.version,
  });
  expect((await messagesOf(id)).slice(1).map(({ read_at }) => read_at)).toEqual([
    marked.read_at,
    marked.read_at,
    null,
  ]);
  expect(await readByFan(replies[1]?.id ?? '')).toEqual({ read_at: marked.read_at, count: 0 });
  expect((await readByFan(replies[2]?.id ?? '')).count).toBe(1);
  await socket.nextEvent('fan_read');
  expect(socket.received('fan_read')).toHaveLength(2);
  expect(socket.received('message_read')).toEqual([]);
});

test('the fan’s read does not change the unread count of staff', async () => {
  const { id, fan } = await buildConversation(app, { messages: [] });
  await buildReply(staff, id);
  const message = await buildFanMessage(app, fan);
  await app.platform.call(postFanRead, {
    params: { fan: fan.external_id },
    body: { up_to_message_id: message.id },
  });
  expect(await unreadOf(id)).toBe(1);
  const { body } = await app.platform.call(listFanMessages, { params: { fan: fan.external_id } });
  expect(body.data.map(({ read_at }) => read_at !== null)).toEqual([false, true]);
});
