/**
 * MP4 and QuickTime files are made of boxes: a size, a type of four letters, and what is in it. Here is what phones write
 * into them beside the pictures and the sound.
 */

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

/**
 * A file of boxes as it comes, without its descriptions: these are filled with zeros where they are, so that everything else
 * stays in its place and what points to it keeps pointing there.
 */
export async function* withoutDescriptions(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  /** The beginning of a box, as far as it has come. */
  let header = Buffer.alloc(0);
  /** Bytes that are left of the box that is passed on, or emptied. */
  let left = 0;
  let isEmptied = false;

  for await (const chunk of chunks) {
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const end = Math.min(chunk.length, at + left);
        yield isEmptied ? Buffer.alloc(end - at) : chunk.subarray(at, end);
        left -= end - at;
        at = end;
        continue;
      }
      const wanted = headerLength(header);
      const end = Math.min(chunk.length, at + wanted - header.length);
      header = Buffer.concat([header, chunk.subarray(at, end)]);
      at = end;
      if (header.length < headerLength(header)) continue;
      const type = header.toString('latin1', 4, HEADER_BYTES);
      isEmptied = EMPTIED.has(type);
      left = OPENED.has(type) ? 0 : contentLength(header);
      if (isEmptied) NOTHING.copy(header, 4);
      yield header;
      header = Buffer.alloc(0);
    }
  }
  if (header.length > 0) yield header;
}

/** How long a header is, by what has come of it. */
function headerLength(header: Buffer): number {
  const isLong = header.length >= HEADER_BYTES && header.readUInt32BE(0) === 1;
  return isLong ? LONG_HEADER_BYTES : HEADER_BYTES;
}

/** Bytes behind a whole header. A size of 0 means all the rest, and so does one that can't be. */
function contentLength(header: Buffer): number {
  const size =
    header.length === LONG_HEADER_BYTES
      ? Number(header.readBigUInt64BE(HEADER_BYTES))
      : header.readUInt32BE(0);
  return size < header.length ? Number.POSITIVE_INFINITY : size - header.length;
}
