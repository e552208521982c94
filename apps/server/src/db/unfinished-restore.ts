import { type Kysely, sql } from 'kysely';

/** A table without columns that is there while a database is being restored. */
export const UNFINISHED_RESTORE = 'restore_unfinished';

/** Whether a restore began to fill this database and did not come to its end. */
export async function isHalfRestored<T>(db: Kysely<T>): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${UNFINISHED_RESTORE}) is not null as there`.execute(db);
  return rows[0]?.there ?? false;
}
