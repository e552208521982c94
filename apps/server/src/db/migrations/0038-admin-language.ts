import { type Kysely, sql } from 'kysely';

/** The language of an admin's emails and push notifications: the one in which they used the console last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table admins add column language text').execute(db);
}
