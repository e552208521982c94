import { type Kysely, sql } from 'kysely';

/** Retention: old data is removed after a time set in the settings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The audit log still rejects every change, except that the retention job may delete old rows.
  `create or replace function refuse_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and current_setting('stagedoor.retention', true) = 'on' then
      return null;
    end if;
    raise exception 'the audit log is only ever added to';
  end $$`,
  "create index invites_unaccepted on invites (expires_at) where state <> 'accepted'",
];
