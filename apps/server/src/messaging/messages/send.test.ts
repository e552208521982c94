import { getConversation } from '@stagedoor/contract/inbox/conversations';
import {
  listMessages,
  MESSAGE_MAX_CHARS,
  sendMessage,
} from '@stagedoor/contract/messaging/messages';
import { updateAdminPermissions } from '@stagedoor/contract/team/admins';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  unique,
} from '../../../test/factories.ts';
import { whileLocked } from '../../../test/on-database.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

const messagesOf = async (id: string) =>
  (await staff.client.call(listMessages, { params: { id }, query: { limit: 200 } })).body.data;

test('a reply over the socket is confirmed to its sender and emitted to every admin', async () => {
  const { id, fan } = await buildConversation(app);
  const teammate = await buildStaff(app);
  const [own, sameSession, other] = await Promise.all([
    app.connectSocket(staff.token),
    app.connectSocket(staff.token),
    app.connectSocket(teammate.token),
  ]);
  const tempId = unique('temp');
  own.socket.emit('send_message', { conversation_id: id, content: '  Hello, Ana \n', tempId });
  const { message } = await own.nextEvent('message_sent', (event) => event.tempId === tempId);
  const { id: creatorId } = await app.db.kysely
    .selectFrom('creators')
    .select('id')
    .executeTakeFirstOrThrow();
  expect(message).toEqual({
    id: message.id,
    conversation_id: id,
    seq: 2,
    sender_id: creatorId,
    recipient_id: fan.id,
    content: 'Hello, Ana',
    attachments: [],
    created_at: message.created_at,
    read_at: null,
    reply_to_message_id: null,
    reply_to: null,
    reactions: [],
    campaign_id: null,
    unsent: null,
    author: {
      id: staff.admin.id,
      codename: staff.admin.codename,
      display_color: staff.admin.display_color,
    },
  });
  for (const socket of [own, sameSession, other]) {
    const received = await socket.nextEvent(
      'new_message',
      (event) => event.message.id === message.id,
    );
    expect(received).toMatchObject({ conversation_id: id, message, seq: 2, tempId });
  }
  // Only the sending socket gets the confirmation, not others of its session or teammates.
  await buildFanMessage(app, fan, { content: 'fence' });
  for (const socket of [sameSession, other]) {
    await socket.nextEvent('new_message', (event) => event.message.content === 'fence');
    expect(socket.received('message_sent')).toEqual([]);
  }
});

test('a reply over HTTP is emitted to every admin with its temporary id', async () => {
  const { id } = await buildConversation(app);
  const socket = await app.connectSocket((await buildStaff(app)).token);
  const tempId = unique('temp');
  const reply = await staff.client.call(sendMessage, {
    headers: { 'idempotency-key': tempId },
    body: { conversation_id: id, content: ' over HTTP ' },
  });
  expect(reply.status).toBe(201);
  const received = await socket.nextEvent('new_message', (event) => event.tempId === tempId);
  expect(received.message).toEqual(reply.body.data);
  expect(received.message.content).toBe('over HTTP');
});

test('an emitted message equals the fetched one', async () => {
  const { id, messages } = await buildConversation(app, { messages: ['😀'.repeat(500)] });
  const socket = await app.connectSocket(staff.token);
  const reply = await buildReply(staff, id, { reply_to_message_id: messages[0]?.id ?? '' });
  const received = await socket.nextEvent('new_message', (event) => event.message.id === reply.id);
  expect((await messagesOf(id)).at(-1)).toEqual(received.message);
  const { body } = await staff.client.call(getConversation, { params: { id } });
  expect(body.data).toMatchObject(received.conversation);
  expect(body.data.version).toBe(received.version);
  expect(reply.reply_to?.content).not.toMatch(/\p{Surrogate}/u);
});

