import {
  FAN_LINK_MINUTES,
  FAN_SESSION_DAYS,
  FAN_SESSION_IDLE_DAYS,
} from '@stagedoor/contract/platform/fan-app';
import { sql } from 'kysely';
import { type Database, type Statement, violates } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';

const IDLE = `interval '${FAN_SESSION_IDLE_DAYS} days'`;
const LIFE = `interval '${FAN_SESSION_DAYS} days'`;
/** The minimum interval between two updates of a session's last use. */
const TOUCH_EVERY = "interval '10 minutes'";

const LIVE = `s.last_used_at > now() - ${IDLE} and s.created_at > now() - ${LIFE}`;

/** Stores a session link. @returns when it expires; null if the fan was erased in the meantime */
export async function insertLink(
  db: Database,
  link: { fanId: string; linkHash: Buffer; checkoutUrl: string | null },
): Promise<Date | null> {
  try {
    const { expires_at } = await db.kysely
      .insertInto('fan_links')
      .values({
        fan_id: link.fanId,
        link_hash: link.linkHash,
        checkout_url: link.checkoutUrl,
        expires_at: sql<Date>`now() + make_interval(mins => ${FAN_LINK_MINUTES})`,
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow();
    return expires_at;
  } catch (error) {
    if (violates(error, 'fan_links_fan_id_fkey')) return null;
    throw error;
  }
}

export interface OpenedSession {
  readonly expires_at: Date;
  /** The ids of the older sessions that were ended for this one. */
  readonly ended: string[];
}

type LockedLink = Row<'fan_links', 'id' | 'fan_id' | 'checkout_url'>;

/**
 * Finds a valid link and locks its row. Locks the fan's row first, because erasing a fan locks the rows in that order.
 * @returns null for an unknown or expired link
 */
async function lockLink(tx: Tx, linkHash: Buffer): Promise<LockedLink | null> {
  await sql`select from fans f join fan_links l on l.fan_id = f.id
    where l.link_hash = ${linkHash} for key share of f`.execute(tx);
  const link = await tx
    .selectFrom('fan_links')
    .select(['id', 'fan_id', 'checkout_url'])
    .where('link_hash', '=', linkHash)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .forUpdate()
    .executeTakeFirst();
  return link ?? null;
}

/** Opens a session and ends older sessions of its link. @param keep how many of the link's newest sessions stay open */
async function openSession(
  tx: Tx,
  link: LockedLink,
  tokenHash: Buffer,
  keep: number,
): Promise<OpenedSession> {
  const ended = await tx
    .deleteFrom('fan_sessions')
    .where('id', 'in', (sessions) =>
      sessions
        .selectFrom('fan_sessions')
        .select('id')
        .where('link_id', '=', link.id)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(keep),
    )
    .returning('id')
    .execute();
  const { expires_at } = await tx
    .insertInto('fan_sessions')
    .values({
      fan_id: link.fan_id,
      link_id: link.id,
      token_hash: tokenHash,
      checkout_url: link.checkout_url,
    })
    .returning(sql<Date>`created_at + ${sql.raw(LIFE)}`.as('expires_at'))
    .executeTakeFirstOrThrow();
  return { expires_at, ended: ended.map(({ id }) => id) };
}

/**
 * Exchanges a link for a session and ends the link's previous session. After two simultaneous exchanges, one session remains.
 * @returns null for an unknown or expired link
 */
export function openByLink(
  db: Database,
  linkHash: Buffer,
  tokenHash: Buffer,
): Promise<OpenedSession | null> {
  return db.kysely.transaction().execute(async (tx) => {
    const link = await lockLink(tx, linkHash);
    return link && openSession(tx, link, tokenHash, 0);
  });
}

/** The link of an invitation, which lets the fan who joined come back. It allows several sessions, for the fan's devices. */
export interface InviteLink {
  readonly fanId: string;
  /** The hash of the invitation's token. */
  readonly linkHash: Buffer;
  readonly expiresAt: Date;
}

/** The maximum number of open sessions per invitation. A further session ends the oldest. */
const INVITE_SESSIONS = 20;

/** Creates an invitation's link and its first session. */
export async function openInviteLink(
  tx: Tx,
  { fanId, linkHash, expiresAt }: InviteLink,
  tokenHash: Buffer,
): Promise<OpenedSession> {
  const link = await tx
    .insertInto('fan_links')
    .values({ fan_id: fanId, link_hash: linkHash, checkout_url: null, expires_at: expiresAt })
    .returning(['id', 'fan_id', 'checkout_url'])
    .executeTakeFirstOrThrow();
  return openSession(tx, link, tokenHash, 0);
}

/** Opens another session with an invitation's link. @returns null if no fan joined with it or it is no longer valid */
export async function reopenInviteLink(
  tx: Tx,
  linkHash: Buffer,
  tokenHash: Buffer,
): Promise<OpenedSession | null> {
  const link = await lockLink(tx, linkHash);
  return link && openSession(tx, link, tokenHash, INVITE_SESSIONS - 1);
}

export interface FanSessionRow
  extends Row<'fans', 'id' | 'external_id'>,
    Row<'conversations', 'creator_id'> {
  readonly session_id: string;
  readonly conversation_id: string;
  readonly stale: boolean;
}

const findStatement: Statement = {
  name: 'fan_sessions_find',
  text: `select s.id as session_id, s.last_used_at < now() - ${TOUCH_EVERY} as stale,
      f.id, f.external_id, c.id as conversation_id, c.creator_id
    from fan_sessions s join fans f on f.id = s.fan_id join conversations c on c.fan_id = f.id
    where s.token_hash = $1 and ${LIVE}`,
};

/** Returns the live session and the fan of a token; null if the token has no live session. */
export async function findFanSession(
  db: Database,
  tokenHash: Buffer,
): Promise<FanSessionRow | null> {
  const [row] = await db.run<FanSessionRow>(findStatement, [tokenHash]);
  return row ?? null;
}

const liveStatement: Statement = {
  name: 'fan_sessions_live',
  text: `select s.id from fan_sessions s where s.id = any($1::uuid[]) and ${LIVE}`,
};

export async function liveFanSessions(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.run<Row<'fan_sessions', 'id'>>(liveStatement, [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Records that a session was used now. */
export async function touchFanSession(db: Database, sessionId: string): Promise<void> {
  await db.run(
    {
      name: 'fan_sessions_touch',
      text: 'update fan_sessions set last_used_at = now() where id = $1',
    },
    [sessionId],
  );
}

export async function deleteFanSession(db: Database, sessionId: string): Promise<void> {
  await db.kysely.deleteFrom('fan_sessions').where('id', '=', sessionId).execute();
}

export async function deleteFanSessions(db: Database, fanId: string): Promise<void> {
  await db.kysely.transaction().execute(async (tx) => {
    await tx.deleteFrom('fan_links').where('fan_id', '=', fanId).execute();
    await tx.deleteFrom('fan_sessions').where('fan_id', '=', fanId).execute();
  });
}

/** How long ended sessions are reported. Longer than any transaction that ends a session. */
const ENDINGS_KEPT = "interval '30 seconds'";

/** Returns sessions that ended recently on any node, including those that an earlier call returned. */
export async function endedFanSessions(db: Database): Promise<readonly string[]> {
  const rows = await db.run<Row<'ended_fan_sessions', 'session_id'>>(
    {
      name: 'fan_sessions_ended',
      text: `select session_id from ended_fan_sessions where ended_at > now() - ${ENDINGS_KEPT}`,
    },
    [],
  );
  return rows.map(({ session_id }) => session_id);
}

/** Returns the housekeeping steps that delete expired links and sessions. */
export const fanSessionSweeps = (db: Database) =>
  [
    'delete from fan_links where expires_at < now()',
    `delete from fan_sessions where last_used_at <= now() - ${IDLE} or created_at <= now() - ${LIFE}`,
    `delete from ended_fan_sessions where ended_at < now() - 2 * ${ENDINGS_KEPT}`,
  ].map((text) => () => db.runPlanned(text, []));
