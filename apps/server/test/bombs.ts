import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';

// Small files that decode to huge pictures.

const GIF_END = Buffer.from([0x3b]);
const GIF_PIXEL_FRAME = Buffer.from([
  0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0,
]); // biome-ignore format: bytes

/** Returns a GIF whose frames each change one pixel. */
export function gifOf(frames: number, width: number, height: number): Buffer {
  const head = Buffer.from('GIF89a____\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return Buffer.concat([
    head,
    Buffer.alloc(frames * GIF_PIXEL_FRAME.length, GIF_PIXEL_FRAME),
    GIF_END,
  ]);
}

/** The number of rows that {@link pngOf} compresses once and then repeats. */
const PNG_ROWS = 100;

/** Returns a valid black PNG of any size, quickly. @param height a multiple of 100 */
export function pngOf(width: number, height: number): Buffer {
  const rows = Buffer.alloc(PNG_ROWS * (1 + width * 3));
  // A full flush ends the data at a byte boundary, without back-references, so that it can be repeated.
  const packed = deflateRawSync(rows, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const times = height / PNG_ROWS;
  // The Adler-32 checksum of zeros.
  const sum = numbers(((rows.length * times) % 65_521) * 65_536 + 1);
  const data = [Buffer.from('78da', 'hex'), ...Array<Buffer>(times).fill(packed), EMPTY_BLOCK, sum];
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', numbers(width, height), Buffer.from([8, 2, 0, 0, 0])),
    pngChunk('IDAT', ...data),
    pngChunk('IEND'),
  ]);
}

/** The final block of a deflate stream. */
const EMPTY_BLOCK = Buffer.from('0300', 'hex');

/** Returns a WebP of identical frames. */
export async function webpOf(frames: number, width: number, height: number): Promise<Buffer> {
  const still = await sharp({ create: { width, height, channels: 3, background: '#400' } })
    .webp({ lossless: true })
    .toBuffer();
  // The picture's chunk follows a header of 12 bytes: RIFF, the size and WEBP.
  const picture = still.subarray(12);
  const size = Buffer.alloc(6);
  size.writeUIntLE(width - 1, 0, 3);
  size.writeUIntLE(height - 1, 3, 3);
  const frame = chunk('ANMF', Buffer.alloc(6), size, Buffer.from([40, 0, 0, 0]), picture);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.from([2, 0, 0, 0]), size),
    chunk('ANIM', Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame),
  ]);
  return chunk('RIFF', body);
}

function chunk(name: string, ...parts: Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** Returns a PNG with text chunks. @param bytes the size of each chunk once it is unpacked */
export function withTexts(png: Buffer, texts: number, bytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes), { level: 9 });
  const text = pngChunk('zTXt', Buffer.from('x\0\0'), packed);
  // Insert them after the signature and the header chunk.
  return Buffer.concat([png.subarray(0, 33), ...Array<Buffer>(texts).fill(text), png.subarray(33)]);
}

/** Returns a PNG with empty text chunks. */
export const withEmptyTexts = (png: Buffer, texts: number): Buffer =>
  Buffer.concat([png.subarray(0, 33), repeat(pngChunk('tEXt'), texts), png.subarray(33)]);

/** Returns a WebP with empty chunks before its picture. */
export const withEmptyChunks = (webp: Buffer, chunks: number): Buffer =>
  chunk('RIFF', Buffer.from('WEBP'), repeat(chunk('JUNK'), chunks), webp.subarray(12));

/** Returns a GIF of one frame after empty extensions. */
export function gifOfExtensions(extensions: number): Buffer {
  const gif = gifOf(1, 10, 10);
  const head = gif.length - GIF_PIXEL_FRAME.length - GIF_END.length;
  const empty = repeat(Buffer.from([0x21, 0xfe, 0]), extensions);
  return Buffer.concat([gif.subarray(0, head), empty, gif.subarray(head)]);
}

/** Returns an MP4 of empty boxes after its file type. */
export function mp4Of(boxes: number): Buffer {
  const type = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1');
  return Buffer.concat([type, repeat(Buffer.from('\0\0\0\x08mdat', 'latin1'), boxes)]);
}

const repeat = (part: Buffer, times: number) => Buffer.alloc(part.length * times, part);

function pngChunk(type: string, ...parts: Buffer[]): Buffer {
  const typed = Buffer.concat([Buffer.from(type), ...parts]);
  return Buffer.concat([numbers(typed.length - type.length), typed, numbers(crc32(typed))]);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
