import { putFan } from '@stagedoor/contract/platform/platform';
import { updateAdminPermissions } from '@stagedoor/contract/team/admins';
import {
  currentAdmin,
  listSessions,
  requestOtp,
  revokeSession,
  signOut,
  verifyOtp,
} from '@stagedoor/contract/team/auth';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildAdmin, buildFan, buildStaff } from '../../../test/factories.ts';
import { sharedApp, startTestApp, type TestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';

const app = await sharedApp();

async function signInWithCookie(
  to: TestApp,
  email: string,
): Promise<{ token: string; cookies: string[] }> {
  await to.anonymous.call(requestOtp, { body: { email } });
  const code = await to.smtp.codeFor(email);
  const reply = await to.anonymous.call(verifyOtp, { body: { email, code } });
  return { token: reply.body.token, cookies: reply.headers.getSetCookie() };
}

const isOut = async (token: string) =>
  (await app.staff(token).raw('GET', currentAdmin.path)).status === 401;

test('signing out ends the session and closes its sockets immediately', async () => {
  const { client, token, admin } = await buildStaff(app);
  const other = await app.insertSession(admin.id);
  const [socket, second, otherSocket] = await Promise.all([
    app.connectSocket(token),
    app.connectSocket(token, { transports: ['polling'] }),
    app.connectSocket(other),
  ]);
  const { headers } = await client.call(signOut);
  const closed = Promise.all([socket.closed, second.closed]);
  expect(await isOut(token)).toBe(true);
  await until('both sockets closed', () => !socket.socket.connected && !second.socket.connected);
  expect(await closed).toEqual(['io server disconnect', 'io server disconnect']);
  const cookies = headers.getSetCookie();
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toContain('Max-Age=0');
  const refusal = await app.refusedHandshake(token);
  expect(refusal.data).toMatchObject({ code: 'unauthorized' });
  // The admin's other session stays open.
  expect(await isOut(other)).toBe(false);
  await buildFan(app);
  await otherSocket.nextEvent('conversation_updated');
});

test('signing out with an ended token is refused', async () => {
  const { client } = await buildStaff(app);
  await client.call(signOut);
  expect(await client.refused(signOut)).toMatchObject({ status: 401, code: 'unauthorized' });
});

test('an admin sees their own live sessions, most recently used first, and which one is current', async () => {
  const { admin, client } = await buildStaff(app);
  await buildStaff(app);
  const older = await app.insertSession(admin.id);
  const expired = await app.insertSession(admin.id);
  const [current, second, third] = await app.db.kysely
    .selectFrom('sessions')
    .select('id')
    .where('admin_id', '=', admin.id)
    .orderBy('created_at')
    .execute();
  await moveSession(second?.id, "last_used_at = now() - interval '2 hours'");
  await moveSession(third?.id, "last_used_at = now() - interval '13 hours'");
  const { body } = await client.call(listSessions);
  expect(body.data.map((session) => [session.id, session.current])).toEqual([
    [current?.id, true],
    [second?.id, false],
  ]);
  const [first] = body.data;
  const hours =
    (Date.parse(first?.expires_at ?? '') - Date.parse(first?.last_used_at ?? '')) / 3_600_000;
  expect(hours).toBeCloseTo(12, 3);
  expect(await isOut(older)).toBe(false);
  expect(await isOut(expired)).toBe(true);
});

test('the list of sessions shows each browser’s user agent, cut to a limited length', async () => {
  const admin = await buildAdmin(app);
  await app.anonymous.call(requestOtp, { body: { email: admin.email } });
  const code = await app.smtp.codeFor(admin.email);
  const signedIn = await app.anonymous.raw('POST', verifyOtp.path, {
    body: { email: admin.email, code },
    headers: { 'user-agent': 'B'.repeat(2_000) },
  });
  const { token } = JSON.parse(signedIn.text) as { token: string };
  const { body } = await app.staff(token).call(listSessions);
  expect(body.data[0]?.user_agent).toBe('B'.repeat(300));
});

test('an admin revokes one of their own sessions and its sockets close immediately', async () => {
  const { admin, client } = await buildStaff(app);
  const lost = await app.insertSession(admin.id);
  const socket = await app.connectSocket(lost);
  const { body } = await client.call(listSessions);
  const id = body.data.find((session) => !session.current)?.id ?? '';
  await client.call(revokeSession, { params: { id } });
  expect(await isOut(lost)).toBe(true);
  await until('its socket closed', () => !socket.socket.connected);
  expect(await client.refused(revokeSession, { params: { id } })).toMatchObject({
    status: 404,
    code: 'session_not_found',
  });
});

test('an admin can’t revoke another admin’s session or find out that it exists', async () => {
  const { client } = await buildStaff(app);
  const other = await buildStaff(app);
  const { body } = await other.client.call(listSessions);
  const theirs = await client.refused(revokeSession, { params: { id: body.data[0]?.id ?? '' } });
  const none = await client.refused(revokeSession, { params: { id: crypto.randomUUID() } });
  const nonsense = await client.refused(revokeSession, { params: { id: 'nonsense' } });
  for (const refusal of [theirs, none, nonsense]) expect(refusal.text).toBe(none.text);
  expect(theirs.status).toBe(404);
  expect(await isOut(other.token)).toBe(false);
});

test.each([
  ['12 hours after its last use', "last_used_at = now() - interval '12 hours 1 second'", true],
  ['not before', "last_used_at = now() - interval '11 hours 59 minutes'", false],
  [
    '7 days after its start, however much it is used',
    "created_at = now() - interval '7 days 1 second'",
    true,
  ],
])('a session ends %s', async (_when, change, ended) => {
  const { admin, token } = await buildStaff(app);
  const { id } = await app.db.kysely
    .selectFrom('sessions')
    .select('id')
    .where('admin_id', '=', admin.id)
    .executeTakeFirstOrThrow();
  await moveSession(id, change);
  expect(await isOut(token)).toBe(ended);
  if (ended)
    expect((await app.refusedHandshake(token)).data).toMatchObject({ code: 'unauthorized' });
});

test('using a session keeps it alive', async () => {
  const { admin, client, token } = await buildStaff(app);
  const { id } = await app.db.kysely
    .selectFrom('sessions')
    .select('id')
    .where('admin_id', '=', admin.id)
    .executeTakeFirstOrThrow();
  await moveSession(id, "last_used_at = now() - interval '11 hours'");
  expect(await isOut(token)).toBe(false);
  const { body } = await client.call(listSessions);
  expect(Date.now() - Date.parse(body.data[0]?.last_used_at ?? '')).toBeLessThan(60_000);
});

test('a deactivated admin loses HTTP access and every open socket immediately', async () => {
  const { admin, token } = await buildStaff(app);
  const other = await app.insertSession(admin.id);
  const sockets = await Promise.all([token, token, other].map((each) => app.connectSocket(each)));
  // Changed directly in the database, as by another process.
  await app.db.kysely
    .updateTable('admins')
    .set({ is_active: false })
    .where('id', '=', admin.id)
    .execute();
  expect(await isOut(token)).toBe(true);
  expect(await isOut(other)).toBe(true);
  await until('all sockets closed', () => sockets.every(({ socket }) => !socket.connected));
  const counts = sockets.map((socket) => socket.everything().length);
  expect((await app.refusedHandshake(token)).data).toMatchObject({ code: 'unauthorized' });
  const witness = await app.connectSocket((await buildStaff(app)).token);
  await buildFan(app);
  await witness.nextEvent('conversation_updated');
  expect(sockets.map((socket) => socket.everything().length)).toEqual(counts);
});

test('the first event of a deactivated admin’s socket is refused even before the socket is closed', async () => {
  const { admin, token } = await buildStaff(app);
  const socket = await app.connectSocket(token);
  const fan = await buildFan(app);
  await app.db.kysely
    .updateTable('admins')
    .set({ is_active: false })
    .where('id', '=', admin.id)
    .execute();
  socket.socket.emit('send_message', {
    conversation_id: fan.conversation_id,
    content: 'hi',
    tempId: 'temp-1',
  });
  await socket.closed;
  const messages = await app.db.kysely
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', fan.conversation_id)
    .execute();
  expect(messages).toEqual([]);
});

test('an admin whose message privilege was taken away can’t send with the next event, right after one that was stored', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const { admin, token } = await buildStaff(app);
  const { conversation_id } = await buildFan(app);
  const socket = await app.connectSocket(token);
  const send = (tempId: string) =>
    socket.socket.emit('send_message', { conversation_id, content: 'hi', tempId });
  send('temp-1');
  await socket.nextEvent('message_sent');
  await manager.client.call(updateAdminPermissions, {
    params: { id: admin.id },
    body: { can_manage_messages: false },
  });
  const refused = socket.nextEvent('message_error');
  send('temp-2');
  expect(await refused).toMatchObject({ code: 'message_privilege_required', tempId: 'temp-2' });
});

