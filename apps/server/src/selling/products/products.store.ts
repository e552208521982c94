import type { ProductOffer } from '@stagedoor/contract/selling/products';
import { sql } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import { type Database, isUuid, runIn, type Statement, violates } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { invalidField } from '../../errors.ts';
import { cleanFilename } from '../../media/filenames.ts';
import type { StoredBundleFile } from '../../media/stored-attachment.ts';

/** The maximum number of products listed. */
const PRODUCTS_MAX = 5_000;

const COLUMNS = [
  'id',
  'title',
  'description',
  'price_cents',
  'folder_id',
  'product_type',
  'is_active',
  'full_key',
  'preview_key',
  'thumbnail_key',
  'mime_type',
  'width',
  'height',
  'times_sent',
  'times_purchased',
  'created_at',
] as const;

/** SQL for a product's {@link StoredBundleFile}s, in order. */
const MEDIA = `coalesce((
    select jsonb_agg(jsonb_build_object('id', f.id, 'type', f.type, 'key', f.storage_key, 'thumbnail_key', f.thumbnail_key,
      'filename', f.filename, 'size', f.size, 'mime_type', f.mime_type, 'width', f.width, 'height', f.height,
      'duration', f.duration, 'free', f.free) order by f.position)
    from product_media f where f.product_id = products.id), '[]')`;
const media = sql<readonly StoredBundleFile[]>`${sql.raw(MEDIA)}`.as('media');

export interface ProductRow extends Row<'products', (typeof COLUMNS)[number]> {
  /** Empty if the picture is the product's only file. */
  readonly media: readonly StoredBundleFile[];
}

/** Returns the products that were not deleted, newest first. @param folderId only those in this folder; null: all */
export function listProducts(db: Database, folderId: string | null): Promise<ProductRow[]> {
  return db.kysely
    .selectFrom('products')
    .select([...COLUMNS, media])
    .where('deleted_at', 'is', null)
    .$if(folderId !== null, (query) => query.where('folder_id', '=', folderId))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PRODUCTS_MAX)
    .execute();
}

/** The fields of a product that an admin sets. */
export type ProductDetails = Row<'products', 'title' | 'description' | 'price_cents' | 'folder_id'>;

/** The storage keys and properties of a product's picture and preview. */
export type ProductFiles = Row<
  'products',
  'full_key' | 'preview_key' | 'mime_type' | 'size' | 'width' | 'height'
>;

/** @returns null if there is no such folder; the transaction must then be rolled back */
export async function insertProduct(
  tx: Tx,
  adminId: string,
  product: ProductDetails & ProductFiles & { readonly thumbnail_key: string },
): Promise<Omit<ProductRow, 'media'> | null> {
  const row = await orNoFolder(
    tx.insertInto('products').values(product).returning(COLUMNS).executeTakeFirstOrThrow(),
  );
  if (row === 'no folder') return null;
  await writeAudit(tx, {
    adminId,
    action: 'product.create',
    targetId: row.id,
    details: { title: row.title, price_cents: row.price_cents },
  });
  return row;
}

/** Adds a new product's files, in order. */
export async function insertMedia(
  tx: Tx,
  productId: string,
  files: readonly StoredBundleFile[],
): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map(({ key, ...file }, position) => ({
    ...file,
    position,
    storage_key: key,
    product_id: productId,
  }));
  await tx.insertInto('product_media').values(rows).execute();
}

const UNCHANGING = ['type', 'duration', 'width', 'height'] as const;

/** A product's files in a new order. An undefined `free` stays as it is; other fields can only repeat the stored values. */
type MediaChange = readonly ({ readonly id: string; readonly free?: boolean | undefined } & {
  readonly [Field in (typeof UNCHANGING)[number]]?: StoredBundleFile[Field] | undefined;
})[];

/** Checks that a change of files keeps the fields that can't change. @throws AppError 400 `invalid_request` */
function requireSame(
  files: MediaChange,
  stored: readonly Pick<StoredBundleFile, 'id' | (typeof UNCHANGING)[number]>[],
): void {
  for (const [index, file] of files.entries()) {
    const known = stored.find(({ id }) => id === file.id);
    if (known === undefined) throw notItsFile();
    const changed = UNCHANGING.find(
      (field) => file[field] !== undefined && file[field] !== known[field],
    );
    if (changed !== undefined)
      throw invalidField(`media.${index}.${changed}`, 'Must stay as it is');
  }
}

