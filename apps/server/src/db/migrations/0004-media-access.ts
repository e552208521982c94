import { type Kysely, sql } from 'kysely';

/** Who may fetch files, and when those that nothing names any more are deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Opens files and nothing else: what a page shows can't carry a bearer token. Sessions from before have none.
  'alter table sessions add column media_cookie_hash bytea',
  'alter table sessions add constraint sessions_media_cookie_hash_key unique (media_cookie_hash)',

  // Objects are noted here before they are written, for later, and struck out by the transaction that makes a row name
  // them: whatever dies in between, none is left over.
  'alter table storage_garbage add column delete_after timestamptz not null default now()',
  'create index storage_garbage_delete_after on storage_garbage (delete_after)',

  // However an upload's row goes – swept up, or with its conversation – its objects follow it.
  `create function discard_upload() returns trigger language plpgsql as $$
  begin
    insert into storage_garbage (storage_key)
    select key from unnest(array[old.storage_key, old.thumbnail_key]) as key where key is not null
    on conflict do nothing;
    return null;
  end $$`,
  'create trigger uploads_discarded after delete on uploads for each row execute function discard_upload()',
];
