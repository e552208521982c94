/**
 * MP4 and QuickTime files consist of boxes: a size, a type of four letters, and the content. This module blanks the descriptions
 * that phones add to videos and sound recordings.
 */

import { invalidFile } from '../errors.ts';

/** Container boxes, which can hold boxes to blank. */
const OPENED = new Set(['moov', 'trak', 'moof', 'traf']);
/** Boxes to blank: the location and device, in QuickTime's and Adobe's formats, and leftovers of editors. Players need none. */
const EMPTIED = new Set(['udta', 'meta', 'uuid', 'free', 'skip', 'wide']);
/** A box type that players skip. */
const NOTHING = Buffer.from('free');

const HEADER_BYTES = 8;
/** A header with a 64-bit size after the type. */
const LONG_HEADER_BYTES = 16;

/**
 * Maximum number of boxes per file, because even an empty box costs time. An hour of live recording in two-second fragments has
 * 25,000.
 */
const BOXES_MAX = 200_000;

/**
 * Streams a file of boxes without its descriptions. They are overwritten with zeros, so that all other data keeps its position
 * and offsets remain valid. A header that continues in the next input chunk is yielded with that chunk.
 * @throws AppError 400 `invalid_file` for too many boxes
 */
export async function* withoutDescriptions(
  chunks: AsyncIterable<Buffer>,
  filename: string,
): AsyncGenerator<Buffer> {
  /** The start of a header that continues in the next chunk. */
  let begun = Buffer.alloc(0);
  /** Bytes left in the box that is being passed on or blanked. */
  let left = 0;
  let isEmptied = false;
  let boxes = 0;

  for await (const chunk of chunks) {
    const block = Buffer.concat([begun, chunk]);
    let at = 0;
    while (at < block.length) {
      if (left > 0) {
        const end = Math.min(block.length, at + left);
        if (isEmptied) block.fill(0, at, end);
        left -= end - at;
        at = end;
        continue;
      }
      const header = headerAt(block, at);
      if (header === null) break;
      if (++boxes > BOXES_MAX) {
        throw invalidFile(`“${filename}” can’t be used: it has too many parts`);
      }
      const type = header.toString('latin1', 4, HEADER_BYTES);
      isEmptied = EMPTIED.has(type);
      left = OPENED.has(type) ? 0 : contentLength(header);
      if (isEmptied) NOTHING.copy(header, 4);
      at += header.length;
    }
    begun = block.subarray(at);
    if (at > 0) yield block.subarray(0, at);
  }
  if (begun.length > 0) yield begun;
}

/** Returns a box's header from a block, or null if the block ends before the header does. */
function headerAt(block: Buffer, at: number): Buffer | null {
  if (at + HEADER_BYTES > block.length) return null;
  const length = block.readUInt32BE(at) === 1 ? LONG_HEADER_BYTES : HEADER_BYTES;
  return at + length > block.length ? null : block.subarray(at, at + length);
}

/** Returns the number of bytes after the header. A size of 0, or an impossible size, means the rest of the file. */
function contentLength(header: Buffer): number {
  const size =
    header.length === LONG_HEADER_BYTES
      ? Number(header.readBigUInt64BE(HEADER_BYTES))
      : header.readUInt32BE(0);
  return size < header.length ? Number.POSITIVE_INFINITY : size - header.length;
}
