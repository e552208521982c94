import { type Kysely, sql } from 'kysely';

/** Staff notes among the messages of a conversation, and their mentions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A separate table, so that no query that reads messages for a fan can return a note.
  `create table staff_notes (
    id uuid primary key default gen_random_uuid(),
    conversation_id uuid not null references conversations (id) on delete cascade,
    author_id uuid not null references admins (id),
    client_id text not null,
    payload_hash bytea not null,
    -- Mentions refer to teammates by their ids.
    content text not null,
    version integer not null default 1,
    created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
    edited_at timestamptz,
    constraint staff_notes_client_id_key unique (author_id, client_id)
  )`,
  'create index staff_notes_place on staff_notes (conversation_id, created_at desc, id desc)',

  // The admins whom a note names. Naming oneself is stored for display, but not listed as a mention.
  `create table staff_note_mentions (
    note_id uuid not null references staff_notes (id) on delete cascade,
    admin_id uuid not null references admins (id),
    -- When the note was written.
    at timestamptz not null,
    is_self boolean not null default false,
    read_at timestamptz,
    primary key (note_id, admin_id)
  )`,
  'create index staff_note_mentions_listed on staff_note_mentions (admin_id, at desc, note_id desc) where not is_self',
  'create index staff_note_mentions_unread on staff_note_mentions (admin_id) where read_at is null and not is_self',
];
