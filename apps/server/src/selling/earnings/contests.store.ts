import { toUsd } from '@stagedoor/contract/selling/cents';
import type { EarningContest } from '@stagedoor/contract/selling/earnings';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '../../db/database.ts';
import type { Tables, Tx } from '../../db/tables.ts';
import { cursorCodec, cursorInstant } from '../../http/cursor.ts';
import { appendLines, type Line } from './ledger.store.ts';
import { readLines } from './lines.store.ts';

interface Part {
  readonly admin_id: string;
  readonly codename: string;
  readonly cents: number;
}

/**
 * Selects contests, with each admin's current part of the contested line.
 * @param reader selects only contests that this admin made, and those of lines in which this admin has or had a part; null: all
 */
export const selectContests = (db: Kysely<Tables>, reader: string | null) =>
  db
    .selectFrom('earning_contests as c')
    .innerJoin('admins as a', 'a.id', 'c.admin_id')
    .innerJoin('earning_lines as l', 'l.id', 'c.line_id')
    .$if(reader !== null, (contests) =>
      contests.where(
        sql<boolean>`(${reader}::uuid in (c.admin_id, l.admin_id)
          or exists (select from earning_lines where adjusts = l.id and admin_id = ${reader}))`,
      ),
    )
    .select([
      'c.id',
      'c.line_id',
      'c.admin_id',
      'a.codename',
      'c.reason',
      'c.created_at',
      'c.state',
      'c.answer',
      'c.answered_by',
      'c.answered_at',
      sql<
        Part[]
      >`(select jsonb_agg(jsonb_build_object('admin_id', a.id, 'codename', a.codename, 'cents', p.cents) order by a.codename)
        from (select admin_id, sum(amount_cents) as cents from earning_lines where id = l.id or adjusts = l.id group by 1) p
        join admins a on a.id = p.admin_id)`.as('parts'),
    ]);

export type ContestRow = Awaited<ReturnType<ReturnType<typeof selectContests>['execute']>>[number];

export const contestCursors = cursorCodec({
  open: z.boolean(),
  at: cursorInstant(3),
  id: z.uuid(),
});
type ContestCursor = ReturnType<typeof contestCursors.decode>;

export const cursorOf = ({ state, created_at, id }: ContestRow): ContestCursor => ({
  open: state === 'open',
  at: created_at.toISOString(),
  id,
});

