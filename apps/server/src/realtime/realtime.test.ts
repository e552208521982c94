import { sendMessage } from '@stagedoor/contract/messaging/messages';
import { SOCKET_MAX_FRAME_BYTES } from '@stagedoor/contract/realtime';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFan,
  buildFanMessage,
  buildStaff,
  unique,
} from '../../test/factories.ts';
import type { StaffSocket } from '../../test/socket-client.ts';
import { PLATFORM_KEY, sharedApp, startTestApp, type TestApp } from '../../test/test-app.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

/** Sends an event that the contract doesn't allow. */
const emitAny = ({ socket }: StaffSocket, name: string, ...values: unknown[]) =>
  (socket.emit as (event: string, ...values: unknown[]) => unknown).call(socket, name, ...values);

/** Waits for a new event, so that all earlier ones have reached the socket. */
async function fence(socket: StaffSocket, on: TestApp = app): Promise<void> {
  const fan = await buildFan(on);
  await socket.nextEvent(
    'conversation_updated',
    ({ conversation }) => conversation.fan_id === fan.id,
  );
}

test.each([
  ['no token', undefined],
  ['an empty token', ''],
  ['an unknown token', 'A'.repeat(43)],
  ['the platform’s key', PLATFORM_KEY],
  ['an endless token', 'A'.repeat(10_000)],
])('a handshake with %s is rejected and receives nothing', async (_what, token) => {
  const witness = await app.connectSocket(staff.token);
  const refusing = app.refusedHandshake(token);
  await fence(witness);
  const refusal = await refusing;
  expect(refusal.data).toEqual({ error: 'Not authenticated', code: 'unauthorized' });
  expect(refusal.message).toBe('Not authenticated');
  expect(refusal.events).toEqual([]);
});

test.each([{ token: 1 }, { token: null }, { token: { a: 1 } }, { token: ['x'] }])(
  'a handshake with %j for a token is refused',
  async (auth) => {
    const refusal = await app.refusedHandshake('unused', { auth });
    expect(refusal.data).toMatchObject({ code: 'unauthorized' });
  },
);

test.each(['websocket', 'polling'])(
  'a handshake by %s from another origin is rejected, with or without a token',
  async (transport) => {
    const from = (origin: string) => ({ transports: [transport], extraHeaders: { origin } });
    for (const origin of ['https://evil.example', `${app.url}.evil.example`, 'null']) {
      const refusal = await app.refusedHandshake(staff.token, from(origin));
      expect(refusal.events).toEqual([]);
    }
    const socket = await app.connectSocket(staff.token, from(app.url));
    await fence(socket);
  },
);

test('with a public URL, a handshake may come only from there', async () => {
  const own = await startTestApp({ config: { publicUrl: 'https://console.example/desk' } });
  const { token } = await buildStaff(own);
  const from = (origin: string) => ({ extraHeaders: { origin } });
  const socket = await own.connectSocket(token, from('https://console.example'));
  await fence(socket, own);
  await own.refusedHandshake(token, from('https://console.example.evil.example'));
  await own.refusedHandshake(token, from('http://console.example'));
  await own.close();
});

test('a polling client receives the same events', async () => {
  const socket = await app.connectSocket(staff.token, { transports: ['polling'] });
  await fence(socket);
});

test.each<[string, unknown[]]>([
  ['nothing', []],
  ['null', [null]],
  ['a text', ['hello']],
  ['a number', [7]],
  ['a list', [[1, 2]]],
  ['bytes', [Buffer.from('abc')]],
  ['an empty object', [{}]],
  ['a wrong type', [{ conversation_id: 7, content: {}, tempId: [] }]],
  ['an own prototype', [JSON.parse('{"__proto__":{"content":"x"},"tempId":"temp-1"}')]],
])('an event with %s is rejected and does no harm', async (_what, payload) => {
  const socket = await app.connectSocket(staff.token);
  emitAny(socket, 'send_message', ...payload);
  expect(await socket.nextEvent('message_error')).toMatchObject({ code: 'invalid_request' });
  emitAny(socket, 'toggle_reaction', ...payload);
  expect(await socket.nextEvent('message_error')).toMatchObject({ code: 'invalid_request' });
  await fence(socket);
});

test('an error carries the id of the rejected event, if it has a valid one', async () => {
  const socket = await app.connectSocket(staff.token);
  emitAny(socket, 'send_message', { tempId: 'temp-x', nonsense: true });
  expect(await socket.nextEvent('message_error')).toMatchObject({ tempId: 'temp-x' });
  emitAny(socket, 'toggle_reaction', { message_id: 'm', emoji: 'nonsense' });
  expect(await socket.nextEvent('message_error')).toMatchObject({ message_id: 'm' });
  emitAny(socket, 'send_message', { tempId: 'x'.repeat(5_000) });
  expect(await socket.nextEvent('message_error')).not.toHaveProperty('tempId');
});

test('events that the server does not know are ignored', async () => {
  const socket = await app.connectSocket(staff.token);
  const unknown = [
    'mark_read',
    'leave',
    'room_joined',
    'new_message',
    '__proto__',
    'constructor',
    '',
  ];
  for (const name of unknown) emitAny(socket, name, { conversation_id: 'x' });
  await fence(socket);
  expect(socket.everything().map(({ name }) => name)).toEqual(['conversation_updated']);
});

test('a frame over the limit closes only its own connection', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const other = await app.connectSocket(staff.token);
  for (const transport of ['websocket', 'polling']) {
    const socket = await app.connectSocket(staff.token, { transports: [transport] });
    emitAny(socket, 'send_message', {
      conversation_id: id,
      tempId: unique('temp'),
      content: 'x'.repeat(SOCKET_MAX_FRAME_BYTES),
    });
    await socket.closed;
  }
  await fence(other);
  expect(other.received('new_message')).toEqual([]);
});

