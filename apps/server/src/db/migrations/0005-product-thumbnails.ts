import { type Kysely, sql } from 'kysely';

/** Thumbnails and sales figures of products, unique folder names, and permanent deletion of products. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Compares folder names without case, in every script and whatever the database's locale. */
const NAME = 'lower(name collate "und-x-icu") collate "C"';

const statements = [
  // The thumbnail is WebP; null for older products. The statements that store sends, purchases and refunds maintain the counters,
  // so that no list has to count rows. Sends and purchases of erased fans stay counted.
  `alter table products
    add column thumbnail_key text,
    add column times_sent integer not null default 0,
    add column times_purchased integer not null default 0`,
  `update products p set times_sent = s.n
    from (select product_id, count(*) as n from product_sends group by product_id) s where s.product_id = p.id`,
  `update products p set times_purchased = s.n
    from (select product_id, count(*) as n from purchases where refunded_at is null group by product_id) s
    where s.product_id = p.id`,

  // If folders share a name, the oldest keeps it.
  `update folders f set name = left(f.name, 180) || ' (' || left(f.id::text, 8) || ')'
    from (select id, row_number() over (partition by ${NAME} order by created_at, id) as place from folders) o
    where o.id = f.id and o.place > 1`,
  `create unique index folders_name on folders ((${NAME}))`,

  // However a product's row is deleted, its objects are deleted too.
  `create function discard_product() returns trigger language plpgsql as $$
  begin
    insert into storage_garbage (storage_key)
    select key from unnest(array[old.full_key, old.preview_key, old.thumbnail_key]) as key where key is not null
    on conflict do nothing;
    return null;
  end $$`,
  'create trigger products_discarded after delete on products for each row execute function discard_product()',
  'create index products_unused on products (deleted_at) where deleted_at is not null and times_sent = 0',
];
