import { type Kysely, sql } from 'kysely';

/** Mass messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table campaigns (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    state text not null default 'draft' check (state in ('draft', 'scheduled', 'running', 'paused', 'finished', 'canceled')),
    -- The segment's rule as it was last read, if the audience is a segment.
    rule jsonb not null,
    segment_id uuid references segments (id) on delete set null,
    exclude jsonb not null,
    send_at timestamptz,
    fan_local_time boolean not null,
    per_minute integer,
    expires_at timestamptz,
    created_by uuid not null references admins (id),
    created_at timestamptz not null default now(),
    -- The messages' author, who gets the credit for their sales.
    started_by uuid references admins (id),
    started_at timestamptz,
    -- When to determine the audience, and when it was determined.
    begin_at timestamptz,
    audience_at timestamptz,
    -- The time up to which the limit per minute is used up.
    paced_at timestamptz,
    -- Set once no recipient is pending.
    finished_at timestamptz
  )`,
  'create index campaigns_newest on campaigns (created_at desc, id desc)',
  'create index campaigns_started_by on campaigns (started_by, created_at desc, id desc)',
  'create index campaigns_segment_id on campaigns (segment_id)',
  'create index campaigns_unfinished on campaigns (created_at) where finished_at is null',

  `create table campaign_variants (
    campaign_id uuid not null references campaigns (id) on delete cascade,
    variant smallint not null,
    content text not null,
    attachments jsonb not null,
    share smallint not null,
    -- Counts of the recipients; changed under the campaign's lock.
    audience integer not null default 0,
    sent integer not null default 0,
    skipped integer not null default 0,
    unsent integer not null default 0,
    primary key (campaign_id, variant)
  )`,

  // Same layout as template_files.
  `create table campaign_files (
    id uuid primary key,
    owner_id uuid not null references admins (id),
    -- Null until its owner uses it in a campaign.
    campaign_id uuid references campaigns (id) on delete cascade,
    type text not null check (type in ('image', 'video', 'audio', 'file')),
    storage_key text not null,
    thumbnail_key text,
    filename text not null,
    size bigint not null,
    mime_type text not null,
    width integer,
    height integer,
    created_at timestamptz not null default now()
  )`,
  'create index campaign_files_waiting on campaign_files (created_at) where campaign_id is null',
  'create index campaign_files_campaign_id on campaign_files (campaign_id)',
  'create trigger campaign_files_discarded after delete on campaign_files for each row execute function discard_upload()',

  // Without references to fans, conversations and messages: the rows outlive an erased fan, as figures.
  `create table campaign_recipients (
    campaign_id uuid not null references campaigns (id) on delete cascade,
    fan_id uuid not null,
    conversation_id uuid not null,
    variant smallint not null,
    state text not null default 'pending' check (state in ('pending', 'sent', 'skipped', 'unsent')),
    -- Why it was skipped.
    reason text,
    message_id uuid,
    -- When to send: at the time in the fan's time zone if so chosen, and not in quiet hours.
    due_at timestamptz not null,
    sent_at timestamptz,
    primary key (campaign_id, fan_id)
  )`,
  "create index campaign_recipients_due on campaign_recipients (campaign_id, due_at) where state = 'pending'",

  // Null except for mass messages. No index is needed, because recipients' rows contain the message ids.
  'alter table messages add column campaign_id uuid',
  // When the fan got the newest mass message, and how many they got on that day. last_message_at ignores mass messages.
  'alter table conversations add column mass_message_at timestamptz, add column mass_messages_on_day smallint',
  `create or replace function last_message_of(conversation uuid, side_is_fan boolean) returns timestamptz
    language sql stable parallel safe cost 1 as $$
      select max(created_at) from messages
      where conversation_id = conversation and from_fan = side_is_fan and campaign_id is null
    $$`,

  `alter table team_settings add column mass_messages_a_day smallint not null default 1,
    add column quiet_from_hour smallint, add column quiet_until_hour smallint,
    add column time_zone text not null default 'UTC'`,
];
