import { type Kysely, sql } from 'kysely';

/**
 * Finds the recipient of a read mass message by its key. With planner statistics from before the campaign, the join with
 * conversations read all recipients of the campaign for each message.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function note_campaign_read() returns trigger language plpgsql as $$
  begin
    update campaign_recipients set was_read = true
    where campaign_id = new.campaign_id and state = 'sent'
      and fan_id = (select fan_id from conversations where id = new.conversation_id);
    return null;
  end $$`.execute(db);
}
