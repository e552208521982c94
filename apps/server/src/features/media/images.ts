import { IMAGE_MAX_PIXELS } from '@stagedoor/contract/media';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { invalidFile } from '../../errors.ts';
import { countFrames, TooManyPieces, withoutTexts } from './containers.ts';

/** A picture as it is kept: decoded and encoded anew, upright, and with nothing in it but its pixels. */
export interface ProcessedImage {
  readonly data: Buffer;
  readonly mime_type: string;
  /** Of a file's name, without the dot. */
  readonly extension: string;
  /** Pixels, as shown. */
  readonly width: number;
  readonly height: number;
  /** WebP. */
  readonly thumbnail: Buffer;
}

/** Of an attachment's thumbnail, its longer side. */
const THUMBNAIL_PIXELS = 800;
/** Of all frames together: what has more is kept as its first frame. */
const ANIMATION_MAX_PIXELS = 30_000_000;
/** Each frame costs time, however small it is; what has more is kept as its first frame, too. */
const ANIMATION_MAX_FRAMES = 1_000;
/** Beyond this even to count frames is too much for the decoders: of WebP its time grows with their square. */
const FRAMES_MAX = 5_000;
/** What takes longer to decode or to encode was made to. Seconds. */
const PATIENCE_SECONDS = 30;
/** What a preview is shrunk to before it is blurred: whatever one does to it, no more than these pixels come back. */
const PREVIEW_PIXELS = 32;
const PREVIEW_WIDTH = 480;
/** Pictures that are decoded at once: each can take 200 MB for a moment. */
const AT_ONCE = 2;

// Decoded pictures are not wanted twice.
sharp.cache(false);
// No decoder but those of the formats below is ever tried, whatever a file says it is: SVG's would run a whole document.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

type Encoding = Pick<ProcessedImage, 'mime_type' | 'extension'> & { encode(image: Sharp): Sharp };

const JPEG: Encoding = {
  mime_type: 'image/jpeg',
  extension: 'jpg',
  encode: (image) => image.jpeg({ quality: 88 }),
};

/** How a picture is kept, by what the decoder finds it to be. What is not here is not taken. */
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  jpeg: JPEG,
  png: { mime_type: 'image/png', extension: 'png', encode: (image) => image.png() },
  webp: {
    mime_type: 'image/webp',
    extension: 'webp',
    encode: (image) => image.webp({ quality: 88 }),
  },
  gif: { mime_type: 'image/gif', extension: 'gif', encode: (image) => image.gif() },
  // AVIF, which not every browser shows. HEIC has the same container, but the decoder is built without its codec.
  heif: JPEG,
};

const waiting: (() => void)[] = [];
let underway = 0;

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underway >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else underway++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) underway--;
    else next();
  }
}

const open = (input: Buffer, options: SharpOptions = {}) =>
  sharp(input, { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error', ...options });

/**
 * Makes a person's picture safe to keep and to show: orientation is applied, metadata (places, devices, comments) is gone,
 * and so is whatever else hid in the file. Small animations stay animated.
 * @param filename for the refusal's text
 * @param thumbnailPixels its longer side at most
 * @throws AppError 400 `invalid_file` for what is no picture, is broken, or has more than 50 megapixels or too many frames
 */
export function processImage(
  given: Buffer,
  filename: string,
  thumbnailPixels = THUMBNAIL_PIXELS,
): Promise<ProcessedImage> {
  return inTurn(async () => {
    try {
      if (countFrames(given) > FRAMES_MAX) {
        throw invalidFile(`“${filename}” can’t be used: it has too many frames`);
      }
      const input = withoutTexts(given);
      const { format, width, height, pages = 1 } = await open(input).metadata();
      const encoding = ENCODINGS[format];
      if (encoding === undefined) throw notUsable(filename);
      const animated =
        pages > 1 &&
        pages <= ANIMATION_MAX_FRAMES &&
        width * height * pages <= ANIMATION_MAX_PIXELS;
      // Frames can't be turned; formats with frames have no orientation to apply.
      const image = animated ? open(input, { animated }) : open(input).autoOrient();
      const { data, info } = await encoding
        .encode(image)
        .timeout({ seconds: PATIENCE_SECONDS })
        .toBuffer({ resolveWithObject: true });
      const thumbnail = await shrink(input, thumbnailPixels);
      return {
        data,
        mime_type: encoding.mime_type,
        extension: encoding.extension,
        width: info.width,
        height: info.pageHeight ?? info.height,
        thumbnail,
      };
    } catch (error) {
      throw refusalOf(error, filename);
    }
  });
}

/**
 * A picture's thumbnail: WebP, never larger than the picture.
 * @param input a picture that {@link processImage} gave
 * @param pixels its longer side at most
 */
export const makeThumbnail = (input: Buffer, pixels: number): Promise<Buffer> =>
  inTurn(() => shrink(input, pixels));

const shrink = (input: Buffer, pixels: number): Promise<Buffer> =>
  open(input)
    .autoOrient()
    .resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer();

/**
 * The blurred preview of a paid picture: WebP, {@link PREVIEW_WIDTH} wide.
 * @param input a picture that {@link processImage} gave
 */
export function makePreview(input: Buffer): Promise<Buffer> {
  return inTurn(async () => {
    const small = await open(input)
      .autoOrient()
      .resize({ width: PREVIEW_PIXELS, height: PREVIEW_PIXELS, fit: 'inside' })
      .blur(1.2)
      .png()
      .toBuffer();
    return sharp(small).resize({ width: PREVIEW_WIDTH }).webp({ quality: 60 }).toBuffer();
  });
}

/**
 * A picture's middle as a square: WebP, `side` pixels wide and high, with nothing in it but its pixels.
 * @throws AppError 400 `invalid_file` for what is no picture, is broken, or has more than 50 megapixels
 */
export function makeSquare(input: Buffer, side: number, filename: string): Promise<Buffer> {
  return inTurn(async () => {
    try {
      return await open(input)
        .autoOrient()
        .resize({ width: side, height: side, fit: 'cover', position: 'centre' })
        .webp({ quality: 88 })
        .toBuffer();
    } catch (error) {
      throw refusalOf(error, filename);
    }
  });
}

/** @param filename as it is to be shown */
export const notUsable = (filename: string) =>
  invalidFile(`“${filename}” can’t be used: pictures must be JPEG, PNG, WebP, GIF or AVIF`);

function refusalOf(error: unknown, filename: string): unknown {
  if (error instanceof TooManyPieces) {
    return invalidFile(`“${filename}” can’t be used: it is made of too many parts`);
  }
  // The decoder's errors are plain ones; its texts are not for people, but for one that says what to do.
  if (!(error instanceof Error) || error.constructor !== Error) return error;
  if (/pixel limit/i.test(error.message)) {
    return invalidFile(
      `“${filename}” is too large: a picture may have at most ${IMAGE_MAX_PIXELS / 1e6} megapixels`,
    );
  }
  return notUsable(filename);
}
