import { type Kysely, sql } from 'kysely';

/** Stores in the recipient's row, when it happens, that the fan read the mass message or answered it in time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create function note_campaign_read() returns trigger language plpgsql as $$
  begin
    update campaign_recipients r set was_read = true from conversations c
    where c.id = new.conversation_id and r.campaign_id = new.campaign_id and r.fan_id = c.fan_id and r.state = 'sent';
    return null;
  end $$`,
  `create trigger messages_campaign_read after update of read_at on messages for each row
    when (new.campaign_id is not null and old.read_at is null and new.read_at is not null)
    execute function note_campaign_read()`,

  // A fan's message locks the conversation, as the mass message did, so it sees the recipient's row.
  `create function note_campaign_reply() returns trigger language plpgsql as $$
  declare
    in_time timestamptz := new.fan_wrote_at - interval '24 hours';
  begin
    update campaign_recipients r set has_replied = true from campaigns c
    where r.campaign_id = c.id and r.fan_id = new.fan_id and r.state = 'sent' and r.sent_at >= in_time
      and (c.finished_at is null or c.finished_at >= in_time);
    return null;
  end $$`,
  `create trigger conversations_campaign_reply after update of last_message_at on conversations for each row
    when (new.fan_wrote_at is distinct from old.fan_wrote_at
      and new.mass_message_at >= new.fan_wrote_at - interval '24 hours')
    execute function note_campaign_reply()`,
];
