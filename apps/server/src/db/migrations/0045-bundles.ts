import { type Kysely, sql } from 'kysely';

/** Products of several files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Same layout as `uploads`. A product without rows has one file: its picture.
  `create table product_media (
    id uuid primary key,
    product_id uuid not null references products (id) on delete cascade,
    position integer not null,
    free boolean not null,
    type text not null check (type in ('image', 'video', 'audio')),
    storage_key text not null,
    thumbnail_key text,
    filename text not null,
    size bigint not null,
    mime_type text not null,
    width integer,
    height integer,
    -- Seconds, as the browser that created the product measured them.
    duration real
  )`,
  'create index product_media_product_id on product_media (product_id, position)',
  'create trigger product_media_discarded after delete on product_media for each row execute function discard_upload()',
];
