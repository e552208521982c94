import { sql, type Transaction } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';

type Tx = Transaction<Tables>;

/** Wrong codes in a row after which an address has to wait before each further one, and its admin gets an email. */
export const WARNED_AFTER = 10;
/** Wrong codes in a row after which no further one is compared until they are forgotten. */
const FAILURES_MAX = 100;
/** Seconds after the last wrong code. */
const FORGOTTEN_AFTER = 30 * 86_400;
const LONGEST_WAIT = 86_400;
const FIRST_WAIT = 60;

/** Seconds that an address waits after so many wrong codes in a row: a minute after the tenth, then twice as long each time. */
function waitAfter(failures: number): number {
  if (failures >= FAILURES_MAX) return FORGOTTEN_AFTER;
  if (failures < WARNED_AFTER) return 0;
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - WARNED_AFTER));
}

/** Has requests for codes and tries of one address wait for each other, so that none is decided by an old count. */
export async function lockAddress(tx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${email}, 1))`.execute(tx);
}

/** Returns the seconds that an address still has to wait because of wrong codes; 0 for none. */
export async function findWait(tx: Tx, email: string): Promise<number> {
  const row = await tx
    .selectFrom('sign_in_failures')
    .select([
      'failures',
      sql<number>`extract(epoch from clock_timestamp() - last_at)::float8`.as('age'),
    ])
    .where('email', '=', email)
    .executeTakeFirst();
  return row === undefined ? 0 : Math.max(0, Math.ceil(waitAfter(row.failures) - row.age));
}

/** Counts a try as failed before it is compared; a right code clears the count. Returns the failures in a row. */
export async function countFailure(tx: Tx, email: string): Promise<number> {
  const isOld = sql<boolean>`sign_in_failures.last_at < clock_timestamp() - make_interval(secs => ${FORGOTTEN_AFTER})`;
  const { failures } = await tx
    .insertInto('sign_in_failures')
    .values({ email, failures: 1, last_at: sql`clock_timestamp()` })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet({
        failures: sql`case when ${isOld} then 1 else sign_in_failures.failures + 1 end`,
        last_at: sql`clock_timestamp()`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return failures;
}

/** Removes counts that are old enough to start anew. */
export async function purgeFailures(db: Database): Promise<void> {
  await db.runPlanned(
    `delete from sign_in_failures where last_at < now() - make_interval(secs => ${FORGOTTEN_AFTER})`,
    [],
  );
}
