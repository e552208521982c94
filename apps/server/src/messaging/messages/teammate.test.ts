import {
  listMessages,
  type SendMessageInput,
  sendMessage,
} from '@stagedoor/contract/messaging/messages';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  type Staff,
  unique,
} from '../../../test/factories.ts';
import { SAMPLES, uploadAsStaff } from '../../../test/files.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
/** Another process on the same database. `app` learns of its messages only when it sends one. */
const second = await sharedApp({ databaseUrl: app.databaseUrl });
const [staff, teammate] = [await buildStaff(app), await buildStaff(app)];

const messagesOf = async (id: string) =>
  (await staff.client.call(listMessages, { params: { id }, query: { limit: 200 } })).body.data;

/** Sends a message and returns any reply. */
async function send(
  { token }: Pick<Staff, 'token'>,
  id: string,
  body: Partial<SendMessageInput>,
  { server = app, key = unique('temp') } = {},
) {
  const { status, text } = await server.staff(token).raw('POST', sendMessage.path, {
    headers: { 'idempotency-key': key },
    body: { conversation_id: id, content: 'Hi Ana', ...body },
  });
  return { status, ...(JSON.parse(text) as { code?: string; error?: string; data?: unknown }) };
}

test('a send that missed a teammate’s message is refused and stores nothing, unless it sets send_anyway', async () => {
  const { id, messages } = await buildConversation(app);
  const last_seen_message_id = messages[0]?.id;
  await buildReply(teammate, id, { content: 'A teammate was faster' });
  const key = unique('temp');
  const before = await messagesOf(id);
  const refused = await send(staff, id, { last_seen_message_id }, { key });
  expect(refused).toEqual({
    status: 409,
    code: 'teammate_replied',
    error: 'A teammate just replied. Send anyway?',
  });
  expect(await messagesOf(id)).toEqual(before);
  const sent = await send(staff, id, { last_seen_message_id, send_anyway: true }, { key });
  expect(sent).toMatchObject({ status: 201, data: { content: 'Hi Ana', seq: 3 } });
});

test('over the socket the refusal names the failed send', async () => {
  const { id, messages } = await buildConversation(app);
  await buildReply(teammate, id);
  const socket = await app.connectSocket(staff.token);
  const tempId = unique('temp');
  const event = {
    conversation_id: id,
    content: 'Hi',
    last_seen_message_id: messages[0]?.id,
    tempId,
  };
  socket.socket.emit('send_message', event);
  expect(await socket.nextEvent('message_error')).toEqual({
    code: 'teammate_replied',
    error: 'A teammate just replied. Send anyway?',
    tempId,
  });
  socket.socket.emit('send_message', { ...event, send_anyway: true });
  await socket.nextEvent('message_sent', (sent) => sent.tempId === tempId);
});

test('messages from the fan, from oneself or seen ones from a teammate do not block a send', async () => {
  const { id, fan, messages } = await buildConversation(app);
  const own = await buildReply(staff, id);
  await buildFanMessage(app, fan);
  const first = { last_seen_message_id: messages[0]?.id };
  expect((await send(staff, id, first)).status).toBe(201);
  const seen = await buildReply(teammate, id);
  expect((await send(staff, id, { last_seen_message_id: seen.id })).status).toBe(201);
  expect((await send(staff, id, { last_seen_message_id: own.id })).code).toBe('teammate_replied');
});

test('a send without a last seen message goes through', async () => {
  const { id } = await buildConversation(app);
  await buildReply(teammate, id);
  expect((await send(staff, id, {})).status).toBe(201);
});

test.each([
  ['nothing', null],
  ['a message of another conversation', 'other'],
  ['what is no id', 'nonsense'],
])('a sender who last saw %s has missed teammates’ messages', async (_what, seen) => {
  const other = await buildConversation(app);
  const { id } = await buildConversation(app, { messages: [] });
  const body = { last_seen_message_id: seen === 'other' ? (other.messages[0]?.id ?? '') : seen };
  expect((await send(staff, id, body)).status).toBe(201);
  expect((await send(staff, id, body)).status).toBe(201);
  expect((await send(teammate, id, body)).code).toBe('teammate_replied');
});

test('the retry of a confirmed send returns the original, whatever teammates wrote since', async () => {
  const { id, messages } = await buildConversation(app);
  const body = { last_seen_message_id: messages[0]?.id };
  const key = unique('temp');
  const first = await send(staff, id, body, { key });
  await buildReply(teammate, id);
  const again = await send(staff, id, body, { key });
  expect(again).toEqual({ ...first, status: 200 });
  expect(await messagesOf(id)).toHaveLength(3);
});

test('when teammates send at the same moment through several processes, only one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, messages } = await buildConversation(app);
    const team = await Promise.all(Array.from({ length: 8 }, () => buildStaff(app)));
    const body = { last_seen_message_id: messages[0]?.id };
    const replies = await Promise.all(
      team.map((one, index) => send(one, id, body, { server: index % 2 ? second : app })),
    );
    const codes = replies.map(({ status, code }) => code ?? `${status}`).toSorted();
    expect(codes).toEqual(['201', ...Array.from({ length: 7 }, () => 'teammate_replied')]);
    expect(await messagesOf(id)).toHaveLength(2);
  }
});

test('files of a refused send can still be sent', async () => {
  const { id, messages } = await buildConversation(app);
  const last_seen_message_id = messages[0]?.id;
  const [upload] = await uploadAsStaff(staff, id, { data: SAMPLES.pdf, filename: 'a.pdf' });
  await buildReply(teammate, id);
  const body = { content: '', attachments: [{ id: upload?.id ?? '' }], last_seen_message_id };
  expect((await send(staff, id, body)).code).toBe('teammate_replied');
  expect(await messagesOf(id)).toHaveLength(2);
  expect((await send(staff, id, { ...body, send_anyway: true })).status).toBe(201);
});

test('a refused send leaves the fan’s messages unread', async () => {
  const { id, fan, messages } = await buildConversation(app);
  await buildReply(teammate, id);
  await buildFanMessage(app, fan);
  await send(staff, id, { last_seen_message_id: messages[0]?.id });
  expect((await messagesOf(id)).at(-1)?.read_at).toBeNull();
});
