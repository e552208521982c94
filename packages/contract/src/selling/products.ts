import * as z from 'zod/mini';
import { del, get, managed, patch, post } from '../endpoint.ts';
import { BUNDLE_FILES_MAX, BundleFile } from '../media.ts';
import {
  byId,
  dataOf,
  lookupId,
  namedObject,
  priceUsd,
  requiredText,
  sentence,
  text,
  timestamp,
} from '../primitives.ts';

/** The largest product picture, in bytes. */
export const PRODUCT_IMAGE_MAX_BYTES = 10 * 1024 * 1024;
/** The longer side of a product's thumbnail, in pixels. */
export const PRODUCT_THUMBNAIL_PIXELS = 400;
/** The suggested price of a new product, in USD. */
export const DEFAULT_PRODUCT_PRICE = 9.99;
/** The lowest price and the price step, in USD. */
export const PRICE_STEP = 0.01;
/** The longest description of a product or a folder. */
export const DESCRIPTION_MAX_CHARS = 5_000;

const PRODUCTS_MAX = 5_000;
/** The maximum duration of a video or audio file, in seconds. */
const DURATION_MAX = 100 * 60 * 60;

/** Pictures, videos and audio sold in messages. */
export const Product = namedObject('Product', {
  id: z.string(),
  title: z.string(),
  description: z.nullable(z.string()),
  /** The default price in a message, in USD. */
  price: z.number(),
  folder_id: z.nullable(z.string()),
  /** A short-lived URL for staff. */
  image_url: z.string(),
  /** At most {@link PRODUCT_THUMBNAIL_PIXELS} wide and high; null for old products without a thumbnail. */
  thumbnail_url: z.nullable(z.string()),
  preview_url: z.string(),
  preview_s3_key: z.string(),
  full_s3_key: z.string(),
  product_type: z.enum(['message_attachment', 'standalone']),
  is_active: z.boolean(),
  /** The product's files, in order. A product created without `media` has one file: its image. */
  media: z.array(BundleFile),
  /** How often it was offered in messages. */
  times_sent: z.int(),
  /** How often fans bought it, without refunded purchases. */
  times_purchased: z.int(),
  created_at: timestamp,
});
export type Product = z.infer<typeof Product>;

export const Folder = namedObject('Folder', {
  id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
});
export type Folder = z.infer<typeof Folder>;

/** A fan's history with a product, shown before it is offered again. */
export const ProductOffer = namedObject('ProductOffer', {
  product_id: z.string(),
  times_sent: z.int(),
  last_sent_at: timestamp,
  purchased: z.boolean(),
  /** When the fan bought it; null if the fan doesn't own it. */
  purchased_at: z.nullable(timestamp),
});
export type ProductOffer = z.infer<typeof ProductOffer>;

const title = requiredText(200, 'Title is required');
const description = z.nullable(text(DESCRIPTION_MAX_CHARS));
const folderName = requiredText(200, 'Folder name is required');
const productReply = z.object({ data: Product });
const folderReply = z.object({ data: Folder });
const deleted = { 200: dataOf({ deleted: z.literal(true) }) };

/** The text fields of a product's multipart form. A blank description or folder is treated as missing. */
export const ProductFields = z.strictObject({
  title,
  description: z.optional(text(DESCRIPTION_MAX_CHARS)),
  price: z.pipe(z.coerce.number(sentence('Please enter a valid price')), priceUsd),
  folder_id: z.optional(lookupId),
});
export type ProductFields = z.infer<typeof ProductFields>;

/** The form fields that describe a file. They follow the file's `media` part. */
export const MediaFields = z.strictObject({
  /** Seconds. */
  duration: z.optional(z.coerce.number().check(z.positive(), z.lte(DURATION_MAX))),
  free: z.optional(z.stringbool()),
});

export const listProducts = get('/api/products', {
  summary: `List the catalog, newest first; at most ${PRODUCTS_MAX} products.`,
  auth: 'admin',
  query: z.object({ folder_id: z.optional(lookupId) }),
  replies: { 200: z.object({ data: z.array(Product) }) },
});

export const createProduct = post('/api/products', {
  summary: `Add a product: multipart with \`title\`, \`description\`, \`price\`, optional \`folder_id\`, \`image\` (the cover), and up to ${BUNDLE_FILES_MAX} \`media\`: pictures, videos, audio. Each \`media\` may be followed by its \`duration\` in seconds, \`free=true\` and, for a video, \`frame\`: a picture of it. Without \`media\`, the image is the product’s file.`,
  ...managed,
  upload: true,
  replies: { 201: productReply },
  errors: ['invalid_file', 'folder_not_found', 'payload_too_large', 'storage_full'],
});

export const updateProduct = patch('/api/products/{id}', {
  summary:
    'Update the given fields. The image and the files cannot be replaced. `media` lists files in their new order and marks free ones; unlisted files come last. A file’s other fields can be repeated, but not changed. Messages already sent keep their own title, price and files.',
  ...managed,
  params: byId,
  body: z.strictObject({
    title: z.optional(title),
    description: z.optional(description),
    price: z.optional(priceUsd),
    folder_id: z.optional(z.nullable(lookupId)),
    is_active: z.optional(z.boolean()),
    media: z.optional(
      z
        .array(
          z.strictObject({
            ...z.partial(z.object(BundleFile.shape)).shape,
            id: lookupId,
          }),
        )
        .check(z.maxLength(BUNDLE_FILES_MAX)),
    ),
  }),
  replies: { 200: productReply },
  errors: ['product_not_found', 'folder_not_found'],
});

export const deleteProduct = del('/api/products/{id}', {
  summary:
    'Remove a product from the catalog. Messages already sent and fans who bought it keep it.',
  ...managed,
  params: byId,
  replies: deleted,
  errors: ['product_not_found'],
});

export const listOffers = get('/api/messages/admin/conversation/{id}/offers', {
  summary: 'The products sent to the conversation’s fan, and whether the fan bought them.',
  auth: 'admin',
  params: byId,
  replies: { 200: z.object({ data: z.array(ProductOffer) }) },
  errors: ['conversation_not_found'],
});

export const listFolders = get('/api/folders', {
  summary: 'The catalog’s folders, sorted by name.',
  auth: 'admin',
  replies: { 200: z.object({ data: z.array(Folder) }) },
});

export const createFolder = post('/api/folders', {
  summary: 'Add a folder. Names must be unique, ignoring case.',
  ...managed,
  body: z.strictObject({ name: folderName, description: z.optional(description) }),
  replies: { 201: folderReply },
  errors: ['folder_exists'],
});

export const updateFolder = patch('/api/folders/{id}', {
  summary: 'Rename a folder.',
  ...managed,
  params: byId,
  body: z.strictObject({ name: folderName, description: z.optional(description) }),
  replies: { 200: folderReply },
  errors: ['folder_not_found', 'folder_exists'],
});

export const deleteFolder = del('/api/folders/{id}', {
  summary: 'Delete a folder. Its products stay in the catalog without a folder.',

  ...managed,
  params: byId,
  replies: deleted,
  errors: ['folder_not_found'],
});
