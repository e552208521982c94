import { type Kysely, sql } from 'kysely';

/** Prevents double replies: who wrote last, how recently a claimant was active, drafts, and the team's rules. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The newest staff message and its author, and the newest staff message from any other author. A send locks this row, so it
  // sees what teammates sent in the meantime. Null if there was no such message since this migration.
  'alter table conversations add column last_staff_id uuid',
  'alter table conversations add column last_staff_seq integer',
  'alter table conversations add column other_staff_seq integer',

  // When the claimant claimed the conversation or last wrote. A trigger sets it, because servers of the previous version claim too.
  'alter table conversations add column claim_active_at timestamptz',
  `create function note_claim() returns trigger language plpgsql as $$
    begin
      new.claim_active_at := case when new.claimed_by is null then null else clock_timestamp() end;
      return new;
    end $$`,
  `create trigger conversations_claimed before update of claimed_by on conversations for each row
    when (new.claimed_by is distinct from old.claimed_by) execute function note_claim()`,

  // The team's rules, in one row. A new rule is a new column with a default.
  `create table team_settings (
    one boolean primary key default true check (one),
    version integer not null default 1,
    claim_on_first_reply boolean not null default false,
    -- Null: never.
    release_claims_after_hours integer check (release_claims_after_hours between 1 and 720),
    reopen_on_fan_message boolean not null default false
  )`,
  'insert into team_settings default values',

  // Unsent texts of admins. Every saved state gets its own number, across all conversations.
  `create table drafts (
    admin_id uuid not null references admins (id) on delete cascade,
    conversation_id uuid not null references conversations (id) on delete cascade,
    text text not null,
    reply_to jsonb,
    version bigint not null,
    edited_at timestamptz not null,
    primary key (admin_id, conversation_id)
  )`,
  'create sequence draft_versions',
  'create index drafts_conversation_id on drafts (conversation_id)',
  'create index drafts_edited_at on drafts (edited_at)',
];
