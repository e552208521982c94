import type { Readable } from 'node:stream';
import { toCents } from '@stagedoor/contract/selling/cents';
import {
  PRODUCT_IMAGE_MAX_BYTES,
  PRODUCT_THUMBNAIL_PIXELS,
  ProductFields,
} from '@stagedoor/contract/selling/products';
import { isUuid } from '../../db/database.ts';
import { AppError, folderNotFound, invalidRequest, mismatch } from '../../errors.ts';
import type { FilePart, Upload } from '../../http/multipart.ts';
import { cleanFilename } from '../../media/filenames.ts';
import { makePreview, processImage } from '../../media/images.ts';
import { HEAD_BYTES, inspect } from '../../media/inspect.ts';
import { withNewObjects } from '../../media/new-objects.ts';
import type { UploadStores } from '../../media/pictures.ts';
import type { Spooled } from '../../media/spool.ts';
import { insertProduct, type ProductRow } from './products.store.ts';

interface SentImage {
  readonly picture: Spooled;
  readonly filename: string;
}

interface ProductForm {
  readonly image: SentImage;
  readonly fields: ProductFields;
}

type Take = (body: Readable, filename: string) => Promise<Spooled>;

/**
 * Receives the form of a new product and stores its row with all its files, or nothing.
 * @throws AppError 400 `invalid_request`, `invalid_file`; 404 `folder_not_found`; 413 `payload_too_large`; 503 `unavailable`; 507
 * `storage_full`
 */
export async function receiveProduct(
  stores: UploadStores,
  parts: Upload,
  adminId: string,
): Promise<ProductRow> {
  const taken: Spooled[] = [];
  try {
    const { image, fields } = await readForm(parts, async (body, filename) => {
      const picture = await stores.pictures.take(body, PRODUCT_IMAGE_MAX_BYTES - 1, filename);
      taken.push(picture);
      return picture;
    });
    return await storeProduct(stores, { image, fields, adminId, signal: parts.signal });
  } finally {
    for (const picture of taken) await picture.close();
  }
}

async function storeProduct(
  stores: UploadStores,
  { image, fields, adminId, signal }: ProductForm & { adminId: string; signal: AbortSignal },
): Promise<ProductRow> {
  const folderId = fields.folder_id?.trim() || null;
  if (folderId !== null && !isUuid(folderId)) throw folderNotFound();
  const by = { kind: 'staff', id: adminId } as const;
  return stores.pictures.inTurn(image.picture, { by, signal }, async (input) => {
    const options = { by: by.kind, signal, thumbnailPixels: PRODUCT_THUMBNAIL_PIXELS };
    const picture = await processImage(input, image.filename, options);
    const preview = await makePreview(picture.data);
    return withNewObjects(stores, async (objects) => {
      const full = await objects.put('products', picture.data, picture.mime_type);
      const blurred = await objects.put('products', preview, 'image/webp');
      const thumbnail = await objects.put('products', picture.thumbnail, 'image/webp');
      return stores.db.kysely.transaction().execute(async (tx) => {
        const row = await insertProduct(tx, adminId, {
          title: fields.title,
          description: fields.description?.trim() || null,
          price_cents: toCents(fields.price),
          folder_id: folderId,
          full_key: full.key,
          preview_key: blurred.key,
          thumbnail_key: thumbnail.key,
          mime_type: picture.mime_type,
          size: full.size,
          width: picture.width,
          height: picture.height,
        });
        if (row === null) throw folderNotFound();
        await objects.keep(tx);
        return row;
      });
    });
  });
}

/** Reads the whole form first, because fields may follow the picture. */
async function readForm(parts: Upload, take: Take): Promise<ProductForm> {
  const texts = new Map<string, string>();
  let image: SentImage | null = null;
  for await (const part of parts) {
    const again = part.kind === 'file' ? image !== null : texts.has(part.name);
    if (again || (part.kind === 'file' && part.name !== 'image')) {
      throw invalidRequest({
        [part.name.slice(0, 50)]: 'Not a field of this form, or sent twice',
      });
    }
    if (part.kind === 'file') image = await readProductImage(part, take);
    else texts.set(part.name, part.value);
  }
  if (image === null) throw invalidImage('Please select an image');
  const parsed = ProductFields.safeParse(Object.fromEntries(texts));
  if (parsed.success) return { image, fields: parsed.data };
  throw mismatch(parsed.error.issues);
}

/** @returns null for the empty file that a browser sends if none was chosen */
async function readProductImage(part: FilePart, take: Take): Promise<SentImage | null> {
  const filename = cleanFilename(part.filename);
  const picture = await take(part.body, filename).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'payload_too_large') throw error;
    const megabytes = PRODUCT_IMAGE_MAX_BYTES / 1024 / 1024;
    const message = `File size must be less than ${megabytes}MB`;
    throw new AppError('payload_too_large', { message, fields: { image: message } });
  });
  if (picture.size === 0) return null;
  const { type } = await inspect(await picture.head(HEAD_BYTES), filename, part.contentType);
  if (type !== 'image') throw invalidImage('Please select an image file');
  return { picture, filename };
}

const invalidImage = (message: string) =>
  new AppError('invalid_file', { message, fields: { image: message } });
