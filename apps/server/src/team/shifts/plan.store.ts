import type { Shift, ShiftScope } from '@stagedoor/contract/team/shifts';
import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../../db/advisory-locks.ts';
import type { Database } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { LONGEST } from './on-shift.ts';

type ShiftRow = Row<'shifts', 'id' | 'admin_id' | 'starts_at' | 'ends_at' | 'note' | 'series_id'>;
const COLUMNS = ['id', 'admin_id', 'starts_at', 'ends_at', 'note', 'series_id'] as const;

const present = ({ id, admin_id, starts_at, ends_at, note, series_id }: ShiftRow): Shift => ({
  id,
  admin_id,
  starts_at: starts_at.toISOString(),
  ends_at: ends_at.toISOString(),
  note,
  series_id,
});

const earliestFirst = (rows: readonly ShiftRow[]): Shift[] =>
  rows.toSorted((a, b) => +a.starts_at - +b.starts_at).map(present);

/** Returns the shifts that overlap a period, earliest first. */
export async function findShifts(db: Database, from: Date, to: Date): Promise<Shift[]> {
  const rows = await db.kysely
    .selectFrom('shifts')
    .select(COLUMNS)
    .where('starts_at', '<', to)
    .where('starts_at', '>', sql<Date>`${from}::timestamptz - ${sql.raw(LONGEST)}`)
    .where('ends_at', '>', from)
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
  return rows.map(present);
}

/** Serializes changes to the plan until the transaction ends, so that concurrent changes can't create overlapping shifts. */
export async function lockPlan(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.shifts})`.execute(tx);
}

/** @param id a UUID */
export async function findShift(tx: Tx, id: string): Promise<Shift | null> {
  const row = await tx.selectFrom('shifts').select(COLUMNS).where('id', '=', id).executeTakeFirst();
  return row ? present(row) : null;
}

/** The values that the shifts of one pattern share, or those of a single shift. */
interface NewShifts {
  readonly adminId: string;
  readonly note: string;
  readonly seriesId: string | null;
  /** The times of the first shift. All shifts have the same length in the zone's local time. */
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly timeZone: string;
}

/** Inserts shifts. @param starts when each shift starts @returns the shifts, earliest first */
export async function insertShifts(
  tx: Tx,
  { adminId, note, seriesId, startsAt, endsAt, timeZone }: NewShifts,
  starts: readonly Date[],
): Promise<Shift[]> {
  const length = sql`((${endsAt}::timestamptz at time zone ${timeZone}) - (${startsAt}::timestamptz at time zone ${timeZone}))`;
  const { rows } = await sql<ShiftRow>`
    insert into shifts (admin_id, note, series_id, starts_at, ends_at)
    select ${adminId}, ${note}, ${seriesId}, at, case when at = ${startsAt} then ${endsAt}
      else ${lasting(sql`at`, sql`((at at time zone ${timeZone}) + ${length}) at time zone ${timeZone}`)} end
    from unnest(${starts}::timestamptz[]) as at
    returning ${sql.raw(COLUMNS.join(', '))}`.execute(tx);
  return earliestFirst(rows);
}

/** Returns SQL for a shift's end: at least 15 minutes after its start, even if a clock change skips the shift's hours. */
const lasting = (start: ReturnType<typeof sql>, end: ReturnType<typeof sql>) =>
  sql`greatest(${end}, ${start} + interval '15 minutes')`;

/** The new values of a shift. The other shifts in scope move by the same amount in the zone's local time. */
interface ShiftChange {
  readonly adminId: string;
  readonly note: string | undefined;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly timeZone: string;
}

/** Changes a shift and the shifts of its series that are in scope. @returns all changed shifts, earliest first */
export async function changeShifts(
  tx: Tx,
  before: Shift,
  scope: ShiftScope,
  { adminId, note, startsAt, endsAt, timeZone }: ShiftChange,
): Promise<Shift[]> {
  const moved = (column: 'starts_at' | 'ends_at', to: Date) => {
    const from = new Date(before[column]);
    // When clocks go back, a local time occurs twice, and converting it back yields only one of the two instants.
    if (+from === +to) return sql`${sql.ref(column)}`;
    return sql`((${sql.ref(column)} at time zone ${timeZone})
      + ((${to}::timestamptz at time zone ${timeZone}) - (${from}::timestamptz at time zone ${timeZone})))
      at time zone ${timeZone}`;
  };
  const { rows } = await sql<ShiftRow>`
    update shifts set admin_id = ${adminId}, note = coalesce(${note ?? null}, note),
      starts_at = case when id = ${before.id} then ${startsAt} else ${moved('starts_at', startsAt)} end,
      ends_at = case when id = ${before.id} then ${endsAt}
        else ${lasting(moved('starts_at', startsAt), moved('ends_at', endsAt))} end
    where ${inScope(before, scope)} returning ${sql.raw(COLUMNS.join(', '))}`.execute(tx);
  return earliestFirst(rows);
}

/** Returns a shift and the shifts of its series that are in scope, earliest first. */
export async function findInScope(tx: Tx, shift: Shift, scope: ShiftScope): Promise<Shift[]> {
  const query = tx.selectFrom('shifts').select(COLUMNS).where(inScope(shift, scope));
  return earliestFirst(await query.execute());
}

/** Deletes a shift and the shifts of its series that are in scope. @returns the deleted shifts, earliest first */
export async function deleteShifts(tx: Tx, shift: Shift, scope: ShiftScope): Promise<Shift[]> {
  const { rows } = await sql<ShiftRow>`
    delete from shifts where ${inScope(shift, scope)} returning ${sql.raw(COLUMNS.join(', '))}`.execute(
    tx,
  );
  return earliestFirst(rows);
}

/** Returns the condition for the shifts in scope. A shift given to another admin is no longer part of its series. */
function inScope({ id, admin_id, series_id, starts_at }: Shift, scope: ShiftScope) {
  if (series_id === null || scope === 'this') return sql<boolean>`id = ${id}`;
  return scope === 'all'
    ? sql<boolean>`series_id = ${series_id} and admin_id = ${admin_id}`
    : sql<boolean>`series_id = ${series_id} and admin_id = ${admin_id} and starts_at >= ${new Date(starts_at)}`;
}

/** Returns a shift that overlaps one of the given shifts of the same admin, or null. */
export async function findOverlap(tx: Tx, ids: readonly string[]): Promise<Shift | null> {
  const { rows } = await sql<ShiftRow>`
    select ${sql.raw(COLUMNS.map((column) => `other.${column}`).join(', '))}
    from shifts one join shifts other on other.admin_id = one.admin_id and other.id <> one.id
      and other.starts_at < one.ends_at and other.starts_at > one.starts_at - ${sql.raw(LONGEST)}
      and other.ends_at > one.starts_at
    where one.id = any(${ids}::uuid[]) order by other.starts_at limit 1`.execute(tx);
  return rows[0] ? present(rows[0]) : null;
}