/**
 * Moves the named files to the start of a locked product's files, and marks which of them are free.
 * @throws AppError 400 `invalid_request` for a file that is not the product's or is named twice, or a field that can't change
 */
async function arrangeMedia(tx: Tx, product: ProductRow, files: MediaChange): Promise<void> {
  const { id: productId, width, height, media } = product;
  if (media.length === 0 && files.length === 1 && files[0]?.free !== true) {
    const picture = { id: productId, type: 'image', duration: null, width, height } as const;
    return requireSame(files, [picture]);
  }
  requireSame(files, media);
  await tx
    .updateTable('product_media')
    .set((eb) => ({ position: eb('position', '+', files.length) }))
    .where('product_id', '=', productId)
    .execute();
  const { numAffectedRows } = await sql`
    update product_media f set position = w.place - 1, free = coalesce(w.free, f.free)
    from rows from (jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as (id uuid, free boolean))
      with ordinality as w(id, free, place)
    where f.id = w.id and f.product_id = ${productId}`.execute(tx);
  if (Number(numAffectedRows) !== files.length) throw notItsFile();
}

const notItsFile = () => invalidField('media', 'Not a file of this product, or named twice');

/** Undefined fields stay as they are. */
export type ProductChange = {
  readonly [Field in keyof ProductDetails]?: ProductDetails[Field] | undefined;
} & { readonly is_active?: boolean | undefined; readonly media?: MediaChange | undefined };

/** @returns the changed product, or the reason why nothing changed */
export async function updateProduct(
  db: Database,
  adminId: string,
  id: string,
  change: ProductChange,
): Promise<ProductRow | 'no product' | 'no folder'> {
  const { media: files, ...details } = change;
  return orNoFolder(
    db.kysely.transaction().execute(async (tx) => {
      const row = await tx
        .updateTable('products')
        .set((eb) => ({
          // Sets one column to itself, so that an empty change is a valid statement.
          id: eb.ref('id'),
          ...details,
        }))
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning([...COLUMNS, media])
        .executeTakeFirst();
      if (row === undefined) return 'no product' as const;
      const marks = files && { media: files.map(({ id: file, free }) => ({ id: file, free })) };
      const changed = { ...details, ...marks };
      await writeAudit(tx, { adminId, action: 'product.update', targetId: id, details: changed });
      if (files === undefined) return row;
      await arrangeMedia(tx, row, files);
      const { rows } = await sql<Pick<ProductRow, 'media'>>`
        select ${media} from products where id = ${id}`.execute(tx);
      return { ...row, ...rows[0] };
    }),
  );
}

/**
 * Removes a product from the catalog. Its row and files stay: messages, purchases and analytics refer to them.
 * @returns whether there was one
 */
export async function deleteProduct(db: Database, adminId: string, id: string): Promise<boolean> {
  return db.kysely.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('products')
      .set((eb) => ({ deleted_at: eb.fn<Date>('now') }))
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('title')
      .executeTakeFirst();
    if (row === undefined) return false;
    await writeAudit(tx, { adminId, action: 'product.delete', targetId: id, details: row });
    return true;
  });
}

/** A product's fields that a message copies. */
export interface ProductForSale
  extends ProductFiles,
    Row<'products', 'id' | 'title' | 'description' | 'price_cents' | 'thumbnail_key'>,
    Pick<ProductRow, 'media'> {
  /** The file name when a buyer saves the file, made from the title. */
  readonly filename: string;
}

const soldColumns = `id, title, description, price_cents, full_key, preview_key, thumbnail_key, mime_type, size, width, height,
  ${MEDIA} as media`;
/** SQL: whether a product can be offered. */
export const FOR_SALE = 'is_active and deleted_at is null';
const forSaleStatement: Statement = {
  name: 'products_for_sale',
  text: `select ${soldColumns} from products where id = $1 and ${FOR_SALE}`,
};
const onceSoldStatement: Statement = {
  name: 'products_once_sold',
  text: `select ${soldColumns} from products where id = $1`,
};

/** Returns a product that can be offered now; null if it is unknown, inactive or deleted. */
export const productForSale = (db: Database, productId: string): Promise<ProductForSale | null> =>
  findProduct((values) => db.run(forSaleStatement, values), productId);

