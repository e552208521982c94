import {
  endFanSession,
  FAN_LINK_MINUTES,
  FAN_SESSION_DAYS,
  FAN_SESSION_IDLE_DAYS,
  getFanHome,
  openFanSession,
} from '@stagedoor/contract/platform/fan-app';
import { createFanSession, endFanSessions, eraseFan } from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildFan } from '../../../test/factories.ts';
import { httpClient } from '../../../test/http-client.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { buildFanLink, followLink, signInFan } from '../../../test/worlds/fan-world.ts';
import { fanSessionSweeps } from './fan-sessions.store.ts';

const app = await sharedApp();

const isLive = async (token: string) =>
  (await httpClient(app.url, token).raw('GET', getFanHome.path)).status === 200;
/** Backdates a column of a fan's sessions or links. */
async function age(fanId: string, column: string, days: number) {
  const table = column === 'expires_at' ? 'fan_links' : 'fan_sessions';
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = now() - make_interval(secs => ${days * 86_400 + 1})
    where fan_id = ${fanId}`.execute(app.db.kysely);
}

test('a link’s URL opens the fan client and keeps the secret in the fragment', async () => {
  const { external_id } = await buildFan(app);
  const { body } = await app.platform.call(createFanSession, { params: { fan: external_id } });
  const { url, link, expires_at } = body.data;
  expect(url).toBe(`${app.url}/fan/#link=${link}`);
  const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
  expect(Math.round(minutes)).toBe(FAN_LINK_MINUTES);
});

test('a session ends after days without use', async () => {
  const me = await signInFan(app);
  await age(me.fan.id, 'last_used_at', FAN_SESSION_IDLE_DAYS - 1);
  expect(await isLive(me.token)).toBe(true);
  // The request in `isLive` counted as a use.
  const { last_used_at } = await app.db.kysely
    .selectFrom('fan_sessions')
    .select('last_used_at')
    .where('fan_id', '=', me.fan.id)
    .executeTakeFirstOrThrow();
  expect(Date.now() - last_used_at.getTime()).toBeLessThan(60_000);
  await age(me.fan.id, 'last_used_at', FAN_SESSION_IDLE_DAYS);
  expect(await isLive(me.token)).toBe(false);
});

test('a session ends after its maximum age, however much it is used', async () => {
  const me = await signInFan(app);
  await age(me.fan.id, 'created_at', FAN_SESSION_DAYS - 1);
  expect(await isLive(me.token)).toBe(true);
  await age(me.fan.id, 'created_at', FAN_SESSION_DAYS);
  expect(await isLive(me.token)).toBe(false);
});

test('a link can be used again, which ends its previous session', async () => {
  const fan = await buildFan(app);
  const link = await buildFanLink(app, fan);
  const first = await followLink(app, link);
  const second = await followLink(app, link);
  expect([await isLive(first), await isLive(second)]).toEqual([false, true]);
  const other = await followLink(app, await buildFanLink(app, fan));
  expect([await isLive(second), await isLive(other)]).toEqual([true, true]);
});

test('of many simultaneous uses of a link, one session remains', async () => {
  const link = await buildFanLink(app, await buildFan(app));
  const tokens = await Promise.all(Array.from({ length: 8 }, () => followLink(app, link)));
  const live = await Promise.all(tokens.map(isLive));
  expect(live.filter(Boolean)).toHaveLength(1);
});

test('expired, unknown and malformed links get the same refusal', async () => {
  const fan = await buildFan(app);
  const link = await buildFanLink(app, fan);
  await age(fan.id, 'expires_at', 0);
  const { token } = await signInFan(app);
  for (const wrong of [link, token, 'A'.repeat(43), '', 'x']) {
    const refusal = await app.anonymous.refused(openFanSession, { body: { link: wrong } });
    expect(refusal).toMatchObject({ status: 401, code: 'invalid_link' });
  }
});

