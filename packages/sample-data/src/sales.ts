import type { FanTables } from './fans.ts';
import { type PaintingName, paint } from './pictures.ts';
import type { Random } from './random.ts';
import { hashOf, idOf, type Row } from './row.ts';

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

/** A product's stored picture; the size is the full picture's, in bytes. */
interface StoredPicture {
  readonly full_key: string;
  readonly preview_key: string;
  readonly thumbnail_key: string;
  readonly size: number;
}
/** Stores a product's picture (JPEG) with its preview and thumbnail. */
export type StorePicture = (picture: Buffer) => Promise<StoredPicture>;

export type StoredProduct = SampleProduct &
  StoredPicture & { readonly id: string; readonly width: number; readonly height: number };

/** The rows of products and sales, in an order in which they can be inserted. */
export interface SaleTables {
  readonly folders: Row[];
  readonly products: Row[];
  readonly product_sends: Row[];
  readonly purchases: Row[];
}

/** Paints and stores the products' pictures, one by one: painting blocks the server, which must renew its lock. */
export async function storeProducts(storePicture: StorePicture): Promise<StoredProduct[]> {
  const stored: StoredProduct[] = [];
  for (const product of PRODUCTS) {
    const { data, width, height } = await paint(product.painting);
    const id = idOf(`product ${product.painting}`);
    stored.push({ ...product, ...(await storePicture(data)), id, width, height });
  }
  return stored;
}

/**
 * Returns the catalog and its sales, and attaches the offers to the staff messages that make them.
 * @param now milliseconds since the epoch
 */
export function sampleSales(
  fans: FanTables,
  products: readonly StoredProduct[],
  now: number,
  random: Random,
): SaleTables {
  const rows: SaleTables = {
    folders: Object.entries(FOLDERS).map(([key, [name, description]]) => ({
      id: idOf(`folder ${key}`),
      name,
      description,
    })),
    products: [],
    product_sends: [],
    purchases: [],
  };
  sell(fans, products, { now, random }, rows);
  const countOf = (list: readonly Row[], id: string) =>
    list.filter((row) => row.product_id === id).length;
  const kept = rows.purchases.filter((row) => row.refunded_at === null);
  products.forEach((product, index) => {
    rows.products.push({
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
      times_sent: countOf(rows.product_sends, product.id),
      times_purchased: countOf(kept, product.id),
      created_at: new Date(now - (95 + index * 3) * DAY_MS).toISOString(),
    });
  });
  return rows;
}

/** Maximum number of offers per conversation. */
const OFFERS_MAX = 8;

/** Offers products in half of the staff messages, oldest first, and lets some fans buy them. */
function sell(
  { messages, conversations }: FanTables,
  products: readonly StoredProduct[],
  { now, random }: { readonly now: number; readonly random: Random },
  { product_sends, purchases }: SaleTables,
): void {
  const fanOf = new Map(conversations.map(({ id, fan_id }) => [id, fan_id]));
  const answers = messages
    .filter((message) => !message.from_fan && message.seq % 4 >= 2)
    .sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1));
  const offered = new Map<string, Set<string>>();
  for (const message of answers) {
    const { id, conversation_id } = message;
    const before = offered.get(conversation_id) ?? new Set();
    offered.set(conversation_id, before);
    const product = random.pick(products);
    if (before.size >= OFFERS_MAX || before.has(product.id) || random.chance(0.2)) continue;
    before.add(product.id);
    // Staff vary the price by fan.
    const price_cents = Math.round(product.price * random.pick([1, 1, 1, 0.8, 1.2]));
    const attachmentId = idOf(`offer ${id}`);
    message.attachments.push(attachmentOf(attachmentId, product, price_cents));
    const send = {
      attachment_id: attachmentId,
      message_id: id,
      conversation_id,
      fan_id: fanOf.get(conversation_id),
      product_id: product.id,
      admin_id: message.author_id,
    };
    product_sends.push({ ...send, price_cents, sent_at: message.created_at });
    const boughtAt = Date.parse(message.created_at) + random.between(2, 2_000) * MINUTE_MS;
    if (!random.chance(product.appeal) || boughtAt > now) continue;
    const refunded = random.chance(0.04) && boughtAt + DAY_MS < now;
    purchases.push({
      ...send,
      id: idOf(`purchase ${id}`),
      amount_cents: price_cents,
      payment_reference: `sample-${purchases.length + 1}`,
      payload_hash: hashOf(id),
      purchased_at: new Date(boughtAt).toISOString(),
      refunded_at: refunded ? new Date(boughtAt + DAY_MS).toISOString() : null,
      created_at: new Date(boughtAt).toISOString(),
    });
  }
}

/** Returns a product as a message's attachment. */
export function attachmentOf(id: string, product: StoredProduct, price_cents: number) {
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
