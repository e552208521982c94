import { type Kysely, sql } from 'kysely';

/** Staff management, the creator's picture, and a searchable audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table admins
    -- Rounded to the minute.
    add column last_active_at timestamptz,
    -- Rises with each change that is emitted.
    add column version integer not null default 1`,
  `update admins set last_active_at = used.at
    from (select admin_id, max(last_used_at) as at from sessions group by admin_id) used where used.admin_id = admins.id`,

  // Every codename that was ever used, without regard to case and spacing. A codename belongs to one person forever.
  `create table codenames (
    key text primary key,
    admin_id uuid not null references admins (id)
  )`,
  `create function codename_key(name text) returns text language sql immutable parallel safe
    return regexp_replace(lower(normalize(name, NFKC)), '\\s+', ' ', 'g')`,
  `insert into codenames (key, admin_id) select codename_key(codename), id from admins order by created_at, email
    on conflict do nothing`,
  `create function keep_codename() returns trigger language plpgsql as $$
  begin
    insert into codenames (key, admin_id) values (codename_key(new.codename), new.id) on conflict do nothing;
    if not exists (select from codenames where key = codename_key(new.codename) and admin_id = new.id) then
      raise unique_violation using constraint = 'codenames_pkey', message = 'this codename is or was another''s';
    end if;
    return null;
  end $$`,
  `create trigger codename_kept after insert or update of codename on admins
    for each row execute function keep_codename()`,

  // Uploaded pictures of the creator: the linked one is in use, the others are kept for a day.
  `create table avatar_uploads (
    storage_key text primary key,
    admin_id uuid not null references admins (id),
    linked_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  'create index avatar_uploads_waiting on avatar_uploads (created_at) where linked_at is null',
  'alter table creators add column avatar_key text references avatar_uploads (storage_key)',
  `create function discard_avatar() returns trigger language plpgsql as $$
  begin
    insert into storage_garbage (storage_key) values (old.storage_key) on conflict do nothing;
    return null;
  end $$`,
  'create trigger avatar_uploads_discarded after delete on avatar_uploads for each row execute function discard_avatar()',

  // Actions on the server itself have no actor.
  'alter table audit_log alter column admin_id drop not null',
  `alter table audit_log add column thing text not null generated always as (split_part(action, '.', 1)) stored`,
  // One index for each filter, sorted like the list.
  'create index audit_log_admin on audit_log (admin_id, at desc, id desc)',
  'create index audit_log_action on audit_log (action, at desc, id desc)',
  'create index audit_log_thing on audit_log (thing, at desc, id desc)',
  'create index audit_log_target on audit_log (target_id, at desc, id desc)',
];
