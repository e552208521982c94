import type pg from 'pg';
import { KIND, uuidOf } from './numbers.ts';
import { TAGS } from './people.ts';

export const PRODUCTS = 200;
const FOLDERS = 10;

export const productId = (index: number): string => uuidOf(KIND.product, index);
export const priceCents = (index: number): number => 100 * (index + 1);

/** Adds folders, products without pictures, and the tag library. Returns the ids of the tags. */
export async function fillCatalogue(client: pg.Client): Promise<string[]> {
  await client.query(
    `insert into folders (name) select 'Folder ' || n from generate_series(1, $1::int) as n`,
    [FOLDERS],
  );
  const indices = Array.from({ length: PRODUCTS }, (_, index) => index);
  await client.query(
    `insert into products (id, title, price_cents, folder_id, full_key, preview_key, mime_type, size, width, height)
    select id, 'Product ' || n, cents, folders.ids[1 + n % ${FOLDERS}], 'full', 'preview', 'image/jpeg', 200000, 1200, 1600
    from unnest($1::uuid[], $2::int[]) with ordinality as p (id, cents, n), (select array_agg(id) as ids from folders) as folders`,
    [indices.map(productId), indices.map(priceCents)],
  );
  const { rows } = await client.query<{ id: string }>(
    `insert into global_tags (label, color) select label, '#4251D4' from unnest($1::text[]) as label returning id`,
    [TAGS.map(([label]) => label)],
  );
  return rows.map(({ id }) => id);
}
