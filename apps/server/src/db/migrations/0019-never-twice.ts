import { type Kysely, sql } from 'kysely';

/** What keeps colleagues from answering twice: who wrote last, who still works on what they claimed, drafts, and the team's rules. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The newest message of staff's, who wrote it, and the newest by anybody else of them: so that a send, which waits for this
  // row, knows what others sent while it waited. Null where the row was not written to since.
  'alter table conversations add column last_staff_id uuid',
  'alter table conversations add column last_staff_seq integer',
  'alter table conversations add column other_staff_seq integer',

  // When whoever holds it claimed it or last wrote. By a trigger, as a version that doesn't know of it claims too.
  'alter table conversations add column claim_active_at timestamptz',
  `create function note_claim() returns trigger language plpgsql as $$
    begin
      new.claim_active_at := case when new.claimed_by is null then null else clock_timestamp() end;
      return new;
    end $$`,
  `create trigger conversations_claimed before update of claimed_by on conversations for each row
    when (new.claimed_by is distinct from old.claimed_by) execute function note_claim()`,

  // The rules that the team gave itself, in one row. Whoever adds a rule adds a column with a default.
  `create table team_settings (
    one boolean primary key default true check (one),
    version integer not null default 1,
    claim_on_first_reply boolean not null default false,
    release_claims_after_hours integer check (release_claims_after_hours between 1 and 720),
    reopen_on_fan_message boolean not null default false
  )`,
  'insert into team_settings default values',

  // What an admin began to write and did not send. Each state has a number of its own, whichever conversation it is about.
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
