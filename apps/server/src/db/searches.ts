import { CompiledQuery, sql } from 'kysely';
import { searchTooBroad } from '../errors.ts';
import { inTurns } from '../jobs/in-turns.ts';
import { type Database, tookTooLong } from './database.ts';

/** Searches of one kind that a process has the database do at once: slow ones leave it to sends and reads. */
const AT_ONCE = 4;
/** A search that takes longer than this many milliseconds is given up. */
const TIME_LIMIT_MS = 3_000;

/**
 * Runs a search, whose text decides how long it takes. Planned at each call.
 * @throws AppError 422 `search_too_broad`
 */
export type Search = <Row>(statement: {
  readonly text: string;
  readonly values: readonly unknown[];
}) => Promise<Row[]>;

/** One kind of search, within its limits. */
export function limitedSearch(db: Database): Search {
  const turns = inTurns(AT_ONCE);
  const run = <Row>(text: string, values: readonly unknown[]) =>
    db.kysely.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(TIME_LIMIT_MS)}`.execute(tx);
      const { rows } = await tx.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
      return rows;
    });
  return <Row>({ text, values }: { text: string; values: readonly unknown[] }) =>
    turns(async () => {
      try {
        return await run<Row>(text, values);
      } catch (error) {
        throw tookTooLong(error) ? searchTooBroad() : error;
      }
    });
}
