import { Readable } from 'node:stream';
import { IMAGE_MAX_BYTES } from '@stagedoor/contract/media';
import { newId } from '../db/new-id.ts';
import { invalidFile } from '../errors.ts';
import type { FilePart } from '../http/multipart.ts';
import { inBlocks } from './blocks.ts';
import { withoutDescriptions } from './boxes.ts';
import { cleanFilename, withExtension } from './filenames.ts';
import { processImage } from './images.ts';
import { HEAD_BYTES, inspect } from './inspect.ts';
import type { NewObjects } from './new-objects.ts';
import type { Pictures, Sender } from './pictures.ts';
import type { StoredAttachment } from './stored-attachment.ts';

/** Formats that phones record, and in which they store the location. */
const BOXED = new Set(['video/mp4', 'video/quicktime', 'audio/mp4']);

/**
 * Stores one file of an upload. Re-encodes pictures, blanks metadata such as the location in MP4, QuickTime and M4A files, and
 * streams all others unchanged.
 * @throws AppError 400 `invalid_file`, 413 `payload_too_large`, 503 `unavailable`, 507 `storage_full`
 */
export async function storeFile(
  objects: NewObjects,
  pictures: Pictures,
  sender: Sender,
  part: FilePart,
): Promise<StoredAttachment> {
  const filename = cleanFilename(part.filename);
  const { head, rest } = await readHead(part.body);
  if (head.length === 0) throw invalidFile(`“${filename}” is empty`);
  const { type, mime_type } = await inspect(head, filename, part.contentType);
  const common = { id: newId(), type, product: null };
  if (type === 'image') {
    const picture = await pictures.take(chain(head, rest), IMAGE_MAX_BYTES, filename);
    try {
      return await pictures.inTurn(picture, sender, async (input) => {
        const { by, signal } = sender;
        const image = await processImage(input, filename, { by: by.kind, signal });
        const file = await objects.put('uploads', image.data, image.mime_type);
        const thumbnail = await objects.put('uploads', image.thumbnail, 'image/webp');
        const others = image.extension === 'jpg' ? ['jpeg'] : [];
        return {
          ...common,
          key: file.key,
          thumbnail_key: thumbnail.key,
          filename: withExtension(filename, image.extension, others),
          size: file.size,
          mime_type: image.mime_type,
          width: image.width,
          height: image.height,
        };
      });
    } finally {
      await picture.close();
    }
  }
  const whole = inBlocks(chain(head, rest));
  const content = BOXED.has(mime_type) ? withoutDescriptions(whole, filename) : whole;
  const file = await objects.put('uploads', Readable.from(content), mime_type);
  return {
    ...common,
    key: file.key,
    thumbnail_key: null,
    filename,
    size: file.size,
    mime_type,
    width: null,
    height: null,
  };
}

/** Returns the first bytes of a stream, and the rest of it. */
async function readHead(body: Readable): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const chunks: Buffer[] = [];
  let length = 0;
  const iterator = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  return { head: Buffer.concat(chunks), rest: { [Symbol.asyncIterator]: () => iterator } };
}

async function* chain(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}
