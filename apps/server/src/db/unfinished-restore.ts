import { type Kysely, sql } from 'kysely';

/** A table without columns that exists while a database is being restored. */
export const UNFINISHED_RESTORE = 'restore_unfinished';

/** Checks whether a restore into this database was started but not finished. */
export async function isHalfRestored<T>(db: Kysely<T>): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${UNFINISHED_RESTORE}) is not null as there`.execute(db);
  return rows[0]?.there ?? false;
}
