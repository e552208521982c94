import type { ProductOffer } from '@stagedoor/contract/selling/products';
import type { Selectable, Transaction } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import { type Database, isUuid, type Statement, violates } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { cleanFilename } from '../../media/filenames.ts';

/** What the catalogue lists at most. */
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
  'times_sent',
  'times_purchased',
  'created_at',
] as const;

/** A product of the catalogue as its table has it. */
export type ProductRow = Pick<Selectable<Tables['products']>, (typeof COLUMNS)[number]>;

/** Products that were not deleted, newest first. @param folderId only those in it; null: all */
export function listProducts(db: Database, folderId: string | null): Promise<ProductRow[]> {
  return db.kysely
    .selectFrom('products')
    .select(COLUMNS)
    .where('deleted_at', 'is', null)
    .$if(folderId !== null, (query) => query.where('folder_id', '=', folderId))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PRODUCTS_MAX)
    .execute();
}

/** What a person decides about a product. */
export interface ProductDetails {
  readonly title: string;
  readonly description: string | null;
  readonly price_cents: number;
  readonly folder_id: string | null;
}

/** A product's picture and preview, in the storage. */
export interface ProductFiles {
  readonly full_key: string;
  readonly preview_key: string;
  readonly mime_type: string;
  /** Bytes of the picture. */
  readonly size: number;
  readonly width: number;
  readonly height: number;
}

/** @returns null when there is no such folder; the transaction is lost then */
export async function insertProduct(
  tx: Transaction<Tables>,
  adminId: string,
  product: ProductDetails & ProductFiles & { readonly thumbnail_key: string },
): Promise<ProductRow | null> {
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

/** What is given is changed; what is undefined stays. */
export type ProductChange = {
  readonly [Field in keyof ProductDetails]?: ProductDetails[Field] | undefined;
} & { readonly is_active?: boolean | undefined };

/** @returns the changed product; why there is none otherwise, and then nothing changed */
export async function updateProduct(
  db: Database,
  adminId: string,
  id: string,
  change: ProductChange,
): Promise<ProductRow | 'no product' | 'no folder'> {
  return orNoFolder(
    db.kysely.transaction().execute(async (tx) => {
      const row = await tx
        .updateTable('products')
        .set((eb) => ({
          // A column is set to itself so that a change of nothing is a statement, too.
          id: eb.ref('id'),
          ...change,
        }))
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning(COLUMNS)
        .executeTakeFirst();
      if (row === undefined) return 'no product' as const;
      await writeAudit(tx, { adminId, action: 'product.update', targetId: id, details: change });
      return row;
    }),
  );
}

/**
 * Takes a product out of the catalogue. Its row and files stay: messages, buyers and sales figures point at them.
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

/** A product as a message copies it. */
export interface ProductForSale extends ProductFiles {
  readonly thumbnail_key: string | null;
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly price_cents: number;
  /** What a buyer saves it as: made of the title. */
  readonly filename: string;
}

const soldColumns =
  'id, title, description, price_cents, full_key, preview_key, thumbnail_key, mime_type, size, width, height';
const forSaleStatement: Statement = {
  name: 'products_for_sale',
  text: `select ${soldColumns} from products where id = $1 and is_active and deleted_at is null`,
};
const onceSoldStatement: Statement = {
  name: 'products_once_sold',
  text: `select ${soldColumns} from products where id = $1`,
};

/** A product that may be offered now. @returns null for one that is unknown, inactive or deleted */
export const productForSale = (db: Database, productId: string): Promise<ProductForSale | null> =>
  findProduct(db, forSaleStatement, productId);

/** A product that fans may own, in the catalog or not. */
export const productOnceSold = (db: Database, productId: string): Promise<ProductForSale | null> =>
  findProduct(db, onceSoldStatement, productId);

async function findProduct(
  db: Database,
  statement: Statement,
  productId: string,
): Promise<ProductForSale | null> {
  if (!isUuid(productId)) return null;
  const [row] = await db.run<Omit<ProductForSale, 'filename'>>(statement, [productId]);
  return row ? { ...row, filename: filenameOf(row) } : null;
}

/** Pictures are kept as one of four types, whose names are their extensions but for JPEG's. */
function filenameOf({ title, mime_type }: { title: string; mime_type: string }): string {
  const extension = mime_type.slice('image/'.length).replace('jpeg', 'jpg');
  return cleanFilename(`${title.replaceAll(/[/\\]/g, '-')}.${extension}`);
}

interface OfferRow {
  readonly product_id: string;
  readonly times_sent: number;
  readonly last_sent_at: Date;
  /** Null: the fan doesn't own it. */
  readonly purchased_at: Date | null;
}

const offersStatement: Statement = {
  name: 'products_offers',
  text: `select s.product_id, count(*)::int as times_sent, max(s.sent_at) as last_sent_at, o.purchased_at
    from product_sends s join conversations c on c.id = s.conversation_id
    left join owned_products o on o.fan_id = c.fan_id and o.product_id = s.product_id
    where s.conversation_id = $1 group by s.product_id, o.purchased_at order by last_sent_at desc, s.product_id`,
};

/** What a conversation's fan was offered so far, the latest first. @param conversationId a UUID */
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
    // The constraint, not a look-up before, says so: the folder may go at any moment.
    if (violates(error, 'products_folder_id_fkey')) return 'no folder';
    throw error;
  }
}
