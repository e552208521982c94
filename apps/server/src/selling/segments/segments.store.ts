import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import type {
  Segment,
  SegmentExplanation,
  SegmentPreview,
} from '@stagedoor/contract/selling/segments';
import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../../db/advisory-locks.ts';
import type { Database } from '../../db/database.ts';
import { type AddValue, collectValues, type Search } from '../../db/searches.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { compileRule, DISPLAY_NAME } from './compile-rule.ts';

const COLUMNS = ['id', 'name', 'rule', 'created_by', 'updated_at'] as const;

const present = (row: Row<'segments', (typeof COLUMNS)[number]>): Segment => ({
  ...row,
  updated_at: row.updated_at.toISOString(),
});

/** Returns the segments, sorted by name. */
export async function listSegments(db: Database): Promise<Segment[]> {
  const rows = await db.kysely
    .selectFrom('segments')
    .select(COLUMNS)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .execute();
  return rows.map(present);
}

/** @param id a UUID */
export async function findSegment(db: Database['kysely'], id: string): Promise<Segment | null> {
  const row = await db
    .selectFrom('segments')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? present(row) : null;
}

/** Counts the segments under a lock that is held until the transaction ends, so that admins add segments one at a time. */
export async function countSegments(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.segments})`.execute(tx);
  const { count } = await tx
    .selectFrom('segments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertSegment(
  tx: Tx,
  { rule, ...details }: { name: string; rule: SegmentRule; created_by: string },
): Promise<Segment> {
  const row = await tx
    .insertInto('segments')
    .values({ ...details, rule: JSON.stringify(rule) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return present(row);
}

/** Changes the given fields of a segment. @param id a UUID @returns null if there is no such segment */
export async function updateSegment(
  tx: Tx,
  id: string,
  { name, rule }: { name?: string | undefined; rule?: SegmentRule | undefined },
): Promise<Segment | null> {
  const row = await tx
    .updateTable('segments')
    .set({
      updated_at: sql`now()`,
      ...(name !== undefined && { name }),
      ...(rule !== undefined && { rule: JSON.stringify(rule) }),
    })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ? present(row) : null;
}

/** @param id a UUID @returns the deleted segment's name; null if there is no such segment */
export async function deleteSegment(tx: Tx, id: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('segments')
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

/**
 * The number of newest conversations to search first. If they contain enough matching fans, the other conversations only need to
 * be counted.
 */
const READ_FIRST = 2_000;

const NEWEST = 'last_message_at desc, id desc';

/** Counts the fans that match a rule, and lists those with the newest messages. */
export async function previewRule(
  search: Search,
  rule: SegmentRule,
  limit: number,
): Promise<SegmentPreview> {
  const newest = `(select * from conversations order by ${NEWEST} limit ${READ_FIRST})`;
  const first = await listMatching(search, rule, newest, limit);
  // Counting is faster than listing, which matters with many matches.
  if (first.fans.length === limit)
    return { total: await countMatching(search, rule), fans: first.fans };
  return listMatching(search, rule, 'conversations', limit);
}

const matching = (conversations: string, rule: SegmentRule, add: AddValue) => {
  const { joins, matches } = compileRule(rule, add);
  return `select c.id, c.fan_id, c.last_message_at from ${conversations} c ${joins} where ${matches}`;
};

async function countMatching(search: Search, rule: SegmentRule): Promise<number> {
  const { values, add } = collectValues();
  const text = `select count(*)::int as total from (${matching('conversations', rule, add)}) matching`;
  const [row] = await search<{ total: number }>({ text, values });
  return row?.total ?? 0;
}

/** Counts the matching conversations and finds the newest in a single pass. */
async function listMatching(
  search: Search,
  rule: SegmentRule,
  conversations: string,
  limit: number,
): Promise<SegmentPreview> {
  const { values, add } = collectValues();
  const text = `
    select m.total, m.fan_id, m.id as conversation_id, ${DISPLAY_NAME} as display_name
    from (
      select *, count(*) over ()::int as total from (${matching(conversations, rule, add)}) matching
      order by ${NEWEST} limit ${add(limit)}
    ) m
    join fans f on f.id = m.fan_id order by m.last_message_at desc, m.id desc`;
  const rows = await search<{ total: number } & SegmentPreview['fans'][number]>({ text, values });
  const fans = rows.map(({ fan_id, conversation_id, display_name }) => ({
    fan_id,
    conversation_id,
    display_name,
  }));
  return { total: rows[0]?.total ?? 0, fans };
}

/** Evaluates a rule and its conditions for a conversation. @param id a UUID @returns null if there is no such conversation */
export async function explainRule(
  db: Database,
  rule: SegmentRule,
  id: string,
): Promise<SegmentExplanation | null> {
  const { values, add } = collectValues();
  const { joins, matches, conditions } = compileRule(rule, add);
  const each = conditions.map(
    (condition) => `jsonb_build_object('path', '${condition.path}',
      'matches', coalesce(${condition.matches}, false), 'actual', ${condition.actual()})`,
  );
  const text = `select coalesce(${matches}, false) as matches, jsonb_build_array(${each.join(', ')}) as conditions
    from conversations c ${joins} where c.id = ${add(id)}`;
  const [row] = await db.runPlanned<SegmentExplanation>(text, values);
  return row ?? null;
}
