import { sql } from 'kysely';
import { insertAudit, writeAudit } from '../../db/audit.ts';
import type { Database, Statement } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import type { AdminRow } from '../admins/admins.store.ts';
import { manages } from '../admins/roles.ts';
import { IS_OFF_SHIFT } from '../shifts/on-shift.ts';
import { countFailure, findWait, lockAddress, purgeFailures } from './failures.store.ts';

/** Seconds until a code expires, by the database's clock, because server clocks may differ. */
export const CODE_LIFE_SECONDS = 300;
const CODE_TRIES = 5;
/** The maximum number of codes sent to one address. */
const CODES_PER_MINUTE = 1;
const CODES_PER_HOUR = 5;

/** The step that remains after a correct code. */
export type PendingStep = 'passkey' | 'enrol';

/** SQL: whether the role of the admin `a` requires a passkey. */
const ROLE_NEEDS_PASSKEY = 'exists (select from passkey_roles r where r.role = a.role)';
const NEEDS_MORE = `a.passkeys > 0 or ${ROLE_NEEDS_PASSKEY}`;
const NEXT_STEP = `case when a.passkeys > 0 then 'passkey' when ${ROLE_NEEDS_PASSKEY} then 'enrol' end`;

/** A session ends `SESSION_IDLE` after its last use, and at the latest `SESSION_LIFE` after its start. */
const SESSION_IDLE = "interval '12 hours'";
const SESSION_LIFE = "interval '7 days'";
/** The minimum interval between two updates of a session's last use. */
const TOUCH_EVERY_SECONDS = 60;

/** How long to wait until a code can be sent or tried, and why. */
interface Wait {
  readonly seconds: number;
  readonly reason: 'code_sent' | 'wrong_codes';
}

/**
 * Stores a new code for an address, unless too many codes were sent to it or wrong codes entered for it.
 * @returns null on success, or how long to wait
 */
export async function storeCode(
  db: Database,
  email: string,
  codeHash: Buffer,
): Promise<Wait | null> {
  return db.kysely.transaction().execute(async (tx) => {
    await lockAddress(tx, email);
    const blocked = await findWait(tx, email);
    if (blocked > 0) return { seconds: blocked, reason: 'wrong_codes' };
    const recent = await tx
      .selectFrom('login_codes')
      .select(sql<number>`extract(epoch from clock_timestamp() - created_at)::float8`.as('age'))
      .where('email', '=', email)
      .where('created_at', '>', sql<Date>`clock_timestamp() - interval '1 hour'`)
      .orderBy('created_at', 'desc')
      .execute();
    const seconds = Math.max(
      waitFor(recent, CODES_PER_MINUTE, 60),
      waitFor(recent, CODES_PER_HOUR, 3_600),
    );
    if (seconds > 0) return { seconds, reason: 'code_sent' };
    await tx
      .insertInto('login_codes')
      .values({ email, code_hash: codeHash, consumed_at: null, created_at: sql`clock_timestamp()` })
      .execute();
    return null;
  });
}

function waitFor(recent: readonly { age: number }[], allowed: number, window: number): number {
  const blocking = recent[allowed - 1];
  return blocking === undefined || blocking.age >= window ? 0 : Math.ceil(window - blocking.age);
}

/** A stored code to compare, and the number of wrong codes in a row if this try is wrong. */
interface Try extends Row<'login_codes', 'id' | 'code_hash'> {
  readonly failures: number;
}

/**
 * Uses up one try of an address's newest code. The try counts as failed immediately, so that simultaneous tries all count.
 * @returns null if there is no valid code; the seconds to wait after too many wrong codes
 */
export async function takeTry(db: Database, email: string): Promise<Try | number | null> {
  return db.kysely.transaction().execute(async (tx) => {
    await lockAddress(tx, email);
    const wait = await findWait(tx, email);
    if (wait > 0) return wait;
    const { rows } = await sql<Row<'login_codes', 'id' | 'code_hash'>>`
      update login_codes set tries = tries + 1
      where id = (select id from login_codes where email = ${email} order by created_at desc limit 1)
        and tries < ${CODE_TRIES} and consumed_at is null
        and created_at > clock_timestamp() - make_interval(secs => ${CODE_LIFE_SECONDS})
      returning id, code_hash`.execute(tx);
    const [code] = rows;
    return code === undefined ? null : { ...code, failures: await countFailure(tx, email) };
  });
}

