import { createHash } from 'node:crypto';
import { PRODUCT_THUMBNAIL_PIXELS } from '@stagedoor/contract/selling/products';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { makePreview, makeThumbnail } from '../media/images.ts';
import type { NewObjects } from '../media/new-objects.ts';
import type { StoredAttachment } from '../media/stored-attachment.ts';
import { idOf, insertRows, type Row } from './insert-rows.ts';
import { type PaintingName, paint } from './pictures.ts';
import type { Random } from './random.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const FOLDERS = {
  covers: ['Cover art', 'Drafts that never made it onto a record'],
  posters: ['Tour posters', null],
  wallpapers: ['Wallpapers', 'For phones, without text'],
} as const;

interface SampleProduct {
  readonly painting: PaintingName;
  readonly title: string;
  readonly description: string | null;
  readonly folder: keyof typeof FOLDERS | null;
  /** Cents. */
  readonly price: number;
  /** The share of fans who buy it when offered, from 0 to 1. */
  readonly appeal: number;
}

// biome-ignore format: a line each
const PRODUCTS: readonly SampleProduct[] = [
  { painting: 'lanterns', title: 'Paper Lanterns, first sleeve', description: 'What the cover looked like before we changed our minds.', folder: 'covers', price: 999, appeal: 0.6 },
  { painting: 'orbits', title: 'Satellite Heart, tour poster', description: 'Signed in the file. Prints well up to A2.', folder: 'posters', price: 1499, appeal: 0.45 },
  { painting: 'tide', title: 'Low Tide, lyric print', description: null, folder: 'posters', price: 799, appeal: 0.35 },
  { painting: 'dusk', title: 'Saudade over the Douro', description: 'The evening that the song is about.', folder: 'wallpapers', price: 499, appeal: 0.7 },
  { painting: 'panes', title: 'Glasshouse, sleeve study', description: 'Cut paper, scanned.', folder: 'covers', price: 1250, appeal: 0.25 },
  { painting: 'aurora', title: 'Northbound, night three', description: 'Drawn in the van somewhere after Tromsø.', folder: 'wallpapers', price: 499, appeal: 0.55 },
  { painting: 'petals', title: 'Marigold, hand-printed series', description: 'Number 1 of 40.', folder: null, price: 2999, appeal: 0.2 },
  { painting: 'clouds', title: 'Half Awake, backdrop', description: null, folder: 'wallpapers', price: 350, appeal: 0.4 },
];

/** A sample product with its stored files. */
type StoredProduct = SampleProduct & {
  readonly id: string;
  readonly full_key: string;
  readonly preview_key: string;
  readonly thumbnail_key: string;
  readonly size: number;
  readonly width: number;
  readonly height: number;
};

/** Paints the sample products and stores their files, before the transaction that inserts their rows. */
export async function storeSampleProducts(objects: NewObjects): Promise<StoredProduct[]> {
  return Promise.all(
    PRODUCTS.map(async (product) => {
      const { data, width, height } = await paint(product.painting);
      const full = await objects.put('products', data, 'image/jpeg');
      const preview = await objects.put('products', await makePreview(data), 'image/webp');
      const small = await makeThumbnail(data, PRODUCT_THUMBNAIL_PIXELS);
      const thumbnail = await objects.put('products', small, 'image/webp');
      const id = idOf(`product ${product.painting}`);
      return {
        ...product,
        id,
        full_key: full.key,
        preview_key: preview.key,
        thumbnail_key: thumbnail.key,
        size: full.size,
        width,
        height,
      };
    }),
  );
}

