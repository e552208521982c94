import { type Kysely, sql } from 'kysely';

/** Unread marks, snoozes and pins, and the number of conversations that need a reply. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A mark counts as one unread message: `unread_count` includes it.
  `alter table conversations
    add column marked_unread boolean not null default false,
    add column snoozed_until timestamptz`,

  // When timed snoozes end. Only `snoozed_until` says whether a conversation is still snoozed: if the fan ended the snooze early,
  // the row here stays until `wakes_at`.
  `create table snoozes (
    conversation_id uuid primary key references conversations (id) on delete cascade,
    wakes_at timestamptz not null
  )`,
  'create index snoozes_wakes_at on snoozes (wakes_at)',

  `create table pins (
    admin_id uuid not null references admins (id),
    conversation_id uuid not null references conversations (id) on delete cascade,
    pinned_at timestamptz not null default now(),
    primary key (admin_id, conversation_id)
  )`,
  'create index pins_conversation_id on pins (conversation_id)',

  // The counters leave out snoozed conversations, and include the number that need a reply.
  'alter table inbox_counters add column needs_reply integer not null default 0',
  `create function is_in_unread(c conversations) returns boolean language sql immutable as $$
    select c.unread_count > 0 and c.snoozed_until is null
  $$`,
  `create function needs_reply(c conversations) returns boolean language sql immutable as $$
    select c.waiting_since < 'infinity' and c.status = 'active' and c.snoozed_until is null
  $$`,
  `create function count_inbox(conversations_delta bigint, unread_delta bigint, archived_delta bigint, needs_reply_delta bigint)
    returns void language sql as $$
    update inbox_counters set
      conversations = conversations + conversations_delta,
      unread = unread + unread_delta,
      archived = archived + archived_delta,
      needs_reply = needs_reply + needs_reply_delta
    where shard = pg_backend_pid() % 16
  $$`,
  `create or replace function count_changed_conversation() returns trigger language plpgsql as $$
  begin
    perform count_inbox(
      0,
      is_in_unread(new)::int - is_in_unread(old)::int,
      (new.status = 'archived')::int - (old.status = 'archived')::int,
      needs_reply(new)::int - needs_reply(old)::int
    );
    return null;
  end $$`,
  `create or replace function count_new_conversations() returns trigger language plpgsql as $$
  begin
    perform count_inbox(
      count(*), count(*) filter (where unread_count > 0 and snoozed_until is null),
      count(*) filter (where status = 'archived'),
      count(*) filter (where waiting_since < 'infinity' and status = 'active' and snoozed_until is null)
    ) from rows;
    return null;
  end $$`,
  `create or replace function count_gone_conversations() returns trigger language plpgsql as $$
  begin
    perform count_inbox(
      -count(*), -count(*) filter (where unread_count > 0 and snoozed_until is null),
      -count(*) filter (where status = 'archived'),
      -count(*) filter (where waiting_since < 'infinity' and status = 'active' and snoozed_until is null)
    ) from rows;
    return null;
  end $$`,
  `create or replace trigger count_changed after update of unread_count, status, waiting_since, snoozed_until on conversations
    for each row when (
      (old.unread_count > 0) is distinct from (new.unread_count > 0)
      or old.status is distinct from new.status
      or (old.waiting_since < 'infinity') is distinct from (new.waiting_since < 'infinity')
      or (old.snoozed_until is null) is distinct from (new.snoozed_until is null)
    ) execute function count_changed_conversation()`,
  // Uses the index on waiting conversations, of which there are few.
  `update inbox_counters set needs_reply = (
    select count(*) from conversations where waiting_since < 'infinity' and status = 'active'
  ) where shard = 0`,
];