/** The data of a new session: the hashes of its token and cookies, and the user agent. */
export interface NewSession {
  readonly tokenHash: Buffer;
  readonly cookieHash: Buffer;
  readonly mediaCookieHash: Buffer;
  readonly userAgent: string | null;
}

const openSessionStatement: Statement = {
  name: 'auth_open_session',
  // The update locks the admin's row and reads its current state, including a passkey added in the meantime.
  text: `with code as (
      update login_codes set consumed_at = clock_timestamp() where id = $1 and consumed_at is null returning email
    ), found as (
      update admins a set last_active_at = case when ${NEEDS_MORE} then last_active_at else now() end
      from code where a.email = code.email and a.is_active returning a.*, ${NEXT_STEP} as step
    ), cleared as (
      delete from sign_in_failures f using found where f.email = found.email
    ), audited as (
      ${insertAudit('id', 'sign_in.complete', 'id', `'{"factors": ["code"]}'::jsonb`, 'from found where step is null')}
    ), session as (
      insert into sessions (admin_id, token_hash, cookie_hash, media_cookie_hash, user_agent)
      select id, $2, $3, $4, $5 from found where step is null
    ), pending as (
      insert into pending_sign_ins (admin_id, token_hash, step, user_agent)
      select id, $2, step, $5 from found where step is not null
    )
    select id, email, codename, role, display_color, can_manage_messages, step from found`,
};

/**
 * Consumes a code, clears the count of wrong codes and opens a session, in one statement: of two callers with the same code,
 * only one gets a session. If a passkey is needed too, stores the token as a pending sign-in instead, which gives no access.
 * @returns the admin and the remaining step; null if the code was already used or no active admin has the address
 */
export async function openSession(
  db: Database,
  codeId: string,
  session: NewSession,
): Promise<(AdminRow & { readonly step: PendingStep | null }) | null> {
  const [row] = await db.run<AdminRow & { step: PendingStep | null }>(openSessionStatement, [
    codeId,
    session.tokenHash,
    session.cookieHash,
    session.mediaCookieHash,
    session.userAgent,
  ]);
  return row ?? null;
}

/** Opens a session for an admin who used a passkey too, and writes the audit entry. */
export async function insertSession(
  tx: Tx,
  adminId: string,
  passkeyId: string,
  session: NewSession,
): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      admin_id: adminId,
      token_hash: session.tokenHash,
      cookie_hash: session.cookieHash,
      media_cookie_hash: session.mediaCookieHash,
      user_agent: session.userAgent,
      passkey_id: passkeyId,
      confirmed_at: sql`now()`,
    })
    .execute();
  await writeAudit(tx, {
    adminId,
    action: 'sign_in.complete',
    targetId: adminId,
    details: { factors: ['code', 'passkey'] },
  });
}

/** SQL: whether the session `s` of the admin `a` is live. If the role requires a passkey, a code alone is not enough. */
const LIVE = `a.is_active and s.last_used_at > now() - ${SESSION_IDLE} and s.created_at > now() - ${SESSION_LIFE}
  and (s.confirmed_at is not null or not ${ROLE_NEEDS_PASSKEY})`;

const findSessionBy = (column: 'token_hash' | 'cookie_hash'): Statement => ({
  name: `auth_find_session_by_${column}`,
  text: `select s.id as session_id, s.last_used_at < now() - interval '${TOUCH_EVERY_SECONDS} seconds' as stale,
      a.id, a.email, a.codename, a.role, a.display_color, a.can_manage_messages, ${IS_OFF_SHIFT} as is_off_shift
    from sessions s join admins a on a.id = s.admin_id
    where s.${column} = $1 and ${LIVE}`,
});
const findSessionStatement = findSessionBy('token_hash');
const findByAvatarCookieStatement = findSessionBy('cookie_hash');

