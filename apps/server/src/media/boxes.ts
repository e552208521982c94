/**
 * MP4 and QuickTime files are made of boxes: a size, a type of four letters, and what is in it. Here is what phones write
 * into them beside the pictures and the sound.
 */

import { invalidFile } from '../errors.ts';

/** What only holds other boxes, among which are some to be emptied. */
const OPENED = new Set(['moov', 'trak', 'moof', 'traf']);
/**
 * Where it was recorded and with what, by QuickTime's ways and by Adobe's, and what an editor has left behind. Players need
 * none of it.
 */
const EMPTIED = new Set(['udta', 'meta', 'uuid', 'free', 'skip', 'wide']);
/** A box that players skip. */
const NOTHING = Buffer.from('free');

const HEADER_BYTES = 8;
/** With a size of 64 bits, which is behind the type. */
const LONG_HEADER_BYTES = 16;

/** Boxes of one file. An hour of live recording in fragments of two seconds has 25,000; each costs time, however small it is. */
const BOXES_MAX = 200_000;

/**
 * Streams a file of boxes without its descriptions: these are filled with zeros in place, so that everything else stays where it is
 * and what points to it keeps pointing there. It comes out in blocks like those that come in.
 * @throws AppError 400 `invalid_file` for too many boxes
 */
export async function* withoutDescriptions(
  chunks: AsyncIterable<Buffer>,
  filename: string,
): AsyncGenerator<Buffer> {
  /** The beginning of a header that the last chunk ended in. */
  let begun = Buffer.alloc(0);
  /** Bytes that are left of the box that is passed on, or emptied. */
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

/** A box's header within a block; null where the block ends before it does. */
function headerAt(block: Buffer, at: number): Buffer | null {
  if (at + HEADER_BYTES > block.length) return null;
  const length = block.readUInt32BE(at) === 1 ? LONG_HEADER_BYTES : HEADER_BYTES;
  return at + length > block.length ? null : block.subarray(at, at + length);
}

/** Bytes behind a whole header. A size of 0 means all the rest, and so does one that can't be. */
function contentLength(header: Buffer): number {
  const size =
    header.length === LONG_HEADER_BYTES
      ? Number(header.readBigUInt64BE(HEADER_BYTES))
      : header.readUInt32BE(0);
  return size < header.length ? Number.POSITIVE_INFINITY : size - header.length;
}