/** Inserts the products into the catalogue and into some staff messages, and lets some fans buy them. */
export async function insertSampleCatalogue(
  tx: Kysely<Tables>,
  products: readonly StoredProduct[],
  { now, random }: { readonly now: number; readonly random: Random },
): Promise<void> {
  const folders = Object.entries(FOLDERS).map(([key, [name, description]]) => ({
    id: idOf(`folder ${key}`),
    name,
    description,
  }));
  await insertRows(tx, 'folders', folders);
  const rows = products.map((product, index) => ({
    id: product.id,
    title: product.title,
    description: product.description,
    price_cents: product.price,
    folder_id: product.folder === null ? null : idOf(`folder ${product.folder}`),
    product_type: 'message_attachment',
    is_active: true,
    full_key: product.full_key,
    preview_key: product.preview_key,
    thumbnail_key: product.thumbnail_key,
    mime_type: 'image/jpeg',
    size: product.size,
    width: product.width,
    height: product.height,
    created_at: new Date(now - (95 + index * 3) * DAY_MS).toISOString(),
  }));
  await insertRows(tx, 'products', rows);
  const { attachments, sends, purchases } = sales(await answers(tx), products, now, random);
  await sql`update messages m set attachments = r.attachments
    from json_to_recordset(${JSON.stringify(attachments)}) as r(id uuid, attachments jsonb) where m.id = r.id`.execute(
    tx,
  );
  await insertRows(tx, 'product_sends', sends);
  await insertRows(tx, 'purchases', purchases);
  await sql`update products p set
    times_sent = (select count(*) from product_sends s where s.product_id = p.id),
    times_purchased = (select count(*) from purchases s where s.product_id = p.id and s.refunded_at is null)`.execute(
    tx,
  );
}

/** A staff message that may contain an offer. */
interface Answer {
  readonly id: string;
  readonly conversation_id: string;
  readonly fan_id: string;
  readonly author_id: string;
  readonly created_at: Date;
}

/** Returns half of the staff messages, oldest first. */
async function answers(tx: Kysely<Tables>): Promise<Answer[]> {
  return tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['m.id', 'm.conversation_id', 'c.fan_id', 'm.author_id', 'm.created_at'])
    .where('m.from_fan', '=', false)
    .where(sql<number>`m.seq % 4`, 'in', [2, 3])
    .orderBy('m.created_at')
    .orderBy('m.id')
    .execute();
}

/** Maximum number of offers per conversation. */
const OFFERS_MAX = 8;

function sales(
  answered: readonly Answer[],
  products: readonly StoredProduct[],
  now: number,
  random: Random,
): { attachments: Row[]; sends: Row[]; purchases: Row[] } {
  const rows = { attachments: [] as Row[], sends: [] as Row[], purchases: [] as Row[] };
  const offered = new Map<string, Set<string>>();
  for (const { id, created_at, ...message } of answered) {
    const before = offered.get(message.fan_id) ?? new Set();
    offered.set(message.fan_id, before);
    const product = random.pick(products);
    if (before.size >= OFFERS_MAX || before.has(product.id) || random.chance(0.2)) continue;
    before.add(product.id);
    // Staff vary the price by fan.
    const price_cents = Math.round(product.price * random.pick([1, 1, 1, 0.8, 1.2]));
    const attachmentId = idOf(`offer ${id}`);
    rows.attachments.push({ id, attachments: [attachmentOf(attachmentId, product, price_cents)] });
    const { author_id, conversation_id, fan_id } = message;
    const send = {
      attachment_id: attachmentId,
      message_id: id,
      conversation_id,
      fan_id,
      product_id: product.id,
      admin_id: author_id,
    };
    rows.sends.push({ ...send, price_cents, sent_at: created_at.toISOString() });
    const boughtAt = created_at.getTime() + random.between(2, 2_000) * MINUTE_MS;
    if (!random.chance(product.appeal) || boughtAt > now) continue;
    const refunded = random.chance(0.04) && boughtAt + DAY_MS < now;
    rows.purchases.push({
      ...send,
      id: idOf(`purchase ${id}`),
      amount_cents: price_cents,
      payment_reference: `sample-${rows.purchases.length + 1}`,
      payload_hash: `\\x${createHash('sha256').update(id).digest('hex')}`,
      purchased_at: new Date(boughtAt).toISOString(),
      refunded_at: refunded ? new Date(boughtAt + DAY_MS).toISOString() : null,
      created_at: new Date(boughtAt).toISOString(),
    });
  }
  return rows;
}

function attachmentOf(id: string, product: StoredProduct, price_cents: number): StoredAttachment {
  return {
    id,
    type: 'image',
    key: product.full_key,
    thumbnail_key: null,
    filename: `${product.title}.jpg`,
    size: product.size,
    mime_type: 'image/jpeg',
    width: product.width,
    height: product.height,
    product: {
      id: product.id,
      title: product.title,
      description: product.description,
      price_cents,
      preview_key: product.preview_key,
    },
  };
}