test('a quoted fan whose username is blank is called by their name', async () => {
  const { id, messages } = await buildConversation(app, {
    fan: { username: ' ', first_name: 'Ana', last_name: '' },
  });
  const reply = await buildReply(staff, id, { reply_to_message_id: messages[0]?.id ?? '' });
  expect(reply.reply_to?.sender.username).toBe('Ana');
});

test('a reply quotes a message and its author', async () => {
  const { id, fan, messages } = await buildConversation(app, {
    fan: { username: 'ana.s' },
    messages: ['How are you?'],
  });
  const reply = await buildReply(staff, id, { reply_to_message_id: messages[0]?.id ?? '' });
  expect(reply.reply_to).toEqual({
    id: messages[0]?.id,
    content: 'How are you?',
    created_at: messages[0]?.created_at,
    attachments: [],
    sender: { id: fan.id, username: 'ana.s' },
    is_unsent: false,
  });
  const answer = await buildReply(staff, id, { reply_to_message_id: reply.id });
  expect(answer.reply_to?.sender.username).toBe('Aurora');
  expect(JSON.stringify(answer.reply_to)).not.toContain(staff.admin.codename);
});

const overHttp = async (body: Record<string, unknown>) => {
  const refusal = await staff.client.refused(sendMessage, {
    headers: { 'idempotency-key': unique('temp') },
    body,
  });
  return { status: refusal.status, code: refusal.code, fields: Object.keys(refusal.fields) };
};

test('a message of another conversation can’t be quoted', async () => {
  const { id } = await buildConversation(app);
  const other = await buildConversation(app);
  for (const reply_to_message_id of [other.messages[0]?.id, crypto.randomUUID(), 'nonsense']) {
    const refusal = await overHttp({ conversation_id: id, content: 'x', reply_to_message_id });
    expect(refusal).toMatchObject({ status: 404, code: 'message_not_found' });
  }
  expect(await messagesOf(id)).toHaveLength(1);
});

test('an unknown conversation can’t be written to', async () => {
  for (const conversation_id of [crypto.randomUUID(), 'nonsense', '']) {
    for (const attachments of [[], [{ id: crypto.randomUUID() }]]) {
      const refusal = await overHttp({ conversation_id, content: 'x', attachments });
      expect(refusal).toMatchObject({ status: 404, code: 'conversation_not_found' });
    }
  }
});

const WRONG: [string, Record<string, unknown>, string][] = [
  ['blank text', { content: ' \n\t ' }, 'content'],
  ['no text', {}, 'content'],
  ['too long a text', { content: 'x'.repeat(MESSAGE_MAX_CHARS + 1) }, 'content'],
  ['a NUL', { content: 'a\0b' }, 'content'],
  ['a number for text', { content: 1 }, 'content'],
  ['an unknown field', { content: 'x', sender_id: 'someone' }, ''],
  [
    'an unknown field of an attachment',
    { content: 'x', attachments: [{ id: 'x', owner: 'y' }] },
    'attachments.0',
  ],
];

test.each(WRONG)('a message with %s is refused over HTTP', async (_what, wrong, field) => {
  const { id } = await buildConversation(app, { messages: [] });
  const refusal = await overHttp({ conversation_id: id, ...wrong });
  expect(refusal).toEqual({ status: 400, code: 'invalid_request', fields: [field] });
  expect(await messagesOf(id)).toEqual([]);
});

test.each(WRONG)(
  'a message with %s is refused over the socket, to its sender alone',
  async (_what, wrong) => {
    const { id, fan } = await buildConversation(app, { messages: [] });
    const own = await app.connectSocket(staff.token);
    const other = await app.connectSocket(staff.token);
    const tempId = unique('temp');
    const payload = { conversation_id: id, tempId, ...wrong };
    own.socket.emit('send_message', payload as { conversation_id: string; tempId: string });
    const refusal = await own.nextEvent('message_error');
    expect(refusal).toMatchObject({ tempId, code: 'invalid_request' });
    expect(refusal.error).not.toBe('');
    await buildFanMessage(app, fan, { content: 'fence' });
    await other.nextEvent('new_message', (event) => event.message.content === 'fence');
    expect(other.received('message_error')).toEqual([]);
    expect(await messagesOf(id)).toHaveLength(1);
  },
);

