import { sql } from 'kysely';
import pLimit from 'p-limit';
import { type AppError, searchTooBroad, segmentTooSlow } from '../errors.ts';
import { type Database, runIn, tookTooLong } from './database.ts';

/** Searches of one kind that a process runs at once, so that slow ones leave the database free for sends and reads. */
const AT_ONCE = 4;
/** Timeout of a search. Milliseconds. */
const TIME_LIMIT_MS = 3_000;

interface SearchOptions {
  /** The error of a search that takes too long. */
  readonly tooSlow?: () => AppError;
  /** PostgreSQL's settings for it. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Runs a search, whose duration depends on its text. Planned at each call.
 * @throws AppError 422 if it takes too long
 */
export type Search = <Row>(statement: {
  readonly text: string;
  readonly values: readonly unknown[];
}) => Promise<Row[]>;

/** Returns a function that runs one kind of search, within the limits. */
export function limitedSearch(
  db: Database,
  { tooSlow = searchTooBroad, settings = {} }: SearchOptions = {},
): Search {
  const limit = pLimit(AT_ONCE);
  const run = <Row>(text: string, values: readonly unknown[]) =>
    db.kysely.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(TIME_LIMIT_MS)}`.execute(tx);
      for (const [name, value] of Object.entries(settings))
        await sql`select set_config(${name}, ${value}, true)`.execute(tx);
      return runIn<Row>(tx, text, values);
    });
  return <Row>({ text, values }: { text: string; values: readonly unknown[] }) =>
    limit(async () => {
      try {
        return await run<Row>(text, values);
      } catch (error) {
        throw tookTooLong(error) ? tooSlow() : error;
      }
    });
}

/**
 * As {@link limitedSearch}, for rules of segments. They combine large tables, which takes a hash of each in memory: PostgreSQL would
 * otherwise compare every row with every other, or look up each fan by an index.
 */
export const limitedSegmentSearch = (db: Database): Search =>
  limitedSearch(db, {
    tooSlow: segmentTooSlow,
    settings: { work_mem: '64MB', random_page_cost: '4' },
  });
