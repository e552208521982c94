/**
 * Parses image files without a decoder, because a malicious file could keep a decoder busy endlessly. The parsing runs on the event
 * loop, so each function takes a bounded number of steps.
 */

/** The picture has more chunks or blocks than any real program writes. */
export class TooManyPieces extends Error {}

/** Maximum number of chunks of a PNG or a WebP. A PNG of 25 MB in the common library's 8 KB chunks has 3,200. */
const CHUNKS_MAX = 20_000;
/** Maximum number of blocks of a GIF. Blocks have at most 255 bytes, so a GIF of 25 MB has 100,000. */
const GIF_PIECES_MAX = 250_000;

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** The length and type before a chunk's data, and the checksum after it. Bytes. */
const PNG_CHUNK_EXTRA = 12;
const PNG_TEXTS = new Set(['tEXt', 'zTXt', 'iTXt']);

/**
 * Removes a PNG's text chunks, which are not kept anyway; returns other files unchanged. A decoder would unpack each of the
 * chunks, and 100 KB can become 100 MB.
 * @throws TooManyPieces
 */
export function withoutTexts(picture: Buffer): Buffer {
  if (!picture.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return picture;
  const kept: Buffer[] = [];
  const step = counter(CHUNKS_MAX);
  let from = 0;
  for (let at = PNG_SIGNATURE.length; at + PNG_CHUNK_EXTRA <= picture.length; ) {
    step();
    const end = at + PNG_CHUNK_EXTRA + picture.readUInt32BE(at);
    const type = picture.toString('latin1', at + 4, at + 8);
    // Anything that follows is not part of the picture.
    if (type === 'IEND') break;
    if (PNG_TEXTS.has(type)) {
      kept.push(picture.subarray(from, at));
      from = end;
    }
    at = end;
  }
  return from === 0 ? picture : Buffer.concat([...kept, picture.subarray(from)]);
}

/**
 * Counts the frames of an animated GIF or WebP without trusting its header; 0 for other files.
 * @throws TooManyPieces
 */
export function countFrames(picture: Buffer): number {
  const is = (text: string, at: number) =>
    picture.toString('latin1', at, at + text.length) === text;
  if (is('RIFF', 0) && is('WEBP', 8)) return webpFrames(picture);
  return is('GIF8', 0) ? gifFrames(picture) : 0;
}

function webpFrames(picture: Buffer): number {
  const step = counter(CHUNKS_MAX);
  let frames = 0;
  for (let at = 12; at + 8 <= picture.length; ) {
    step();
    if (picture.toString('latin1', at, at + 4) === 'ANMF') frames++;
    const size = picture.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return frames;
}

const GIF_EXTENSION = 0x21;
const GIF_FRAME = 0x2c;

function gifFrames(picture: Buffer): number {
  const byte = (at: number) => picture[at] ?? 0;
  /** Returns the size of the color table that the flags announce, in bytes. */
  const colorBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const step = counter(GIF_PIECES_MAX);
  let frames = 0;
  let at = 13 + colorBytes(byte(10));
  for (;;) {
    step();
    if (byte(at) === GIF_FRAME) {
      frames++;
      at += 11 + colorBytes(byte(at + 9));
    } else if (byte(at) === GIF_EXTENSION) {
      at += 2;
    } else {
      return frames;
    }
    // Data comes in blocks, each preceded by its length; a length of 0 ends it.
    for (; byte(at) > 0; at += 1 + byte(at)) step();
    at += 1;
  }
}

function counter(max: number): () => void {
  let steps = 0;
  return () => {
    if (++steps > max) throw new TooManyPieces();
  };
}
