import { type Kysely, sql } from 'kysely';

/** Whether somebody is notified of notes that name them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('alter table notification_settings add column mentions boolean not null default true')
    .execute(db);
}
