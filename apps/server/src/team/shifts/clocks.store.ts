import type { Clock, ShiftExtension } from '@stagedoor/contract/team/shifts';
import { EXTENSION_AGAIN_MINUTES, EXTENSION_OPEN_MINUTES } from '@stagedoor/contract/team/shifts';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { queueEvent } from '../../db/outbox-events.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { EXTENSION, IS_LIMITED, LONGEST, MARGIN, SPAN } from './on-shift.ts';

type ClockRow = Row<'clocks', 'id' | 'admin_id' | 'started_at' | 'ended_at' | 'stopped_by'>;
const CLOCK = 'id, admin_id, started_at, ended_at, stopped_by';

const presentClock = (row: ClockRow): Clock => ({
  ...row,
  started_at: row.started_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
});

/** Returns the clocks that ran in a period. @param adminId returns only this admin's clocks; null for everyone's */
export async function findClocks(
  db: Database,
  { from, to, adminId }: { from: Date; to: Date; adminId: string | null },
): Promise<Clock[]> {
  const rows = await db.runPlanned<ClockRow>(
    `select ${CLOCK} from clocks c where ${SPAN} && tstzrange($1, $2) and coalesce(ended_at, now()) > $1
      and ($3::uuid is null or admin_id = $3) order by started_at, id`,
    [from, to, adminId],
  );
  return rows.map(presentClock);
}

/** Returns an admin's running clock, or else the newest one that ended in the last day, or null. */
export async function findClock(db: Database, adminId: string): Promise<Clock | null> {
  const [row] = await db.run<ClockRow>(
    {
      name: 'shifts_clock',
      text: `select ${CLOCK} from clocks where admin_id = $1
        and (ended_at is null or ended_at > now() - interval '1 day') order by ended_at is null desc, started_at desc limit 1`,
    },
    [adminId],
  );
  return row === undefined ? null : presentClock(row);
}

/** @throws a violation of `clocks_open` if the admin's clock is running */
export async function startClock(tx: Tx, adminId: string): Promise<Clock> {
  const { rows } = await sql<ClockRow>`
    insert into clocks (admin_id) values (${adminId}) returning ${sql.raw(CLOCK)}`.execute(tx);
  if (rows[0] === undefined) throw new Error('no row returned');
  return presentClock(rows[0]);
}

/** SQL: how long a clock keeps running without an act. Includes a margin for acts that nodes have not written yet. */
const PATIENCE = `(interval '15 seconds' + make_interval(mins => (select clock_idle_minutes from team_settings)))`;
/** SQL condition: the clock is running, and its last act is too long ago. */
const IS_IDLE = `ended_at is null and last_act_at < now() - ${PATIENCE}`;

/** Stops an admin's clock: now, or at its last act if it is idle. @returns null if none was running */
export async function stopClock(
  tx: Tx,
  adminId: string,
  stoppedBy: 'admin' | 'removed',
): Promise<Clock | null> {
  const { rows } = await sql<ClockRow>`
    update clocks set stopped_by = case when ${sql.raw(IS_IDLE)} then 'idle' else ${stoppedBy} end,
      ended_at = greatest(started_at,
        case when ${sql.raw(IS_IDLE)} then last_act_at else date_trunc('milliseconds', clock_timestamp()) end)
    where admin_id = ${adminId} and ended_at is null returning ${sql.raw(CLOCK)}`.execute(tx);
  return rows[0] === undefined ? null : presentClock(rows[0]);
}

export async function hasIdleClocks(db: Database): Promise<boolean> {
  const found = await db.run(
    { name: 'shifts_idle', text: `select 1 from clocks where ${IS_IDLE} limit 1` },
    [],
  );
  return found.length > 0;
}

/** Stops idle clocks as of their last act. @returns the ids of their admins */
export async function stopIdleClocks(tx: Tx): Promise<string[]> {
  const { rows } = await sql<Row<'clocks', 'admin_id'>>`
    with idle as (select id from clocks where ${sql.raw(IS_IDLE)} order by id for no key update)
    update clocks set ended_at = greatest(started_at, last_act_at), stopped_by = 'idle'
    where id in (select id from idle) and ${sql.raw(IS_IDLE)} returning admin_id`.execute(tx);
  return rows.map(({ admin_id }) => admin_id);
}

/**
 * Records the newest acts of admins with a running clock. Ignores acts after the clock became idle, for example after server
 * downtime. Locks the clocks in id order, like every change of several clocks.
 * @param secondsAgo the seconds since each admin's last act, by admin id
 */
export async function recordActs(
  db: Database,
  secondsAgo: ReadonlyMap<string, number>,
): Promise<void> {
  await db.run(
    {
      name: 'shifts_acts',
      text: `with acts as materialized (
          select admin_id, date_trunc('milliseconds', clock_timestamp() - make_interval(secs => ago)) as at
          from unnest($1::uuid[], $2::float8[]) as act (admin_id, ago)
        ), running as materialized (
          select id from clocks where admin_id = any($1::uuid[]) and ended_at is null order by id for no key update
        )
        update clocks c set last_act_at = greatest(c.last_act_at, acts.at)
        from acts, running where c.id = running.id and c.admin_id = acts.admin_id and c.ended_at is null
          and acts.at <= c.last_act_at + ${PATIENCE}`,
    },
    [[...secondsAgo.keys()], [...secondsAgo.values()]],
  );
}

