import { endFanSession, sendOwnMessage } from '@stagedoor/contract/platform/fan-app';
import { endFanSessions, eraseFan } from '@stagedoor/contract/platform/platform';
import { SOCKET_MAX_FRAME_BYTES } from '@stagedoor/contract/realtime';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildStaff, unique } from '../../test/factories.ts';
import type { FanSocket } from '../../test/socket-client.ts';
import { PLATFORM_KEY, sharedApp, startTestApp } from '../../test/test-app.ts';
import {
  buildFanLink,
  followLink,
  type SignedInFan,
  signInFan,
} from '../../test/worlds/fan-world.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

/** Waits for a new event, so that all earlier ones have reached the socket. */
async function fence(socket: FanSocket, { client }: SignedInFan): Promise<void> {
  const client_id = unique('client');
  await client.call(sendOwnMessage, { body: { client_id, content: 'x' } });
  await socket.nextEvent('new_message', (event) => event.client_id === client_id);
}

test.each([
  ['no token', undefined],
  ['an empty token', ''],
  ['an unknown token', 'A'.repeat(43)],
  ['the platform’s key', PLATFORM_KEY],
  ['an admin’s token', staff.token],
])('a fan’s handshake with %s is rejected', async (_what, token) => {
  const refusal = await app.refusedFanHandshake(token);
  expect(refusal.data).toEqual({ error: 'Not authenticated', code: 'unauthorized' });
  expect(refusal.events).toEqual([]);
});

test('a fan’s token and link give access to nothing else', async () => {
  const me = await signInFan(app);
  const link = await buildFanLink(app, me.fan);
  expect((await app.refusedHandshake(me.token)).data).toMatchObject({ code: 'unauthorized' });
  expect((await app.refusedFanHandshake(link)).data).toMatchObject({ code: 'unauthorized' });
});

test('a fan’s handshake from another origin is rejected', async () => {
  const { token } = await signInFan(app);
  const from = (origin: string) => ({ extraHeaders: { origin } });
  expect((await app.refusedFanHandshake(token, from('https://fans.example'))).events).toEqual([]);
  await app.connectFanSocket(token, from(app.url));
});

test('anything that a fan’s socket sends has no effect', async () => {
  const me = await signInFan(app);
  const socket = await me.connect();
  const witness = await app.connectSocket(staff.token);
  const payload = { conversation_id: me.fan.conversation_id, content: 'x', tempId: 'temp-1' };
  for (const name of ['send_message', 'toggle_reaction', 'join', 'new_message', '__proto__', '']) {
    socket.socket.emit(name, payload);
  }
  await fence(socket, me);
  expect(socket.everything().map(({ name }) => name)).toEqual(['new_message']);
  expect(witness.received('new_message')).toHaveLength(1);
});

test('a socket that keeps sending is disconnected, and so is one that sends too large a frame', async () => {
  const me = await signInFan(app);
  const [flooding, large, quiet] = [await me.connect(), await me.connect(), await me.connect()];
  for (let index = 0; index < 100; index++) flooding.socket.emit('x', index);
  await flooding.closed;
  large.socket.emit('x', 'x'.repeat(SOCKET_MAX_FRAME_BYTES));
  await large.closed;
  await fence(quiet, me);
});

test('a fan’s number of sockets is limited', async () => {
  const [me, other] = [await signInFan(app), await signInFan(app)];
  const open = await Promise.all(Array.from({ length: 30 }, () => me.connect()));
  expect((await app.refusedFanHandshake(me.token)).data).toMatchObject({ code: 'rate_limited' });
  await other.connect();
  open[0]?.close();
  await expect.poll(() => me.connect().then(Boolean, () => false)).toBe(true);
});

test('a fan’s number of handshakes is limited, without affecting others', async () => {
  const [eager, other] = [await signInFan(app), await signInFan(app)];
  for (let round = 0; round < 12; round++) {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => eager.connect()));
    for (const socket of sockets) socket.close();
  }
  const refusal = await app.refusedFanHandshake(eager.token);
  expect(refusal.data).toMatchObject({ code: 'rate_limited', error: expect.any(String) });
  (await other.connect()).close();
});

test('signing out closes only the sockets of that session', async () => {
  const me = await signInFan(app);
  const elsewhere = await signInFan(app, me.fan);
  const [ended, kept] = [await me.connect(), await elsewhere.connect()];
  await me.client.call(endFanSession);
  expect(await ended.closed).toBe('io server disconnect');
  await fence(kept, elsewhere);
  await app.refusedFanHandshake(me.token);
});

test('when the platform ends a fan’s sessions, all of their sockets close, and nobody else’s', async () => {
  const [me, other] = [await signInFan(app), await signInFan(app)];
  const elsewhere = await signInFan(app, me.fan);
  const sockets = [await me.connect(), await elsewhere.connect()];
  const kept = await other.connect();
  const link = await buildFanLink(app, me.fan);
  await app.platform.call(endFanSessions, { params: { fan: me.fan.external_id } });
  for (const socket of sockets) await socket.closed;
  await fence(kept, other);
  await expect(followLink(app, link)).rejects.toThrow('invalid_link');
});

test('following a link again closes the sockets of its previous session', async () => {
  const me = await signInFan(app);
  const link = await buildFanLink(app, me.fan);
  const first = await app.connectFanSocket(await followLink(app, link));
  const second = await followLink(app, link);
  await first.closed;
  await app.connectFanSocket(second);
});

test('an erased fan’s sockets close', async () => {
  const me = await signInFan(app);
  const socket = await me.connect();
  await app.platform.call(eraseFan, { params: { fan: me.fan.external_id } });
  await socket.closed;
  await app.refusedFanHandshake(me.token);
});

test('when a session expires, its sockets close', async () => {
  const [me, other] = [await signInFan(app), await signInFan(app)];
  const [expired, kept] = [await me.connect(), await other.connect()];
  await sql`update fan_sessions set created_at = now() - interval '31 days' where fan_id = ${me.fan.id}`.execute(
    app.db.kysely,
  );
  await expired.closed;
  await fence(kept, other);
});

test('fan sockets are measured separately from staff sockets', async () => {
  const own = await startTestApp();
  const [me, other] = [await signInFan(own), await signInFan(own)];
  await me.connect();
  await other.connect();
  const { text } = await own.anonymous.raw('GET', '/metrics');
  expect(text).toContain('stagedoor_fan_sockets 2');
  expect(text).toContain('stagedoor_sockets 0');
  await own.close();
});

test('when the server stops, fans’ sockets close', async () => {
  const own = await startTestApp();
  const socket = await (await signInFan(own)).connect();
  await own.app.close();
  await socket.closed;
  await own.close();
});
