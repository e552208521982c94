import { type Kysely, sql } from 'kysely';

/** Whether a fan read and answered a mass message. Stays when the message is purged or the fan is erased. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaign_recipients add column was_read boolean not null default false,
    add column has_replied boolean not null default false`.execute(db);
}
