import { type Kysely, sql } from 'kysely';

/** Small pictures and sales figures of products, names of folders that are one folder's only, and products that go for good. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** A folder's name whatever its case, in every script and whatever the database's locale. */
const NAME = 'lower(name collate "und-x-icu") collate "C"';

const statements = [
  // WebP; null for products from before. The counters are kept by the statements that store sends, purchases and refunds,
  // so that no list counts a table; what a fan who was erased got or bought stays counted.
  `alter table products
    add column thumbnail_key text,
    add column times_sent integer not null default 0,
    add column times_purchased integer not null default 0`,
  `update products p set times_sent = s.n
    from (select product_id, count(*) as n from product_sends group by product_id) s where s.product_id = p.id`,
  `update products p set times_purchased = s.n
    from (select product_id, count(*) as n from purchases where refunded_at is null group by product_id) s
    where s.product_id = p.id`,

  // Of folders that share a name the oldest keeps it.
  `update folders f set name = left(f.name, 180) || ' (' || left(f.id::text, 8) || ')'
    from (select id, row_number() over (partition by ${NAME} order by created_at, id) as place from folders) o
    where o.id = f.id and o.place > 1`,
  `create unique index folders_name on folders ((${NAME}))`,

  // However a product's row goes, its objects follow it.
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
