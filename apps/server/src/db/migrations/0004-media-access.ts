import { type Kysely, sql } from 'kysely';

/** Access to files, and the deletion of those that nothing references any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A cookie that grants access to files only, because an `<img>` can't send a bearer token. Older sessions have none.
  'alter table sessions add column media_cookie_hash bytea',
  'alter table sessions add constraint sessions_media_cookie_hash_key unique (media_cookie_hash)',

  // An object is recorded here, with a later date, before it is written. The transaction that stores a reference to the object
  // deletes the record. If anything fails in between, the sweep deletes the object.
  'alter table storage_garbage add column delete_after timestamptz not null default now()',
  'create index storage_garbage_delete_after on storage_garbage (delete_after)',

  // However an upload's row is deleted (by a sweep or with its conversation), its objects are deleted too.
  `create function discard_upload() returns trigger language plpgsql as $$
  begin
    insert into storage_garbage (storage_key)
    select key from unnest(array[old.storage_key, old.thumbnail_key]) as key where key is not null
    on conflict do nothing;
    return null;
  end $$`,
  'create trigger uploads_discarded after delete on uploads for each row execute function discard_upload()',
];
