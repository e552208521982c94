import { type Kysely, sql } from 'kysely';

/** Profile notes, tags as a filter, and the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table fans
    add column dob text not null default '',
    add column location text not null default '',
    add column marital_status text not null default '',
    add column years_of_support text not null default '',
    add column notes text not null default '',
    -- Rises with each save of the notes.
    add column notes_version integer not null default 0`,

  'create index fan_tags_label on fan_tags (lower(label)) where label is not null',
  'create index global_tags_label on global_tags (lower(label))',

  // Actor, action and target. Rows can only be added: the trigger rejects every other change.
  `create table audit_log (
    id bigint primary key generated always as identity,
    at timestamptz not null default now(),
    admin_id uuid not null references admins (id),
    action text not null,
    target_id uuid not null,
    details jsonb not null default '{}'
  )`,
  'create index audit_log_at on audit_log (at desc, id desc)',
  `create function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception 'the audit log is only ever added to';
  end $$`,
  `create trigger audit_log_is_kept before update or delete or truncate on audit_log
    for each statement execute function refuse_change()`,
];
