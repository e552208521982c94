import { type Message, sendMessage } from '@stagedoor/contract/messaging/messages';
import {
  createFolder,
  createProduct,
  type Folder,
  type Product,
} from '@stagedoor/contract/selling/products';
import sharp from 'sharp';
import { type Staff, unique } from '../factories.ts';

/** Returns a picture of one color; PNG by default. */
export function buildPicture(
  overrides: {
    width?: number;
    height?: number;
    color?: string;
    format?: 'png' | 'jpeg' | 'webp';
  } = {},
): Promise<Buffer> {
  const { width = 60, height = 40, color = '#4251d4', format = 'png' } = overrides;
  return sharp({ create: { width, height, channels: 3, background: color } })
    .toFormat(format)
    .toBuffer();
}

type FormValue = string | { data: Uint8Array; filename?: string; type?: string };

/** Builds a multipart body; undefined fields are left out. */
export function buildForm(fields: Readonly<Record<string, FormValue | undefined>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (typeof value === 'string') form.append(name, value);
    else {
      const { data, filename = 'picture.png', type = 'image/png' } = value;
      form.append(name, new Blob([new Uint8Array(data)], { type }), filename);
    }
  }
  return form;
}

let picture: Promise<Buffer> | undefined;

/** Builds the form of a new product, valid by default; undefined fields are left out. */
export async function productForm(
  overrides: Readonly<Record<string, FormValue | undefined>> = {},
): Promise<FormData> {
  picture ??= buildPicture();
  const fields = { title: unique('Product'), price: '9.99', image: { data: await picture } };
  return buildForm({ ...fields, ...overrides });
}

/** Creates a product in the catalog. @param staff an admin who can change the catalog */
export async function buildProduct(
  staff: Pick<Staff, 'client'>,
  overrides: Readonly<Record<string, FormValue | undefined>> = {},
): Promise<Product> {
  const { body } = await staff.client.upload(createProduct, await productForm(overrides));
  return body.data;
}

/** A file of a new product, with its fields in the form. */
export interface MediaPart {
  readonly data: Uint8Array;
  readonly filename: string;
  readonly duration?: string;
  readonly free?: boolean;
  readonly frame?: Uint8Array;
}

/** Adds files to the form of a product. */
export function addMedia(form: FormData, media: readonly MediaPart[]): FormData {
  for (const { data, filename, duration, free, frame } of media) {
    form.append('media', new Blob([new Uint8Array(data)]), filename);
    if (duration !== undefined) form.append('duration', duration);
    if (free !== undefined) form.append('free', String(free));
    if (frame !== undefined) form.append('frame', new Blob([new Uint8Array(frame)]), 'frame.png');
  }
  return form;
}

/** Creates a product of several files. */
export async function buildBundle(
  staff: Pick<Staff, 'client'>,
  media: readonly MediaPart[],
  fields: Parameters<typeof productForm>[0] = {},
): Promise<Product> {
  const form = addMedia(await productForm(fields), media);
  return (await staff.client.upload(createProduct, form)).body.data;
}

export async function buildFolder(
  staff: Pick<Staff, 'client'>,
  name = unique('Folder'),
): Promise<Folder> {
  const { body } = await staff.client.call(createFolder, { body: { name } });
  return body.data;
}

/** Sends a message that offers products. @param price USD, of each product */
export async function buildOffer(
  staff: Pick<Staff, 'client'>,
  conversationId: string,
  products: readonly Pick<Product, 'id'>[],
  price = 9.99,
): Promise<Message> {
  const { body } = await staff.client.call(sendMessage, {
    headers: { 'idempotency-key': unique('temp') },
    body: {
      conversation_id: conversationId,
      content: ' ',
      attachments: products.map(({ id }) => ({ product_id: id, price, is_paid: true as const })),
    },
  });
  return body.data;
}
