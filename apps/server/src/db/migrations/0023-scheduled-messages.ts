import { type Kysely, sql } from 'kysely';

/** Scheduled messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table scheduled_messages (
    id uuid primary key default gen_random_uuid(),
    conversation_id uuid not null references conversations (id) on delete cascade,
    admin_id uuid not null references admins (id) on delete cascade,
    -- The id that the caller chose.
    client_id text not null,
    content text not null,
    -- The attachments as in a send, with what lists show of them.
    attachments jsonb not null default '[]',
    send_at timestamptz not null,
    -- When to try to send it; later than send_at after a temporary failure.
    due_at timestamptz not null,
    attempts integer not null default 0,
    -- Until then, no other process sends or changes it.
    taken_until timestamptz,
    is_follow_up boolean not null,
    -- The seq of the last message when it was scheduled. A follow-up is sent only if no newer message exists.
    after_seq integer not null,
    state text not null default 'waiting' check (state in ('waiting', 'sent', 'cancelled', 'failed')),
    reason text,
    message_id uuid,
    version integer not null default 1,
    created_at timestamptz not null default now(),
    settled_at timestamptz,
    constraint scheduled_messages_client_id_key unique (admin_id, client_id)
  )`,
  "create index scheduled_messages_due on scheduled_messages (due_at) where state = 'waiting'",
  'create index scheduled_messages_conversation on scheduled_messages (conversation_id, send_at)',
  `create index scheduled_messages_admin on scheduled_messages (admin_id, send_at)
    where state in ('waiting', 'failed')`,
  `create index scheduled_messages_open on scheduled_messages (send_at)
    where state in ('waiting', 'failed')`,
  `create index scheduled_messages_follow_ups on scheduled_messages (conversation_id)
    where state = 'waiting' and is_follow_up`,
  `create index scheduled_messages_settled on scheduled_messages (settled_at)
    where state in ('sent', 'cancelled')`,
];
