import { listMessages, sendMessage } from '@stagedoor/contract/messaging/messages';
import { expect, test } from 'vitest';
import { buildConversation, buildFanMessage, buildStaff, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

const messagesOf = async (id: string) =>
  (await staff.client.call(listMessages, { params: { id }, query: { limit: 200 } })).body.data;

const sendOverHttp = (key: string, conversation_id: string, content: string) =>
  staff.client.call(sendMessage, {
    headers: { 'idempotency-key': key },
    body: { conversation_id, content },
  });

test('a retry over HTTP returns the same message and stores none', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const key = unique('temp');
  const first = await sendOverHttp(key, id, 'once');
  const again = await sendOverHttp(key, id, ' once ');
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);
  expect(await messagesOf(id)).toEqual([first.body.data]);
});

test('a message sent over the socket and retried over HTTP, or vice versa, is stored once', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const socket = await app.connectSocket(staff.token);
  const [one, two] = [unique('temp'), unique('temp')];
  socket.socket.emit('send_message', { conversation_id: id, content: 'one', tempId: one });
  const sent = await socket.nextEvent('message_sent', ({ tempId }) => tempId === one);
  const repeated = await sendOverHttp(one, id, 'one');
  expect(repeated.status).toBe(200);
  expect(repeated.body.data).toEqual(sent.message);

  const posted = await sendOverHttp(two, id, 'two');
  socket.socket.emit('send_message', { conversation_id: id, content: 'two', tempId: two });
  const confirmed = await socket.nextEvent('message_sent', ({ tempId }) => tempId === two);
  expect(confirmed.message).toEqual(posted.body.data);
  expect(await messagesOf(id)).toHaveLength(2);
});

test('a retried send is emitted to others once', async () => {
  const { id, fan } = await buildConversation(app, { messages: [] });
  const socket = await app.connectSocket(staff.token);
  const key = unique('temp');
  for (let times = 0; times < 3; times++) await sendOverHttp(key, id, 'once');
  await buildFanMessage(app, fan, { content: 'fence' });
  await socket.nextEvent('new_message', ({ message }) => message.content === 'fence');
  const received = socket.received('new_message').filter((event) => event.conversation_id === id);
  expect(received.map(({ tempId }) => tempId)).toEqual([key, null]);
});

test('the same send eight times at once over both transports is one message, confirmed eight times', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await buildConversation(app, { messages: ['hello'] });
    const sockets = await Promise.all(
      Array.from({ length: 4 }, () => app.connectSocket(staff.token)),
    );
    const key = unique('temp');
    const overSocket = sockets.map((socket) => {
      socket.socket.emit('send_message', { conversation_id: id, content: 'once', tempId: key });
      return socket.nextEvent('message_sent');
    });
    const overHttp = Array.from({ length: 4 }, () => sendOverHttp(key, id, 'once'));
    const confirmed = [
      ...(await Promise.all(overSocket)).map(({ message }) => message.id),
      ...(await Promise.all(overHttp)).map(({ body }) => body.data.id),
    ];
    expect(new Set(confirmed).size).toBe(1);
    expect(await messagesOf(id)).toMatchObject([{ seq: 1 }, { seq: 2, id: confirmed[0] }]);
    for (const socket of sockets) socket.close();
  }
});

test('an id used for another text, quote or conversation is refused on both transports', async () => {
  const { id, messages } = await buildConversation(app);
  const other = await buildConversation(app);
  const socket = await app.connectSocket(staff.token);
  const key = unique('temp');
  await sendOverHttp(key, id, 'the first');
  const different = [
    { conversation_id: id, content: 'another' },
    { conversation_id: other.id, content: 'the first' },
    { conversation_id: id, content: 'the first', reply_to_message_id: messages[0]?.id ?? '' },
  ];
  for (const body of different) {
    const refusal = await staff.client.refused(sendMessage, {
      headers: { 'idempotency-key': key },
      body,
    });
    expect(refusal).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    socket.socket.emit('send_message', { ...body, tempId: key });
    expect(await socket.nextEvent('message_error')).toMatchObject({
      tempId: key,
      code: 'idempotency_conflict',
    });
  }
  expect(await messagesOf(id)).toHaveLength(2);
  expect(await messagesOf(other.id)).toHaveLength(1);
});

test('a refused or duplicate send does not affect others sent at the same time', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const socket = await app.connectSocket(staff.token);
  const key = unique('temp');
  await sendOverHttp(key, id, 'used');
  const contents = Array.from({ length: 40 }, (_, index) => `message ${index}`);
  const send = (content: string, tempId: string) =>
    socket.socket.emit('send_message', { conversation_id: id, content, tempId });
  for (const [index, content] of contents.entries()) {
    if (index === 13) send('used otherwise', key);
    if (index === 26) send('used', key);
    send(content, unique('temp'));
  }
  const refused = await socket.nextEvent('message_error', ({ tempId }) => tempId === key);
  expect(refused.code).toBe('idempotency_conflict');
  await socket.nextEvent('message_sent', ({ tempId }) => tempId === key);
  await socket.nextEvent('message_sent', ({ message }) => message.content === contents.at(-1));
  const stored = await messagesOf(id);
  expect(stored.map(({ content }) => content)).toEqual(['used', ...contents]);
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  expect(new Set(stored.map(({ created_at }) => created_at)).size).toBe(stored.length);
});

test('a refused duplicate takes no seq: the next message follows without a gap', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const key = unique('temp');
  await sendOverHttp(key, id, 'one');
  await Promise.all(Array.from({ length: 5 }, () => sendOverHttp(key, id, 'one')));
  await sendOverHttp(unique('temp'), id, 'two');
  expect((await messagesOf(id)).map(({ seq }) => seq)).toEqual([1, 2]);
});

test('two admins may use the same id independently', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const teammate = await buildStaff(app);
  const key = unique('temp');
  await sendOverHttp(key, id, 'mine');
  const theirs = await teammate.client.call(sendMessage, {
    headers: { 'idempotency-key': key },
    body: { conversation_id: id, content: 'theirs' },
  });
  expect(theirs.status).toBe(201);
  expect(await messagesOf(id)).toHaveLength(2);
});

test('without an id each send is a separate message', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  for (let times = 0; times < 2; times++) {
    await staff.client.call(sendMessage, { body: { conversation_id: id, content: 'again' } });
  }
  expect(await messagesOf(id)).toHaveLength(2);
});

test.each(['', 'x'.repeat(129)])('an id of the wrong length is refused', async (key) => {
  const { id } = await buildConversation(app, { messages: [] });
  const refusal = await staff.client.refused(sendMessage, {
    headers: { 'idempotency-key': key },
    body: { conversation_id: id, content: 'x' },
  });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});
