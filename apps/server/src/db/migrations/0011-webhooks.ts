import { type Kysely, sql } from 'kysely';

/** Webhooks to the platform, and the keys that it calls the API with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // One row with the URL, without user and password. It is displayed, and while it is null, no events are queued.
  `create table webhook_endpoint (
    singleton boolean primary key default true check (singleton),
    url text
  )`,
  'insert into webhook_endpoint default values',

  // Events of a lane are delivered one at a time, ordered by `place`. A writer has locked the row that the event is about (the
  // conversation), so that places are assigned in commit order. `ref` contains no text or address, because the body is rebuilt
  // for each attempt.
  'create sequence webhook_places',
  `create table webhook_events (
    id bigint primary key generated always as identity,
    event_id uuid not null default gen_random_uuid(),
    type text not null,
    conversation_id uuid,
    lane text not null,
    place bigint not null default nextval('webhook_places'),
    ref jsonb not null default '{}',
    created_at timestamptz not null default clock_timestamp(),
    -- When it was last put in its lane. The time until it is given up starts here.
    queued_at timestamptz not null default clock_timestamp(),
    -- False until its lane has a row in webhook_lanes.
    relayed boolean not null default false,
    state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
    attempts integer not null default 0,
    settled_at timestamptz,
    check ((state = 'waiting') = (settled_at is null)),
    constraint webhook_events_event_id_key unique (event_id)
  )`,
  'create index webhook_events_fresh on webhook_events (id) where not relayed',
  "create index webhook_events_waiting on webhook_events (lane, place) where state = 'waiting'",
  'create index webhook_events_state on webhook_events (state, id desc)',
  'create index webhook_events_settled on webhook_events (settled_at) where settled_at is not null',
  'create index webhook_events_conversation on webhook_events (conversation_id) where conversation_id is not null',
  "create index webhook_events_invite on webhook_events ((ref->>'invite_id')) where type = 'invite.created'",

  // Lanes that have a waiting event. Each of these lanes has one job, which delivers the event.
  'create table webhook_lanes (lane text primary key)',

  `create table webhook_attempts (
    id bigint primary key generated always as identity,
    event bigint not null references webhook_events (id) on delete cascade,
    at timestamptz not null default clock_timestamp(),
    duration_ms integer not null,
    status integer,
    answer text not null,
    succeeded boolean not null
  )`,
  'create index webhook_attempts_event on webhook_attempts (event, id desc)',
  'create index webhook_attempts_outcome on webhook_attempts (succeeded, id desc)',

  // Settles events that can no longer be delivered, and removes references to the fan. Lanes are locked before events, as
  // everywhere.
  `create function erase_conversation_from_webhooks() returns trigger language plpgsql as $$
  begin
    delete from webhook_lanes where lane = old.id::text;
    delete from webhook_attempts where event in (select id from webhook_events where conversation_id = old.id);
    update webhook_events set conversation_id = null, lane = 'erased', ref = '{}', relayed = true,
      state = case state when 'waiting' then 'failed' else state end, settled_at = coalesce(settled_at, now())
    where conversation_id = old.id;
    return old;
  end $$`,
  `create trigger conversations_erased_from_webhooks before delete on conversations
    for each row execute function erase_conversation_from_webhooks()`,
  // A receiver's answer may repeat the invited address. An accepted invitation's event is erased with the fan's conversation.
  `create function erase_invite_from_webhooks() returns trigger language plpgsql as $$
  begin
    delete from webhook_attempts where event in (
      select id from webhook_events where type = 'invite.created' and ref->>'invite_id' = old.id::text);
    update webhook_events set state = 'failed', settled_at = now()
      where type = 'invite.created' and ref->>'invite_id' = old.id::text and state = 'waiting';
    return null;
  end $$`,
  `create trigger invites_deleted_from_webhooks after delete on invites
    for each row execute function erase_invite_from_webhooks()`,
  `create trigger invites_erased_from_webhooks after update of email on invites
    for each row when (new.email = 'erased') execute function erase_invite_from_webhooks()`,

  // Keys are stored only as SHA-256.
  `create table platform_keys (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    hint text not null,
    key_hash bytea not null,
    created_by uuid references admins (id),
    created_at timestamptz not null default now(),
    -- Rounded to the minute.
    last_used_at timestamptz,
    revoked_at timestamptz,
    constraint platform_keys_key_hash_key unique (key_hash)
  )`,
  'create index platform_keys_live on platform_keys (created_at) where revoked_at is null',
];