/** Does the same as {@link productForSale}, within a transaction. */
export const productForSaleIn = (tx: Tx, productId: string): Promise<ProductForSale | null> =>
  findProduct((values) => runIn(tx, forSaleStatement.text, values), productId);

/** Returns a product that fans may own, whether it is still in the catalog or not. */
export const productOnceSold = (db: Database, productId: string): Promise<ProductForSale | null> =>
  findProduct((values) => db.run(onceSoldStatement, values), productId);

async function findProduct(
  run: (values: readonly string[]) => Promise<Omit<ProductForSale, 'filename'>[]>,
  productId: string,
): Promise<ProductForSale | null> {
  if (!isUuid(productId)) return null;
  const [row] = await run([productId]);
  return row ? { ...row, filename: filenameOf(row) } : null;
}

/** Names the file after the product. The extension is the picture's MIME subtype, except for JPEG. */
function filenameOf({ title, mime_type }: { title: string; mime_type: string }): string {
  const extension = mime_type.slice('image/'.length).replace('jpeg', 'jpg');
  return cleanFilename(`${title.replaceAll(/[/\\]/g, '-')}.${extension}`);
}

interface OfferRow {
  readonly product_id: string;
  readonly times_sent: number;
  readonly last_sent_at: Date;
  /** Null: the fan doesn't own the product. */
  readonly purchased_at: Date | null;
}

const offersStatement: Statement = {
  name: 'products_offers',
  text: `select s.product_id, count(*)::int as times_sent, max(s.sent_at) as last_sent_at, o.purchased_at
    from product_sends s join conversations c on c.id = s.conversation_id
    left join owned_products o on o.fan_id = c.fan_id and o.product_id = s.product_id
    where s.conversation_id = $1 group by s.product_id, o.purchased_at order by last_sent_at desc, s.product_id`,
};

/** Returns the products offered to a conversation's fan, the latest first. @param conversationId a UUID */
export async function listOffers(db: Database, conversationId: string): Promise<ProductOffer[]> {
  const rows = await db.run<OfferRow>(offersStatement, [conversationId]);
  return rows.map((row) => ({
    product_id: row.product_id,
    times_sent: row.times_sent,
    last_sent_at: row.last_sent_at.toISOString(),
    purchased: row.purchased_at !== null,
    purchased_at: row.purchased_at?.toISOString() ?? null,
  }));
}

async function orNoFolder<T>(work: Promise<T>): Promise<T | 'no folder'> {
  try {
    return await work;
  } catch (error) {
    // The constraint decides, not a lookup: the folder may be deleted at any moment.
    if (violates(error, 'products_folder_id_fkey')) return 'no folder';
    throw error;
  }
}

/** Purges products that were deleted from the catalog over a day ago and never sent. */
export async function purgeProducts(db: Database): Promise<void> {
  // A product that was sent or sold keeps its row forever. The day's delay covers sends by staff who loaded the product before it
  // was deleted.
  await db.runPlanned(
    `delete from products p where p.deleted_at < now() - interval '1 day' and p.times_sent = 0
      and not exists (select from product_sends s where s.product_id = p.id)
      and not exists (select from campaign_variants v where v.attachments
        @> jsonb_build_array(jsonb_build_object('product', jsonb_build_object('id', p.id))))
      and not exists (select from purchases b where b.product_id = p.id)`,
    [],
  );
}

/** Adds a sale to a product's number of purchases, or subtracts a refund. */
export async function countPurchase(tx: Tx, id: string, sales: 1 | -1): Promise<void> {
  await tx
    .updateTable('products')
    .set((eb) => ({ times_purchased: eb('times_purchased', '+', sales) }))
    .where('id', '=', id)
    .execute();
}

/** Locks products in the order of their ids. Call this before the statement that changes them. */
export async function lockProducts(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`select from products where id = any(${ids}::uuid[]) order by id for no key update`.execute(
    tx,
  );
}

/** Changes the number of times that locked products were sent. @param offers the difference by product id */
export async function countOffers(tx: Tx, offers: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, count] of offers) {
    await tx
      .updateTable('products')
      .set((eb) => ({ times_sent: eb('times_sent', '+', count) }))
      .where('id', '=', id)
      .execute();
  }
}