test('an attachment that was never uploaded is refused', async () => {
  const { id } = await buildConversation(app);
  const refusal = await overHttp({
    conversation_id: id,
    attachments: [{ id: crypto.randomUUID() }],
  });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_attachment' });
});

test('the longest text and any Unicode are returned unchanged', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const texts = [
    'x'.repeat(MESSAGE_MAX_CHARS),
    '👩‍👩‍👧‍👦 ‮right to left‬ שלום مرحبا',
    '<script>alert(1)</script> & "quotes" \\ %s $1 {{x}}',
    'a\r\nb\tc\u2028d',
  ];
  for (const content of texts) await buildReply(staff, id, { content });
  expect((await messagesOf(id)).map((message) => message.content)).toEqual(texts);
});

test('without message privileges nothing is sent over HTTP or the socket', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const reader = await buildStaff(app, { can_manage_messages: false });
  const socket = await app.connectSocket(reader.token);
  socket.socket.emit('send_message', { conversation_id: id, content: 'hi', tempId: 'temp-1' });
  expect(await socket.nextEvent('message_error')).toEqual({
    tempId: 'temp-1',
    code: 'message_privilege_required',
    error: 'You do not have message privileges. Ask a manager to grant them.',
  });
  const refusal = await reader.client.refused(sendMessage, {
    body: { conversation_id: id, content: 'hi' },
  });
  expect(refusal).toMatchObject({ status: 403, code: 'message_privilege_required' });
  expect(await messagesOf(id)).toEqual([]);
});

test('granted or revoked privileges apply to open sockets immediately', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const writer = await buildStaff(app);
  const socket = await app.connectSocket(writer.token);
  const send = (tempId: string) =>
    socket.socket.emit('send_message', { conversation_id: id, content: 'hi', tempId });
  const manager = await buildStaff(app, { role: 'manager' });
  const grant = (can_manage_messages: boolean) =>
    manager.client.call(updateAdminPermissions, {
      params: { id: writer.admin.id },
      body: { can_manage_messages },
    });
  await grant(false);
  send('temp-1');
  await socket.nextEvent('message_error', ({ tempId }) => tempId === 'temp-1');
  await grant(true);
  send('temp-2');
  await socket.nextEvent('message_sent', ({ tempId }) => tempId === 'temp-2');
});

test('a locked conversation delays no other one, and its messages are stored in order after that', async () => {
  const [locked, ...others] = await Promise.all(
    Array.from({ length: 9 }, () => buildConversation(app, { messages: [] })),
  );
  if (locked === undefined) throw new Error('there is no conversation');
  const { socket, nextEvent } = await app.connectSocket(staff.token);
  const send = ({ id }: { id: string }, content: string) =>
    socket.emit('send_message', { conversation_id: id, content, tempId: unique('temp') });
  const sentTo = ({ id }: { id: string }) =>
    nextEvent('message_sent', ({ message }) => message.conversation_id === id);
  const lock = `select from conversations where id = '${locked.id}' for update`;
  await whileLocked(app.databaseUrl, lock, async () => {
    send(others[0] ?? locked, 'one');
    for (const content of ['one', 'two', 'three']) send(locked, content);
    for (const other of others.slice(1)) send(other, 'one');
    await Promise.all(others.map(sentTo));
    expect(await messagesOf(locked.id)).toEqual([]);
  });
  await nextEvent('message_sent', ({ message }) => message.content === 'three');
  const contents = (await messagesOf(locked.id)).map(({ content }) => content);
  expect(contents).toEqual(['one', 'two', 'three']);
});