/** Returns a page of contests, open ones first, then newest first. @param adminId as for {@link selectContests} */
export function listContests(
  db: Database,
  adminId: string | null,
  after: ContestCursor | null,
  limit: number,
): Promise<ContestRow[]> {
  // Truncated to the cursor's precision.
  const at = sql`date_trunc('milliseconds', c.created_at)`;
  return selectContests(db.kysely, adminId)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(c.state = 'open', ${at}, c.id) < (${after?.open}, ${after?.at}, ${after?.id})`,
      ),
    )
    .orderBy(sql`c.state = 'open'`, 'desc')
    .orderBy(at, 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute();
}

/** @param reader the admin whose money may be shown; null: everyone's @returns the contests in the order of `rows` */
export async function presentContests(
  db: Database,
  rows: readonly ContestRow[],
  reader: string | null,
): Promise<EarningContest[]> {
  const lines = await readLines(
    db,
    `select * from earning_lines where id = any($1::uuid[]) and ($2::uuid is null or admin_id = $2)`,
    [rows.map(({ line_id }) => line_id), reader],
  );
  const byId = new Map(lines.map(({ line }) => [line.id, line]));
  return rows.map((row) => ({
    id: row.id,
    // A hidden line's id stays hidden: with the id, the line's rate could be tested against the neighboring lines' hashes.
    line_id: byId.has(row.line_id) ? row.line_id : null,
    admin_id: row.admin_id,
    admin_codename: row.codename,
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    state: row.state,
    answer: row.answer,
    answered_by: row.answered_by,
    answered_at: row.answered_at?.toISOString() ?? null,
    line: byId.get(row.line_id) ?? null,
    parts: row.parts
      .filter(({ admin_id }) => reader === null || admin_id === reader)
      .map(({ admin_id, codename, cents }) => ({
        admin_id,
        admin_codename: codename,
        amount: toUsd(cents),
      })),
  }));
}

/** Finds a contest's line and state. @param id a UUID @returns null if there is no such contest */
export async function findContest(tx: Tx, id: string) {
  const contest = await tx
    .selectFrom('earning_contests')
    .select(['line_id', 'state'])
    .where('id', '=', id)
    .executeTakeFirst();
  return contest ?? null;
}

/** Returns the lines that a sale was booked with. @param id a UUID */
export const findSaleLines = (tx: Tx, id: string): Promise<Line[]> =>
  tx
    .selectFrom('earning_lines')
    .selectAll()
    .where('purchase_id', '=', id)
    .where('source', '=', 'sale')
    .orderBy('seq')
    .execute();

/** Returns whether a sale is not booked yet. @param id a UUID */
export async function isSaleQueued(tx: Tx, id: string): Promise<boolean> {
  const queued = await tx
    .selectFrom('earning_queue')
    .select('id')
    .where('fact_id', '=', id)
    .where('source', '=', 'sale')
    .executeTakeFirst();
  return queued !== undefined;
}

/** Returns a line; for an adjustment of a line, returns the adjusted line. @param id a UUID */
export async function findOriginalLine(tx: Tx, id: string): Promise<Line | null> {
  const line = await tx
    .selectFrom('earning_lines')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (line?.adjusts == null) return line ?? null;
  return findOriginalLine(tx, line.adjusts);
}

/** Returns whether the sale that a line belongs to was refunded. */
export async function isRefunded(tx: Tx, { purchase_id }: Line): Promise<boolean> {
  if (purchase_id === null) return false;
  const { rows } =
    await sql`select from purchases where id = ${purchase_id} and refunded_at is not null`.execute(
      tx,
    );
  return rows.length > 0;
}

/** Returns each admin's current part of a line in cents, after all contests so far. */
async function partsOf(tx: Tx, line: Line): Promise<Map<string, number>> {
  const { rows } = await sql<{ admin_id: string; cents: number }>`
    select admin_id, sum(amount_cents)::bigint as cents from earning_lines
    where id = ${line.id} or adjusts = ${line.id} group by admin_id`.execute(tx);
  return new Map(rows.map(({ admin_id, cents }) => [admin_id, cents]));
}

/**
 * Appends the lines that give each admin their part of a contested line.
 * @param parts cents by admin, which add up to the line's amount
 */
export async function moveParts(
  tx: Tx,
  contest: { readonly id: string; readonly at: Date; readonly answer: string | null },
  line: Line,
  parts: ReadonlyMap<string, number>,
): Promise<Line[]> {
  const current = await partsOf(tx, line);
  const concerned = [...new Set([...current.keys(), ...parts.keys()])].toSorted();
  const changes = concerned
    .map((admin_id) => ({
      admin_id,
      cents: (parts.get(admin_id) ?? 0) - (current.get(admin_id) ?? 0),
    }))
    .filter(({ cents }) => cents !== 0);
  return appendLines(
    tx,
    changes.map(({ admin_id, cents }) => ({
      ...line,
      admin_id,
      at: contest.at,
      kind: 'adjustment',
      source: 'contest',
      fact_id: contest.id,
      amount_cents: cents,
      base_cents: 0,
      // The rule and the shift of the contested line may be a teammate's.
      rate_hundredths: null,
      rule_version: null,
      shift_id: null,
      adjusts: line.id,
      seconds: null,
      note: contest.answer,
    })),
  );
}

/** @returns the new contest's id; null if the line already has an open contest */
export async function insertContest(
  tx: Tx,
  contest: { readonly line_id: string; readonly admin_id: string; readonly reason: string },
): Promise<string | null> {
  const made = await tx
    .insertInto('earning_contests')
    .values(contest)
    .onConflict((on) => on.column('line_id').where('state', '=', 'open').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id ?? null;
}

export async function answerContest(
  tx: Tx,
  id: string,
  answer: {
    readonly state: 'accepted' | 'rejected';
    readonly answer: string | null;
    readonly answered_by: string;
  },
): Promise<void> {
  await tx
    .updateTable('earning_contests')
    .set({ ...answer, answered_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}
