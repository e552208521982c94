import { BUNDLE_FILES_MAX, BUNDLE_MAX_BYTES, IMAGE_MAX_BYTES } from '@stagedoor/contract/media';
import { toCents } from '@stagedoor/contract/selling/cents';
import {
  MediaFields,
  PRODUCT_IMAGE_MAX_BYTES,
  PRODUCT_THUMBNAIL_PIXELS,
  ProductFields,
} from '@stagedoor/contract/selling/products';
import type * as z from 'zod/mini';
import { isUuid } from '../../db/database.ts';
import { AppError, folderNotFound, invalidFile, invalidRequest, mismatch } from '../../errors.ts';
import type { FieldPart, FilePart, Part, Upload } from '../../http/multipart.ts';
import { cleanFilename } from '../../media/filenames.ts';
import { makePreview, processImage } from '../../media/images.ts';
import { HEAD_BYTES, inspect } from '../../media/inspect.ts';
import { type NewObjects, withNewObjects } from '../../media/new-objects.ts';
import type { Sender, UploadStores } from '../../media/pictures.ts';
import type { Spooled } from '../../media/spool.ts';
import { storeFile } from '../../media/store-file.ts';
import type { StoredBundleFile } from '../../media/stored-attachment.ts';
import { insertMedia, insertProduct, type ProductRow } from './products.store.ts';

interface SentImage {
  readonly picture: Spooled;
  readonly filename: string;
}

interface ProductForm {
  readonly image: SentImage;
  readonly media: readonly StoredBundleFile[];
  readonly fields: ProductFields;
}

/** Receivers of the form's files. The image waits on disk until the whole form has arrived; the others are stored immediately. */
interface Receivers {
  image(part: FilePart): Promise<SentImage | null>;
  media(part: FilePart): Promise<StoredBundleFile>;
  frame(part: FilePart): Promise<Pick<StoredBundleFile, 'thumbnail_key' | 'width' | 'height'>>;
}

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
  const sender = { by: { kind: 'staff', id: adminId }, signal: parts.signal } as const;
  const taken: Spooled[] = [];
  const take = async (part: FilePart, maxBytes: number) => {
    const picture = await stores.pictures.take(part.body, maxBytes, cleanFilename(part.filename));
    taken.push(picture);
    return picture;
  };
  try {
    return await withNewObjects(stores, async (objects) => {
      const form = await readForm(parts, {
        image: (part) => readProductImage(part, take),
        media: (part) => storeMedia(objects, stores, sender, part),
        async frame(part) {
          const filename = cleanFilename(part.filename);
          return stores.pictures.inTurn(
            await take(part, IMAGE_MAX_BYTES),
            sender,
            async (input) => {
              const { by, signal } = sender;
              const image = await processImage(input, filename, { by: by.kind, signal });
              const { key } = await objects.put('products', image.thumbnail, 'image/webp');
              return { thumbnail_key: key, width: image.width, height: image.height };
            },
          );
        },
      });
      return await storeProduct(stores, objects, sender, form);
    });
  } finally {
    for (const picture of taken) await picture.close();
  }
}

async function storeProduct(
  stores: UploadStores,
  objects: NewObjects,
  sender: Sender,
  { image, media, fields }: ProductForm,
): Promise<ProductRow> {
  const folderId = fields.folder_id?.trim() || null;
  if (folderId !== null && !isUuid(folderId)) throw folderNotFound();
  const { by, signal } = sender;
  return stores.pictures.inTurn(image.picture, sender, async (input) => {
    const options = { by: 'staff', signal, thumbnailPixels: PRODUCT_THUMBNAIL_PIXELS } as const;
    const picture = await processImage(input, image.filename, options);
    const preview = await makePreview(picture.data);
    const full = await objects.put('products', picture.data, picture.mime_type);
    const blurred = await objects.put('products', preview, 'image/webp');
    const thumbnail = await objects.put('products', picture.thumbnail, 'image/webp');
    return stores.db.kysely.transaction().execute(async (tx) => {
      const row = await insertProduct(tx, by.id, {
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
      await insertMedia(tx, row.id, media);
      await objects.keep(tx);
      return { ...row, media };
    });
  });
}

/** Reads the whole form first, because fields may follow the picture. */
async function readForm(parts: Upload, receive: Receivers): Promise<ProductForm> {
  const texts = new Map<string, string>();
  let image: SentImage | null = null;
  const media: StoredBundleFile[] = [];
  let about = new Set<string>();
  for await (const part of parts) {
    const last = media.at(-1);
    if (part.name === 'media' && part.kind === 'file') {
      if (media.length === BUNDLE_FILES_MAX) throw tooMuch(`At most ${BUNDLE_FILES_MAX} files`);
      media.push(await receive.media(part).catch(explained));
      about = new Set();
      if (media.reduce((bytes, { size }) => bytes + size, 0) > BUNDLE_MAX_BYTES)
        throw tooMuch(`A product can have at most ${BUNDLE_MAX_BYTES / 1024 ** 3} GB of files`);
    } else if (last !== undefined && isAbout(part, last) && !about.has(part.name)) {
      about.add(part.name);
      Object.assign(last, part.kind === 'file' ? await receive.frame(part) : readMediaField(part));
    } else if (part.kind === 'file' && part.name === 'image' && image === null) {
      image = await receive.image(part);
    } else if (part.kind === 'field' && !texts.has(part.name)) {
      texts.set(part.name, part.value);
    } else {
      throw invalidRequest({
        [part.name.slice(0, 50)]: 'Not a field of this form, or sent twice',
      });
    }
  }
  if (image === null) throw invalidImage('Please select an image');
  const parsed = ProductFields.safeParse(Object.fromEntries(texts));
  if (parsed.success) return { image, media, fields: parsed.data };
  throw mismatch(parsed.error.issues);
}

/** Returns whether a part describes the file before it in the form. */
function isAbout({ kind, name }: Part, { type }: StoredBundleFile): boolean {
  return kind === 'file' ? name === 'frame' && type === 'video' : name in MediaFields.shape;
}

function readMediaField({ name, value }: FieldPart): z.infer<typeof MediaFields> {
  const parsed = MediaFields.safeParse({ [name]: value });
  if (parsed.success) return parsed.data;
  throw mismatch(parsed.error.issues);
}

async function storeMedia(
  objects: NewObjects,
  { pictures }: UploadStores,
  sender: Sender,
  part: FilePart,
): Promise<StoredBundleFile> {
  const { type, product: _none, ...file } = await storeFile(objects, pictures, sender, part);
  if (type === 'file') throw invalidFile(`“${file.filename}” is no picture, video or audio`);
  return { ...file, type, duration: null, free: false };
}

/** Rethrows an error about one of the form's files, with the name of the form's field. */
function explained(error: unknown): never {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  const { code, message } = error;
  throw new AppError(code, { message, fields: { media: message } });
}

/** @returns null for the empty file that a browser sends if no image was chosen */
async function readProductImage(
  part: FilePart,
  take: (part: FilePart, maxBytes: number) => Promise<Spooled>,
): Promise<SentImage | null> {
  const filename = cleanFilename(part.filename);
  const picture = await take(part, PRODUCT_IMAGE_MAX_BYTES - 1).catch((error: unknown) => {
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
const tooMuch = (message: string) =>
  new AppError('payload_too_large', { message, fields: { media: message } });