test('a flooding socket is disconnected, and does not delay the others', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const flooder = await app.connectSocket((await buildStaff(app)).token);
  const other = await app.connectSocket(staff.token);
  for (let number = 0; number < 3_000; number++) {
    emitAny(flooder, 'send_message', {
      conversation_id: id,
      content: 'flood',
      tempId: unique('temp'),
    });
  }
  const { id: elsewhere } = await buildConversation(app, { messages: [] });
  for (let number = 0; number < 5; number++) {
    const tempId = unique('temp');
    other.socket.emit('send_message', { conversation_id: elsewhere, content: 'hello', tempId });
    // The helper's timeout is far shorter than a wait behind the whole flood.
    await other.nextEvent('message_sent', (event) => event.tempId === tempId);
  }
  const refused = await flooder.nextEvent('message_error');
  expect(refused).toMatchObject({ code: 'rate_limited' });
  expect(refused.tempId).toMatch(/^temp-/);
  // It kept sending although its events were refused.
  expect(await flooder.closed).toBe('io server disconnect');
});

test('a session that floods again after being disconnected is locked out for a while, without affecting others', async () => {
  const { token } = await buildStaff(app);
  for (let time = 0; time < 2; time++) {
    const flooder = await app.connectSocket(token);
    for (let number = 0; number < 4_000; number++) emitAny(flooder, 'typing_start', {});
    await flooder.closed;
  }
  await expect(app.connectSocket(token)).rejects.toThrow(/Too many requests/);
  await fence(await app.connectSocket(staff.token));
});

test('a flood of unknown events closes its connection, too', async () => {
  const flooder = await app.connectSocket(staff.token);
  const other = await app.connectSocket(staff.token);
  for (let number = 0; number < 4_000; number++) emitAny(flooder, 'typing_start', {});
  expect(await flooder.closed).toBe('io server disconnect');
  await fence(other);
});

test('the sweep emits an event whose node died after the commit, and deletes its row', async () => {
  const { id, fan, messages } = await buildConversation(app);
  const socket = await app.connectSocket(staff.token);
  const message_id = messages[0]?.id ?? '';
  const left = [
    { event: 'new_message', payload: { conversation_id: id, message_id, tempId: null } },
    {
      event: 'fan_read',
      payload: {
        conversation_id: id,
        read_at: '2026-11-21T10:00:00.000Z',
        up_to_message_id: message_id,
        up_to_seq: 1,
        version: 2,
      },
    },
  ];
  await leaveBehind(app, left);
  const event = await socket.nextEvent('new_message', ({ message }) => message.id === message_id);
  expect(event.message.sender_id).toBe(fan.id);
  expect(await socket.nextEvent('fan_read')).toEqual(left[1]?.payload);
  await expect.poll(() => outboxOf(app)).toEqual([]);
});

test('an event that can’t be emitted doesn’t block those after it', async () => {
  const own = await startTestApp();
  const { token } = await buildStaff(own);
  const { id, messages } = await buildConversation(own);
  const socket = await own.connectSocket(token);
  await leaveBehind(own, [
    { event: 'from_a_later_version', payload: {} },
    {
      event: 'new_message',
      payload: { conversation_id: id, message_id: crypto.randomUUID(), tempId: null },
    },
    {
      event: 'new_message',
      payload: { conversation_id: id, message_id: messages[0]?.id, tempId: 'temp-9' },
    },
  ]);
  await socket.nextEvent('new_message', ({ tempId }) => tempId === 'temp-9');
  await expect.poll(() => outboxOf(own)).toEqual(['from_a_later_version']);
  await own.close();
});

test('any number of events that can’t be emitted doesn’t block the others', async () => {
  const own = await startTestApp();
  const { token } = await buildStaff(own);
  const { id, messages } = await buildConversation(own);
  const socket = await own.connectSocket(token);
  await leaveBehind(own, [
    ...Array.from({ length: 500 }, () => ({ event: 'from_a_later_version', payload: {} })),
    {
      event: 'new_message',
      payload: { conversation_id: id, message_id: messages[0]?.id, tempId: 'temp-10' },
    },
  ]);
  await socket.nextEvent('new_message', ({ tempId }) => tempId === 'temp-10');
  await own.close();
});

test('an event that was emitted immediately leaves no row', async () => {
  const own = await startTestApp();
  const writer = await buildStaff(own);
  // No row becomes overdue, so that only the emit itself deletes them.
  await sql`alter table outbox alter column created_at set default now() + interval '1 hour'`.execute(
    own.db.kysely,
  );
  const { id, fan } = await buildConversation(own, { messages: ['one', 'two'] });
  await writer.client.call(sendMessage, { body: { conversation_id: id, content: 'x' } });
  await buildFanMessage(own, fan);
  await expect.poll(() => outboxOf(own)).toEqual([]);
  await own.close();
});

async function leaveBehind(on: TestApp, notes: readonly { event: string; payload: unknown }[]) {
  await on.db.kysely
    .insertInto('outbox')
    .values(
      notes.map(({ event, payload }) => ({
        event,
        payload: JSON.stringify(payload),
        created_at: new Date(Date.now() - 5_000),
      })),
    )
    .execute();
}

async function outboxOf(on: TestApp): Promise<string[]> {
  const rows = await on.db.kysely.selectFrom('outbox').select('event').execute();
  return rows.map(({ event }) => event);
}
