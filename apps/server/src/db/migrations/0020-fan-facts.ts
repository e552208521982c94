import { type Kysely, sql } from 'kysely';

/** Cached message counts, so that long conversations don't have to be recounted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Counts of the messages up to `up_to_seq`. Readers store them and count newer messages on top; sends don't need to write
  // here, because they only add messages. Code that deletes messages must delete this row.
  `create table message_tallies (
    conversation_id uuid primary key references conversations (id) on delete cascade,
    up_to_seq integer not null,
    from_fan integer not null,
    from_creator integer not null,
    fan_wrote_at timestamptz,
    creator_wrote_at timestamptz
  )`,
];