test('the sign-in cookies differ from the token and give access to neither API', async () => {
  const admin = await buildAdmin(app);
  const { token, cookies } = await signInWithCookie(app, admin.email);
  const parts = cookies.map((cookie) => cookie.split('; '));
  const strict = ['HttpOnly', 'SameSite=Strict', 'Max-Age=604800'];
  expect(parts.map(([, ...attributes]) => attributes)).toEqual([
    ['Path=/api', ...strict],
    ['Path=/api/media', ...strict],
  ]);
  const values = parts.map(([pair]) => pair?.split('=')[1] ?? '');
  expect(new Set([token, ...values]).size).toBe(3);
  for (const [index, value] of values.entries()) {
    expect(value).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const cookie = parts[index]?.[0];
    const byCookie = await app.anonymous.raw('GET', currentAdmin.path, { headers: { cookie } });
    expect(byCookie.status).toBe(401);
    expect(await isOut(value)).toBe(true);
    const onPlatform = await app.staff(value).refused(putFan, { params: { fan: 'x' }, body: {} });
    expect(onPlatform.status).toBe(401);
  }
});

test('with TLS, the cookies are Secure', async () => {
  const secure = await startTestApp({ config: { publicUrl: 'https://console.example' } });
  const admin = await buildAdmin(secure);
  const { cookies } = await signInWithCookie(secure, admin.email);
  for (const cookie of cookies) expect(cookie.split('; ')).toContain('Secure');
  await secure.close();
});

async function moveSession(id: string | undefined, change: string): Promise<void> {
  await sql`update sessions set ${sql.raw(change)} where id = ${id}`.execute(app.db.kysely);
}
