import { sql } from 'kysely';
import pLimit from 'p-limit';
import { type AppError, searchTooBroad, segmentTooSlow } from '../errors.ts';
import { type Database, runIn, type Source, tookTooLong } from './database.ts';
import type { Tx } from './tables.ts';

/** Maximum number of parallel searches of one kind per process. Keeps slow ones from blocking sends and reads. */
const AT_ONCE = 4;
/** Timeout of a search. Milliseconds. */
const TIME_LIMIT_MS = 3_000;

interface SearchOptions {
  /** Creates the error for a search that takes too long. */
  readonly tooSlow?: () => AppError;
  /** PostgreSQL settings for the transaction of each search. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether the result may be a few seconds old, see {@link Database.readStale}. */
  readonly stale?: boolean;
}

/**
 * Runs a search. PostgreSQL plans it on every call, because the best plan depends on the text or rule.
 * @throws AppError 422 if it takes too long
 */
export type Search = <Row>(statement: {
  readonly text: string;
  readonly values: readonly unknown[];
}) => Promise<Row[]>;

/** Adds a value to a statement. @returns its placeholder */
export type AddValue = (value: unknown) => string;

/** Collects the values of a statement. @param values the first values */
export function collectValues(...values: unknown[]): { values: unknown[]; add: AddValue } {
  return { values, add: (value) => `$${values.push(value)}` };
}

/** Returns a function that runs one kind of search, within the limits. */
export function limitedSearch(
  db: Database,
  { tooSlow = searchTooBroad, settings = {}, stale = false }: SearchOptions = {},
): Search {
  const limit = pLimit(AT_ONCE);
  const runOn = <Row>({ kysely }: Source, text: string, values: readonly unknown[]) =>
    kysely.transaction().execute(async (tx) => {
      await setLocal(tx, { statement_timeout: `${TIME_LIMIT_MS}`, ...settings });
      return runIn<Row>(tx, text, values);
    });
  return <Row>({ text, values }: { text: string; values: readonly unknown[] }) =>
    limit(async () => {
      try {
        const run = (source: Source) => runOn<Row>(source, text, values);
        return await (stale ? db.readStale(run) : run(db));
      } catch (error) {
        throw tookTooLong(error) ? tooSlow() : error;
      }
    });
}

/** Changes PostgreSQL settings for the rest of the transaction. */
export async function setLocal(tx: Tx, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await sql`select set_config(${name}, ${value}, true)`.execute(tx);
}

/**
 * PostgreSQL settings for segment rules. Rules join large tables: with enough memory and PostgreSQL's default cost of random
 * reads, PostgreSQL uses hash joins instead of nested loops or an index lookup for each fan. It also overestimates how many fans
 * match, so at its default cost of passing rows between processes, it would not read the tables in parallel.
 */
export const SEGMENT_SETTINGS = {
  work_mem: '64MB',
  random_page_cost: '4',
  parallel_tuple_cost: '0.01',
};

/** Returns a {@link limitedSearch} for segment rules. */
export const limitedSegmentSearch = (
  db: Database,
  options: Pick<SearchOptions, 'stale'> = {},
): Search => limitedSearch(db, { ...options, tooSlow: segmentTooSlow, settings: SEGMENT_SETTINGS });