test('signing out ends only that session; the platform can end all sessions and links', async () => {
  const me = await signInFan(app);
  const [left, kept] = [await signInFan(app, me.fan), await signInFan(app)];
  await me.client.call(endFanSession);
  expect([await isLive(me.token), await isLive(left.token)]).toEqual([false, true]);
  const link = await buildFanLink(app, me.fan);
  await app.platform.call(endFanSessions, { params: { fan: me.fan.external_id } });
  expect([await isLive(left.token), await isLive(kept.token)]).toEqual([false, true]);
  expect(await app.anonymous.refused(openFanSession, { body: { link } })).toMatchObject({
    code: 'invalid_link',
  });
});

test('erasing a fan ends their sessions and links', async () => {
  const me = await signInFan(app);
  const link = await buildFanLink(app, me.fan);
  await app.platform.call(eraseFan, { params: { fan: me.fan.external_id } });
  expect(await isLive(me.token)).toBe(false);
  expect((await app.anonymous.refused(openFanSession, { body: { link } })).status).toBe(401);
});

test('requesting a link while the fan is being erased finds no fan', async () => {
  const { external_id } = await buildFan(app);
  const refused = await app.db.kysely.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    await tx.deleteFrom('fans').where('external_id', '=', external_id).execute();
    const asked = app.platform.refused(createFanSession, {
      params: { fan: external_id },
      body: {},
    });
    await until('it waits for the end of the erasure', async () => {
      const { rows } = await sql`select from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.query ilike '%fan_links%'`.execute(app.db.kysely);
      return rows.length > 0;
    });
    return { asked };
  });
  expect(await refused.asked).toMatchObject({ status: 404, code: 'fan_not_found' });
});

test('the purge deletes only expired sessions and links', async () => {
  const [gone, idle, kept] = [await signInFan(app), await signInFan(app), await signInFan(app)];
  await age(gone.fan.id, 'created_at', FAN_SESSION_DAYS);
  await age(idle.fan.id, 'last_used_at', FAN_SESSION_IDLE_DAYS);
  await age(gone.fan.id, 'expires_at', 0);
  for (const sweep of fanSessionSweeps(app.db)) await sweep();
  const left = async (table: 'fan_sessions' | 'fan_links') =>
    (await app.db.kysely.selectFrom(table).select('fan_id').execute()).map(({ fan_id }) => fan_id);
  const [sessions, links] = [await left('fan_sessions'), await left('fan_links')];
  expect(sessions).toContain(kept.fan.id);
  expect(sessions).not.toContain(gone.fan.id);
  expect(sessions).not.toContain(idle.fan.id);
  expect(links).toContain(kept.fan.id);
  expect(links).not.toContain(gone.fan.id);
});

test('only hashes of tokens and links are stored', async () => {
  const fan = await buildFan(app);
  const link = await buildFanLink(app, fan);
  const token = await followLink(app, link);
  const { rows } = await sql<{ row: string }>`
    select s::text || l::text as row from fan_sessions s, fan_links l
    where s.fan_id = ${fan.id} and l.fan_id = ${fan.id}`.execute(app.db.kysely);
  expect(rows).toHaveLength(1);
  for (const secret of [link, token]) {
    expect(rows[0]?.row).not.toContain(secret);
    expect(rows[0]?.row).not.toContain(Buffer.from(secret).toString('hex'));
  }
});

test('ended sessions are found by index, without a full scan', async () => {
  const own = await startTestApp();
  const { id } = await buildFan(own);
  await sql`insert into fan_sessions (fan_id, token_hash)
    select ${id}, sha256(n::text::bytea) from generate_series(1, 5000) n`.execute(own.db.kysely);
  await sql`analyze fan_sessions`.execute(own.db.kysely);
  for (const sweep of fanSessionSweeps(own.db)) await sweep();
  await until('both indexes were used', async () => {
    const rows = await own.db.runPlanned(
      `select from pg_stat_user_indexes
        where indexrelname in ('fan_sessions_created_at', 'fan_sessions_last_used_at') and idx_scan > 0`,
      [],
    );
    return rows.length === 2;
  });
  await own.close();
});
