import { sql } from 'kysely';
import pLimit from 'p-limit';
import { searchTooBroad } from '../errors.ts';
import { type Database, runIn, tookTooLong } from './database.ts';

/** Searches of one kind that a process runs at once, so that slow ones leave the database free for sends and reads. */
const AT_ONCE = 4;
/** Timeout of a search. Milliseconds. */
const TIME_LIMIT_MS = 3_000;

/**
 * Runs a search, whose duration depends on its text. Planned at each call.
 * @throws AppError 422 `search_too_broad`
 */
export type Search = <Row>(statement: {
  readonly text: string;
  readonly values: readonly unknown[];
}) => Promise<Row[]>;

/** Returns a function that runs one kind of search, within the limits. */
export function limitedSearch(db: Database): Search {
  const limit = pLimit(AT_ONCE);
  const run = <Row>(text: string, values: readonly unknown[]) =>
    db.kysely.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(TIME_LIMIT_MS)}`.execute(tx);
      return runIn<Row>(tx, text, values);
    });
  return <Row>({ text, values }: { text: string; values: readonly unknown[] }) =>
    limit(async () => {
      try {
        return await run<Row>(text, values);
      } catch (error) {
        throw tookTooLong(error) ? searchTooBroad() : error;
      }
    });
}
