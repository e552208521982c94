import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { IMAGE_MAX_BYTES } from '@stagedoor/contract/media';
import { AppError, invalidFile } from '../../errors.ts';
import type { FilePart } from '../../http/multipart.ts';
import { inBlocks } from './blocks.ts';
import { withoutDescriptions } from './boxes.ts';
import { cleanFilename, withExtension } from './filenames.ts';
import { processImage } from './images.ts';
import { HEAD_BYTES, inspect } from './inspect.ts';
import type { NewObjects } from './new-objects.ts';
import type { StoredAttachment } from './stored-attachment.ts';

/** What phones record, and write into where that was. */
const BOXED = new Set(['video/mp4', 'video/quicktime', 'audio/mp4']);

/**
 * Takes in one file of an upload: pictures are made anew, videos lose their descriptions, all else is streamed as it is.
 * @throws AppError 400 `invalid_file`, 413 `payload_too_large`, 507 `storage_full`
 */
export async function storeFile(objects: NewObjects, part: FilePart): Promise<StoredAttachment> {
  const filename = cleanFilename(part.filename);
  const { head, rest } = await readHead(part.body);
  if (head.length === 0) throw invalidFile(`“${filename}” is empty`);
  const { type, mime_type } = await inspect(head, filename, part.contentType);
  const common = { id: randomUUID(), type, product: null };
  if (type === 'image') {
    const image = await processImage(
      await collect(head, rest, IMAGE_MAX_BYTES, filename),
      filename,
    );
    const file = await objects.put('uploads', image.data, image.mime_type);
    const thumbnail = await objects.put('uploads', image.thumbnail, 'image/webp');
    return {
      ...common,
      key: file.key,
      thumbnail_key: thumbnail.key,
      filename: withExtension(filename, image.extension, image.extension === 'jpg' ? ['jpeg'] : []),
      size: file.size,
      mime_type: image.mime_type,
      width: image.width,
      height: image.height,
    };
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

/**
 * Reads a picture whole.
 * @param maxBytes beyond which it is refused without reading on
 * @throws AppError 413 `payload_too_large`
 */
export function readImage(part: FilePart, maxBytes: number): Promise<Buffer> {
  return collect(Buffer.alloc(0), part.body, maxBytes, cleanFilename(part.filename));
}

/** The first bytes of a stream, and what is left of it. */
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

async function collect(
  head: Buffer,
  rest: AsyncIterable<Buffer>,
  maxBytes: number,
  filename: string,
): Promise<Buffer> {
  const chunks = [head];
  let length = head.length;
  for await (const chunk of rest) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) {
      const megabytes = Math.floor(maxBytes / 1024 / 1024);
      throw new AppError('payload_too_large', {
        message: `“${filename}” is too large: a picture may have at most ${megabytes} MB`,
      });
    }
  }
  return Buffer.concat(chunks);
}
