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

/** A product's stored picture. The size is that of the full picture, in bytes. */
interface StoredPicture {
  readonly full_key: string;
  readonly preview_key: string;
  readonly thumbnail_key: string;
  readonly size: number;
}
/** Stores a product's picture (JPEG) with its preview and thumbnail. */
export type StorePicture = (picture: Buffer) => Promise<StoredPicture>;

/** Stores a file of a product and, for a picture, a thumbnail. */
export type StoreFile = (
  file: Buffer,
  mimeType: string,
) => Promise<{
  readonly key: string;
  readonly thumbnail_key: string | null;
  readonly size: number;
}>;

type StoredFile = Awaited<ReturnType<typeof storeBundle>>[number];

export type StoredProduct = SampleProduct &
  StoredPicture & {
    readonly id: string;
    readonly width: number;
    readonly height: number;
    readonly media: readonly StoredFile[];
  };

/** The rows of products and sales, in an order in which they can be inserted. */
export interface SaleTables {
  readonly folders: Row[];
  readonly products: Row[];
  readonly product_media: Row[];
  readonly product_sends: Row[];
  readonly purchases: Row[];
  readonly tips: Row[];
}

/** Paints and stores the products' pictures one at a time: painting blocks the server, which must renew its instance lock. */
export async function storeProducts(
  storePicture: StorePicture,
  storeFile: StoreFile,
): Promise<StoredProduct[]> {
  const stored: StoredProduct[] = [];
  for (const product of PRODUCTS) {
    const { data, width, height } = await paint(product.painting);
    const id = idOf(`product ${product.painting}`);
    const media = product.painting === BUNDLE ? await storeBundle(storeFile) : [];
    stored.push({ ...product, ...(await storePicture(data)), id, width, height, media });
  }
  return stored;
}

/** The product that has several files. */
const BUNDLE: PaintingName = 'petals';

/** Stores two pictures and a recording. Fans see the first picture before buying. */
async function storeBundle(storeFile: StoreFile) {
  const common = { width: null, height: null, duration: null, free: false } as const;
  const files = [];
  for (const painting of ['clouds', BUNDLE] as const) {
    const { data, width, height } = await paint(painting);
    const type = 'image' as const;
    const about = { type, mime_type: 'image/jpeg', filename: `${painting}.jpg`, width, height };
    const free = painting !== BUNDLE;
    files.push({ ...common, ...about, ...(await storeFile(data, about.mime_type)), free });
  }
  const about = { type: 'audio', mime_type: 'audio/wav', filename: 'hello.wav' } as const;
  const sound = await storeFile(chime(), about.mime_type);
  files.push({ ...common, ...about, ...sound, duration: CHIME_SECONDS });
  return files.map((file) => ({ id: idOf(`product file ${file.filename}`), ...file }));
}

const CHIME_SECONDS = 2;
const SAMPLES_PER_SECOND = 8_000;

/** Returns a fading tone as a WAV file. */
function chime(): Buffer {
  const head = 44;
  const wave = Buffer.alloc(head + CHIME_SECONDS * SAMPLES_PER_SECOND);
  wave.write('RIFF', 'latin1');
  wave.writeUInt32LE(wave.length - 8, 4);
  wave.write('WAVEfmt ', 8, 'latin1');
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  wave.writeUInt32LE(SAMPLES_PER_SECOND, 28);
  wave.writeUInt16LE(1, 32);
  wave.writeUInt16LE(8, 34);
  wave.write('data', 36, 'latin1');
  wave.writeUInt32LE(wave.length - head, 40);
  for (let n = 0; n < wave.length - head; n++) {
    const seconds = n / SAMPLES_PER_SECOND;
    wave[head + n] = 128 + 90 * Math.sin(2 * Math.PI * 523 * seconds) * Math.exp(-2 * seconds);
  }
  return wave;
}

/**
 * Returns the catalog and its sales, and attaches the offers to staff messages.
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
    product_media: [],
    product_sends: [],
    purchases: [],
    tips: sampleTips(fans, now),
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
    rows.product_media.push(
      ...product.media.map(({ key, ...file }, position) => ({
        ...file,
        product_id: product.id,
        position,
        storage_key: key,
      })),
    );
  });
  return rows;
}

/** Tips: the amount in cents, and the fan's message. */
const TIPS: readonly (readonly [cents: number, message: string | null])[] = [
  [500, null],
  [1000, 'Thank you for last night!'],
  [2000, 'For the new strings'],
  [500, 'You made my day'],
  [5000, null],
];

/** Lets some fans tip a minute after a staff message, and credits the message's author. */
function sampleTips({ messages, conversations }: FanTables, now: number): Row[] {
  const fanOf = new Map(conversations.map(({ id, fan_id }) => [id, fan_id]));
  const tipped = messages
    .filter((message) => !message.from_fan && Date.parse(message.created_at) + MINUTE_MS < now)
    .filter((_, index) => index % 61 === 5);
  return tipped.map(({ id, conversation_id, author_id, created_at }, index) => {
    const [amount_cents, message] = TIPS[index % TIPS.length] ?? [500, null];
    return {
      id: idOf(`tip ${id}`),
      conversation_id,
      fan_id: fanOf.get(conversation_id),
      admin_id: author_id,
      amount_cents,
      message,
      payment_reference: `sample-tip-${index + 1}`,
      payload_hash: hashOf(`tip ${id}`),
      tipped_at: new Date(Date.parse(created_at) + MINUTE_MS).toISOString(),
    };
  });
}

/** Maximum number of offers per conversation. */
const OFFERS_MAX = 8;

/** Offers products in up to half of the staff messages, oldest first, and lets some fans buy them. */
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
      campaign_id: null,
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
      ...(product.media.length > 0 && { media: product.media }),
    },
  };
}
