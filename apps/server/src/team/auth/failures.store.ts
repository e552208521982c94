import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';

/** Wrong codes in a row after which an address must wait before each further try, and its admin gets a warning email. */
export const WARNED_AFTER = 10;
/** Wrong codes in a row after which no code is accepted until the count expires. */
const FAILURES_MAX = 100;
/** Seconds after the last wrong code until the count expires. */
const EXPIRES_AFTER = 30 * 86_400;
/** The maximum and the first wait before a further try. Seconds. */
const LONGEST_WAIT = 86_400;
const FIRST_WAIT = 60;

/** Returns how many seconds an address must wait: a minute after the tenth wrong code in a row, doubled after each further one. */
function waitAfter(failures: number): number {
  if (failures >= FAILURES_MAX) return EXPIRES_AFTER;
  if (failures < WARNED_AFTER) return 0;
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - WARNED_AFTER));
}

/** Serializes the code requests and tries of one address, so that none uses an outdated count. */
export async function lockAddress(tx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${email}, 1))`.execute(tx);
}

/** Returns the seconds that an address must still wait because of wrong codes, or 0. */
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

/** Counts a try as failed before the code is compared; a correct code clears the count. Returns the failures in a row. */
export async function countFailure(tx: Tx, email: string): Promise<number> {
  const isOld = sql<boolean>`sign_in_failures.last_at < clock_timestamp() - make_interval(secs => ${EXPIRES_AFTER})`;
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

/** Deletes expired counts. */
export async function purgeFailures(db: Database): Promise<void> {
  await db.runPlanned(
    `delete from sign_in_failures where last_at < now() - make_interval(secs => ${EXPIRES_AFTER})`,
    [],
  );
}
