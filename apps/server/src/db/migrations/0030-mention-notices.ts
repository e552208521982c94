import { type Kysely, sql } from 'kysely';

/** Whether an admin is notified of notes that mention them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('alter table notification_settings add column mentions boolean not null default true')
    .execute(db);
}