/** Ends a removed admin's clock, deletes their future shifts and their open request for more time, and queues the event. */
export async function endShiftsOf(tx: Tx, adminId: string): Promise<void> {
  await stopClock(tx, adminId, 'removed');
  await sql`delete from shifts where admin_id = ${adminId} and starts_at > now()`.execute(tx);
  await sql`delete from shift_extensions where admin_id = ${adminId} and until is null`.execute(tx);
  await queueEvent(tx, 'shared_updated', { what: 'shifts', admin_id: null });
}

interface AccessRow {
  readonly is_limited: boolean;
  readonly until: Date | null;
}

/** Returns whether an admin can act only on a shift, and until when they can act; adjacent shifts count as one. */
export async function findAccess(db: Database, adminId: string): Promise<AccessRow> {
  const [row] = await db.run<AccessRow>(
    {
      name: 'shifts_access',
      text: `with recursive spans as (
          select starts_at - ${MARGIN} as start, ends_at + ${MARGIN} as stop from shifts
          where admin_id = $1 and starts_at > now() - ${LONGEST} and starts_at < now() + interval '2 days'
          union all
          select now(), until from shift_extensions where admin_id = $1 and until > now()
        ), reached as (
          select max(stop) as until from spans where start <= now() and stop > now()
          union
          select (select max(stop) from spans where start <= reached.until) from reached where reached.until is not null
        )
        select ${IS_LIMITED} as is_limited, (select max(until) from reached) as until from admins a where a.id = $1`,
    },
    [adminId],
  );
  if (row === undefined) throw new Error('no row returned');
  return row;
}

interface ExtensionRow extends Row<'shift_extensions', 'id' | 'asked_at' | 'until'> {
  readonly admin_id: string;
  readonly codename: string;
  readonly display_color: string;
}

const EXTENSION_COLUMNS =
  'e.id, e.asked_at, e.until, a.id as admin_id, a.codename, a.display_color';
const IS_OPEN = `e.until is null and e.asked_at > now() - interval '${EXTENSION_OPEN_MINUTES} minutes'`;

const presentExtension = (row: ExtensionRow): ShiftExtension => ({
  id: row.id,
  admin: { id: row.admin_id, codename: row.codename, display_color: row.display_color },
  asked_at: row.asked_at.toISOString(),
  until: row.until?.toISOString() ?? null,
});

async function findExtensions(
  db: Database,
  name: string,
  where: string,
  values: readonly unknown[],
): Promise<ShiftExtension[]> {
  const text = `select ${EXTENSION_COLUMNS} from shift_extensions e join admins a on a.id = e.admin_id where ${where}`;
  return (await db.run<ExtensionRow>({ name, text }, values)).map(presentExtension);
}

/** Returns the requests that can still be granted, oldest first. */
export const findRequests = (db: Database): Promise<ShiftExtension[]> =>
  findExtensions(db, 'shifts_requests', `${IS_OPEN} order by e.asked_at, e.id`, []);

/** Returns an admin's open request if it is too new to be renewed; otherwise null. */
export async function findRecentRequest(
  db: Database,
  adminId: string,
): Promise<ShiftExtension | null> {
  const recent = `e.admin_id = $1 and e.until is null and e.asked_at > now() - interval '${EXTENSION_AGAIN_MINUTES} minutes'`;
  const [request] = await findExtensions(db, 'shifts_recent_request', recent, [adminId]);
  return request ?? null;
}

/** Stores a request for more time, or renews the open one. */
export async function insertRequest(tx: Tx, adminId: string): Promise<ShiftExtension> {
  const { rows } = await sql<ExtensionRow>`
    with e as (
      insert into shift_extensions (admin_id, asked_at) values (${adminId}, date_trunc('milliseconds', clock_timestamp()))
      on conflict (admin_id) where until is null do update set asked_at = excluded.asked_at returning *
    )
    select ${sql.raw(EXTENSION_COLUMNS)} from e join admins a on a.id = e.admin_id`.execute(tx);
  if (rows[0] === undefined) throw new Error('no row returned');
  return presentExtension(rows[0]);
}

/**
 * Grants a request: extends the admin's time.
 * @param until the current end of their time; null if it has passed
 * @returns null if the request was already granted or can no longer be granted
 */
export async function grantRequest(
  tx: Tx,
  id: string,
  managerId: string,
  until: Date | null,
): Promise<ShiftExtension | null> {
  const { rows } = await sql<ExtensionRow>`
    with e as (
      update shift_extensions e set granted_by = ${managerId},
        until = date_trunc('milliseconds', greatest(now(), ${until}::timestamptz) + ${sql.raw(EXTENSION)})
      where e.id = ${id} and ${sql.raw(IS_OPEN)} returning *
    )
    select ${sql.raw(EXTENSION_COLUMNS)} from e join admins a on a.id = e.admin_id`.execute(tx);
  return rows[0] === undefined ? null : presentExtension(rows[0]);
}

/** @param id a UUID */
export async function findRequest(db: Database, id: string): Promise<ShiftExtension | null> {
  const [request] = await findExtensions(db, 'shifts_request', 'e.id = $1', [id]);
  return request ?? null;
}

/** Returns all active admins and those with the given ids, sorted by codename. */
export async function findStaff(db: Database, ids: readonly string[]) {
  return db.runPlanned<Row<'admins', 'id' | 'codename' | 'display_color'>>(
    'select id, codename, display_color from admins where is_active or id = any($1::uuid[]) order by codename, id',
    [ids],
  );
}