export type SessionRow = AdminRow & {
  readonly session_id: string;
  readonly stale: boolean;
  readonly is_off_shift: boolean;
};

/** Returns the live session with a token, with its active admin, or null. */
export async function findSession(db: Database, tokenHash: Buffer): Promise<SessionRow | null> {
  const [row] = await db.run<SessionRow>(findSessionStatement, [tokenHash]);
  return row ?? null;
}

/** Returns the live session with an avatar cookie, with its active admin, or null. */
export async function findSessionByAvatarCookie(
  db: Database,
  cookieHash: Buffer,
): Promise<SessionRow | null> {
  const [row] = await db.run<SessionRow>(findByAvatarCookieStatement, [cookieHash]);
  return row ?? null;
}

const mediaCookieStatement: Statement = {
  name: 'auth_media_cookie',
  text: `select 1 from sessions s join admins a on a.id = s.admin_id
    where s.media_cookie_hash = $1 and ${LIVE}`,
};

/** Checks whether a live session has this media cookie. */
export async function hasMediaCookie(db: Database, cookieHash: Buffer): Promise<boolean> {
  return (await db.run(mediaCookieStatement, [cookieHash])).length > 0;
}

const touchStatement: Statement = {
  name: 'auth_touch_session',
  // Locks the admin's row before the session, as a removal does. If it is already locked, the next call records the activity.
  text: `with admin as (
      select a.id from admins a where a.id = (select admin_id from sessions where id = $1) for no key update skip locked
    ), session as (
      update sessions s set last_used_at = now() from admin where s.id = $1 and s.admin_id = admin.id
    )
    update admins set last_active_at = now() from admin where admins.id = admin.id`,
};

/** Records that a session and its admin are active now. */
export async function touchSession(db: Database, sessionId: string): Promise<void> {
  await db.run(touchStatement, [sessionId]);
}

const liveSessionsStatement: Statement = {
  name: 'auth_live_sessions',
  text: `select s.id, a.role from sessions s join admins a on a.id = s.admin_id
    where s.id = any($1::uuid[]) and ${LIVE}`,
};

/** Returns the sessions that are still live, each with whether its admin can manage admins. */
export async function liveSessions(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, boolean>> {
  const rows = await db.run<Row<'sessions', 'id'> & Row<'admins', 'role'>>(liveSessionsStatement, [
    ids,
  ]);
  return new Map(rows.map((row) => [row.id, manages(row.role)]));
}

const listSessionsStatement: Statement = {
  name: 'auth_list_sessions',
  text: `select s.id, s.created_at, s.last_used_at, s.user_agent, s.confirmed_at is not null as confirmed,
      least(s.last_used_at + ${SESSION_IDLE}, s.created_at + ${SESSION_LIFE}) as expires_at
    from sessions s join admins a on a.id = s.admin_id where s.admin_id = $1 and ${LIVE} order by s.last_used_at desc limit 200`,
};

interface ListedSession
  extends Row<'sessions', 'id' | 'created_at' | 'last_used_at' | 'user_agent'> {
  readonly expires_at: Date;
  /** Whether a passkey was used in the session. */
  readonly confirmed: boolean;
}

/** Returns an admin's live sessions, most recently used first. */
export function listSessions(db: Database, adminId: string): Promise<ListedSession[]> {
  return db.run(listSessionsStatement, [adminId]);
}

/** Deletes an admin's session. @returns whether it existed */
export async function deleteSession(db: Database, adminId: string, id: string): Promise<boolean> {
  const result = await db.kysely
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('admin_id', '=', adminId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Returns the housekeeping steps that delete expired codes, failure counts, pending sign-ins and sessions. */
export const signInSweeps = (db: Database) => [
  () => purgeFailures(db),
  ...[
    `delete from login_codes where created_at < now() - interval '1 day'`,
    `delete from pending_sign_ins where created_at < now() - interval '1 day'`,
    `delete from sessions s where s.last_used_at <= now() - ${SESSION_IDLE} or s.created_at <= now() - ${SESSION_LIFE}`,
  ].map((text) => () => db.runPlanned(text, [])),
];
