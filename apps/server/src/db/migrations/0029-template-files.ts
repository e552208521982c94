import { type Kysely, sql } from 'kysely';

/** Files of templates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Same layout as `uploads`, but separate: the files belong to no conversation, and no fan's link leads to one.
  `create table template_files (
    id uuid primary key,
    owner_id uuid not null references admins (id),
    -- Null until its owner uses it in a template.
    template_id uuid references templates (id) on delete cascade,
    -- Its position among the template's files.
    place integer not null default 0,
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
  'create index template_files_waiting on template_files (created_at) where template_id is null',
  'create index template_files_template_id on template_files (template_id, place)',
  'create index template_files_owner_id on template_files (owner_id)',
  // When a row is deleted, its objects are deleted too.
  'create trigger template_files_discarded after delete on template_files for each row execute function discard_upload()',
];
