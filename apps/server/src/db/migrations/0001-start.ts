import { type Kysely, sql } from 'kysely';

/** Sign-in, the inbox, conversations with text, reactions, tags, and the outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Ships with PostgreSQL, and the database's owner may create it.
  'create extension if not exists pg_trgm',

  `create table creators (
    id uuid primary key default gen_random_uuid(),
    display_name text not null,
    singleton boolean not null default true unique check (singleton),
    created_at timestamptz not null default now()
  )`,

  `create table admins (
    id uuid primary key default gen_random_uuid(),
    email text not null,
    codename text not null,
    role text not null check (role in ('support', 'moderator', 'manager', 'creator')),
    display_color text not null,
    can_manage_messages boolean not null default true,
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    constraint admins_email_key unique (email),
    constraint admins_codename_key unique (codename)
  )`,

  // Tokens and cookies are stored only as SHA-256, so a dump of the database gives no access.
  `create table sessions (
    id uuid primary key default gen_random_uuid(),
    admin_id uuid not null references admins (id) on delete cascade,
    token_hash bytea not null,
    cookie_hash bytea not null,
    user_agent text,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    constraint sessions_token_hash_key unique (token_hash),
    constraint sessions_cookie_hash_key unique (cookie_hash)
  )`,
  'create index sessions_admin_id on sessions (admin_id, last_used_at desc)',

  `create table login_codes (
    id uuid primary key default gen_random_uuid(),
    email text not null,
    code_hash bytea not null,
    tries smallint not null default 0,
    consumed_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  'create index login_codes_email on login_codes (email, created_at desc)',
  'create index login_codes_created_at on login_codes (created_at)',

  `create table fans (
    id uuid primary key default gen_random_uuid(),
    external_id text not null,
    first_name text,
    last_name text,
    username text,
    email text,
    avatar_url text,
    timezone text,
    created_at timestamptz not null default now(),
    search_text text not null generated always as (
      lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(username, '') || ' ' || coalesce(email, ''))
    ) stored,
    constraint fans_external_id_key unique (external_id)
  )`,

  `create table global_tags (
    id uuid primary key default gen_random_uuid(),
    label text not null,
    color text not null,
    created_at timestamptz not null default now()
  )`,

  // A library tag's label is stored only in the library, so that renaming the tag there renames it for every fan.
  `create table fan_tags (
    id uuid primary key default gen_random_uuid(),
    fan_id uuid not null references fans (id) on delete cascade,
    position integer not null,
    label text,
    color text,
    global_tag_id uuid references global_tags (id) on delete cascade,
    check ((global_tag_id is null) = (label is not null)),
    constraint fan_tags_global_key unique (fan_id, global_tag_id)
  )`,
  'create index fan_tags_fan_id on fan_tags (fan_id, position)',
  'create index fan_tags_global_tag_id on fan_tags (global_tag_id) where global_tag_id is not null',

  // 'epoch' and 'infinity' mean 'never', so that keyset comparisons need no special case for nulls.
  `create table conversations (
    id uuid primary key default gen_random_uuid(),
    fan_id uuid not null references fans (id) on delete cascade,
    creator_id uuid not null references creators (id),
    status text not null default 'active' check (status in ('active', 'archived', 'flagged')),
    claimed_by uuid references admins (id),
    unread_count integer not null default 0 check (unread_count >= 0),
    last_seq integer not null default 0,
    version integer not null default 1,
    first_message_at timestamptz,
    last_message_at timestamptz not null default 'epoch',
    last_message_content text,
    -- Searches start at two characters. An index for them would cost each message more than a scan costs a search.
    last_message_search text generated always as (lower(last_message_content)) stored,
    waiting_since timestamptz not null default 'infinity',
    created_at timestamptz not null default now(),
    constraint conversations_fan_id_key unique (fan_id)
  )`,
  // One index for each sort order of a list. The first starts with the unread conversations; the 'mine' index starts with the
  // claimant.
  'create index conversations_unread_first on conversations ((unread_count > 0) desc, last_message_at desc, id desc)',
  'create index conversations_newest on conversations (last_message_at desc, id desc)',
  'create index conversations_waiting on conversations (waiting_since, last_message_at desc, id desc)',
  'create index conversations_unread_waiting on conversations (waiting_since, last_message_at desc, id desc) where unread_count > 0',
  `create index conversations_archived_unread_first on conversations ((unread_count > 0) desc, last_message_at desc, id desc) where status = 'archived'`,
  `create index conversations_archived_newest on conversations (last_message_at desc, id desc) where status = 'archived'`,
  `create index conversations_archived_waiting on conversations (waiting_since, last_message_at desc, id desc) where status = 'archived'`,
  'create index conversations_mine on conversations (claimed_by, (unread_count > 0) desc, last_message_at desc, id desc) where claimed_by is not null',
  'create index conversations_first_message_at on conversations (first_message_at)',

  `create table messages (
    id uuid primary key,
    conversation_id uuid not null references conversations (id) on delete cascade,
    seq integer not null,
    from_fan boolean not null,
    author_id uuid not null,
    client_message_id text not null,
    payload_hash bytea not null,
    content text not null,
    reply_to_message_id uuid references messages (id) on delete set null,
    created_at timestamptz not null,
    read_at timestamptz,
    constraint messages_seq_key unique (conversation_id, seq),
    constraint messages_client_message_id_key unique (author_id, client_message_id)
  )`,
  // Marking as read touches only unread messages.
  'create index messages_unread on messages (conversation_id, from_fan, seq) where read_at is null',
  'create index messages_reply_to on messages (reply_to_message_id) where reply_to_message_id is not null',
  'create index messages_created_at on messages (created_at)',

  `create table reactions (
    id uuid primary key default gen_random_uuid(),
    message_id uuid not null references messages (id) on delete cascade,
    user_id uuid not null,
    emoji text not null,
    created_at timestamptz not null default now(),
    constraint reactions_user_key unique (message_id, user_id)
  )`,

  `create table outbox (
    id bigint primary key generated always as identity,
    event text not null,
    payload jsonb not null,
    created_at timestamptz not null default now()
  )`,

  // Trigrams find search terms of three or more characters; letter pairs find terms of two. The pairs start at odd positions, then
  // at even positions. Regular expressions do this in a fiftieth of the time that arrays of letters take.
  `create function letter_pairs(value text) returns text[] language sql immutable parallel safe strict cost 1000
    return string_to_array(
      regexp_replace(lower(value), '(..)', '\\1' || chr(1), 'g') || chr(1)
        || regexp_replace(substr(lower(value), 2), '(..)', '\\1' || chr(1), 'g'),
      chr(1)
    )`,
  'create index fans_search_text on fans using gin (search_text gin_trgm_ops)',
  'create index fans_letter_pairs on fans using gin (letter_pairs(search_text))',
  // Each search reads the index's pending list, and the insert that fills the list has to merge it, so the list is kept short.
  'create index messages_content on messages using gin (content gin_trgm_ops) with (gin_pending_list_limit = 512)',

  // Counters in 16 rows, so that sends to different conversations seldom wait for each other. A transaction changes only the row
  // that belongs to its backend, so transactions can't deadlock. A single row may be negative; the sum of all rows is correct.
  `create table inbox_counters (
    shard smallint primary key,
    conversations integer not null default 0,
    unread integer not null default 0,
    archived integer not null default 0
  )`,
  'insert into inbox_counters (shard) select generate_series(0, 15)',
  `create function count_conversations(conversations_delta bigint, unread_delta bigint, archived_delta bigint) returns void language sql as $$
    update inbox_counters set
      conversations = conversations + conversations_delta,
      unread = unread + unread_delta,
      archived = archived + archived_delta
    where shard = pg_backend_pid() % 16
  $$`,
  `create function count_changed_conversation() returns trigger language plpgsql as $$
  begin
    perform count_conversations(
      0,
      (new.unread_count > 0)::int - (old.unread_count > 0)::int,
      (new.status = 'archived')::int - (old.status = 'archived')::int
    );
    return null;
  end $$`,
  `create function count_new_conversations() returns trigger language plpgsql as $$
  begin
    perform count_conversations(
      count(*), count(*) filter (where unread_count > 0), count(*) filter (where status = 'archived')
    ) from rows;
    return null;
  end $$`,
  `create function count_gone_conversations() returns trigger language plpgsql as $$
  begin
    perform count_conversations(
      -count(*), -count(*) filter (where unread_count > 0), -count(*) filter (where status = 'archived')
    ) from rows;
    return null;
  end $$`,
  `create trigger count_changed after update of unread_count, status on conversations for each row
    when ((old.unread_count > 0) is distinct from (new.unread_count > 0) or (old.status = 'archived') is distinct from (new.status = 'archived'))
    execute function count_changed_conversation()`,
  `create trigger count_new after insert on conversations referencing new table as rows
    for each statement execute function count_new_conversations()`,
  `create trigger count_gone after delete on conversations referencing old table as rows
    for each statement execute function count_gone_conversations()`,
];
