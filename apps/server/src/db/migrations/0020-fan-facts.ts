import { type Kysely, sql } from 'kysely';

/** How much was written in a conversation, so that nobody counts a long one twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Of the messages up to one of them. Made by who reads, of what is only ever added to: sends don't know of it, and what
  // came since is counted on top. Who deletes messages deletes this.
  `create table message_tallies (
    conversation_id uuid primary key references conversations (id) on delete cascade,
    up_to_seq integer not null,
    from_fan integer not null,
    from_creator integer not null,
    fan_wrote_at timestamptz,
    creator_wrote_at timestamptz
  )`,
];