test('a refused send affects no other conversation’s at the same time', async () => {
  const talks = await Promise.all(
    Array.from({ length: 24 }, () => buildConversation(app, { messages: [] })),
  );
  const { socket, nextEvent } = await app.connectSocket(staff.token);
  const key = unique('temp');
  const send = (index: number, tempId: string) =>
    socket.emit('send_message', {
      conversation_id: talks[index]?.id ?? '',
      content: `message ${index}`,
      tempId,
    });
  send(0, key);
  await nextEvent('message_sent', ({ tempId }) => tempId === key);
  for (const index of talks.keys()) send(index, index % 8 === 0 ? key : unique('temp'));
  const refused = [8, 16].map(() =>
    nextEvent('message_error', ({ code }) => code === 'idempotency_conflict'),
  );
  await Promise.all(refused);
  const isSent = (_: unknown, index: number) => index !== 8 && index !== 16;
  const sent = talks
    .filter(isSent)
    .map(({ id }) => nextEvent('message_sent', ({ message }) => message.conversation_id === id));
  await Promise.all(sent);
  const counts = talks.map(async ({ id }) => (await messagesOf(id)).length);
  expect(await Promise.all(counts)).toEqual(talks.map((_, i) => (i === 8 || i === 16 ? 0 : 1)));
});

test('16 concurrent senders get consecutive seqs without gaps, in the order of time', async () => {
  const { id, fan } = await buildConversation(app, { messages: [] });
  const writers = await Promise.all(Array.from({ length: 8 }, () => buildStaff(app)));
  const sends = writers.map(async (writer) => {
    for (let number = 0; number < 5; number++) await buildReply(writer, id);
  });
  const writes = Array.from({ length: 8 }, async () => {
    for (let number = 0; number < 5; number++) await buildFanMessage(app, fan);
  });
  await Promise.all([...sends, ...writes]);
  const messages = await messagesOf(id);
  expect(messages.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 80 }, (_, index) => index + 1),
  );
  const times = messages.map(({ created_at }) => Date.parse(created_at));
  expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
});

test('emitted versions of a conversation rise one by one despite concurrent changes', async () => {
  const { id, fan, messages } = await buildConversation(app);
  const socket = await app.connectSocket(staff.token);
  const { body: before } = await staff.client.call(getConversation, { params: { id } });
  for (let times = 0; times < 5; times++) {
    socket.socket.emit('toggle_reaction', {
      conversation_id: id,
      message_id: messages[0]?.id ?? '',
      emoji: '🔥',
    });
  }
  await Promise.all([
    ...Array.from({ length: 10 }, () => buildFanMessage(app, fan)),
    ...Array.from({ length: 5 }, () => buildReply(staff, id)),
    ...Array.from({ length: 5 }, () => socket.nextEvent('reaction_toggled')),
  ]);
  const { body: after } = await staff.client.call(getConversation, { params: { id } });
  await expect
    .poll(() => versionsIn(socket.everything(), id))
    .toEqual(rangeAfter(before.data.version, after.data.version));
});

function versionsIn(events: readonly { payload: unknown }[], conversationId: string): number[] {
  return events
    .map(({ payload }) => payload as { conversation_id?: string; version?: number })
    .filter((payload) => payload.conversation_id === conversationId)
    .flatMap(({ version }) => version ?? [])
    .toSorted((a, b) => a - b);
}

const rangeAfter = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + 1 + index);

test('nodes that start at the same moment all store messages', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const { databaseUrl } = app;
  const nodes = await Promise.all(Array.from({ length: 3 }, () => startTestApp({ databaseUrl })));
  for (const node of nodes) {
    const body = { conversation_id: id, content: 'Hi Ana' };
    const headers = { 'idempotency-key': unique('temp') };
    expect((await node.staff(staff.token).call(sendMessage, { headers, body })).status).toBe(201);
    await node.close();
  }
  expect((await messagesOf(id)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});
