import { AVATAR_MAX_BYTES, AVATAR_TYPES } from '@stagedoor/contract/team/creator';
import { AppError, invalidRequest } from '../../errors.ts';
import type { FilePart, Upload } from '../../http/multipart.ts';
import { cleanFilename } from '../../media/filenames.ts';
import { makeSquare } from '../../media/images.ts';
import { HEAD_BYTES, inspect } from '../../media/inspect.ts';
import { withNewObjects } from '../../media/new-objects.ts';
import type { Pictures, Sender, UploadStores } from '../../media/pictures.ts';
import { findCreator, insertAvatarUpload } from './creator.store.ts';

/** Width and height of the stored picture, in pixels. */
const SIDE = 512;

/** Accepted media types, as detected from the content. */
const TYPES: ReadonlySet<string> = new Set([...AVATAR_TYPES, 'image/apng']);

/**
 * Receives the upload form for the creator's picture and stores the picture.
 * @returns the picture's key; only this admin can set it as the creator's picture
 * @throws AppError 400 `invalid_request`, `invalid_file`; 413 `payload_too_large`; 503 `unavailable`; 507 `storage_full`
 */
export async function receiveAvatar(
  stores: UploadStores,
  parts: Upload,
  adminId: string,
): Promise<string> {
  const { picture, userId } = await readForm(stores.pictures, parts, adminId);
  const creator = await findCreator(stores.db.kysely);
  if (userId !== creator.id) throw notTheCreator();
  return withNewObjects(stores, async (objects) => {
    const { key } = await objects.put('avatars', picture, 'image/webp');
    await insertAvatarUpload(stores.db, objects, { key, adminId });
    return key;
  });
}

/** Returns the error for a `userId` other than the creator's. */
export const notTheCreator = () => invalidRequest({ userId: 'Must be the creator’s id' });

async function readForm(
  pictures: Pictures,
  parts: Upload,
  adminId: string,
): Promise<{ picture: Buffer; userId: string | null }> {
  const sender: Sender = { by: { kind: 'staff', id: adminId }, signal: parts.signal };
  let picture: Buffer | null = null;
  let userId: string | null = null;
  for await (const part of parts) {
    if (part.kind === 'file' && part.name === 'avatar' && picture === null) {
      picture = await readPicture(pictures, sender, part);
    } else if (part.kind === 'field' && part.name === 'userId' && userId === null) {
      userId = part.value;
    } else {
      throw invalidRequest({
        [part.name.slice(0, 50)]: 'Not a field of this form, or sent twice',
      });
    }
  }
  if (picture === null) throw notAPicture();
  return { picture, userId };
}

async function readPicture(pictures: Pictures, sender: Sender, part: FilePart): Promise<Buffer> {
  const filename = cleanFilename(part.filename);
  const taken = pictures.take(part.body, AVATAR_MAX_BYTES - 1, filename);
  const picture = await taken.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'payload_too_large') throw error;
    const message = `Image file must be less than ${AVATAR_MAX_BYTES / 1024 / 1024}MB`;
    throw new AppError('payload_too_large', { message, fields: { avatar: message } });
  });
  try {
    const { mime_type } = await inspect(await picture.head(HEAD_BYTES), filename, '');
    if (!TYPES.has(mime_type)) throw notAPicture();
    return await pictures.inTurn(picture, sender, (input) => makeSquare(input, SIDE, filename));
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid_file' ? notAPicture() : error;
  } finally {
    await picture.close();
  }
}

function notAPicture(): AppError {
  const message = 'Please select a valid image file (JPG, PNG, WEBP, or GIF)';
  return new AppError('invalid_file', { message, fields: { avatar: message } });
}
