import { IMAGE_MAX_PIXELS } from '@stagedoor/contract/media';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { invalidFile } from '../errors.ts';
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
/** What is larger is kept smaller. A fan's 50 megapixels, which are a file of 36 bytes, would cost 8 seconds. */
const KEPT_MAX_PIXELS = { staff: IMAGE_MAX_PIXELS, fan: 12_000_000 };
/** Of all frames together: what has more is kept as its first frame. */
const ANIMATION_MAX_PIXELS = { staff: 30_000_000, fan: KEPT_MAX_PIXELS.fan };
/** Each frame costs time, however small it is; what has more is kept as its first frame, too. */
const ANIMATION_MAX_FRAMES = 1_000;
/** Beyond this even to count frames is too much for the decoders: of WebP its time grows with their square. */
const FRAMES_MAX = 5_000;
/** What takes longer to decode or to encode was made to. Seconds. */
const PATIENCE_SECONDS = 30;
/** What a preview is shrunk to before it is blurred: whatever one does to it, no more than these pixels come back. */
const PREVIEW_PIXELS = 32;
const PREVIEW_WIDTH = 480;

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

const open = (input: Buffer, options: SharpOptions = {}) =>
  sharp(input, { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error', ...options });

interface Options {
  /** Whose picture it is. */
  readonly by: keyof typeof KEPT_MAX_PIXELS;
  /** Ends the work before its next step when it is aborted. */
  readonly signal: AbortSignal;
  /** Of the thumbnail, its longer side at most. */
  readonly thumbnailPixels?: number;
}

/**
 * Makes a person's picture safe to keep and to show: orientation is applied, metadata (places, devices, comments) is gone,
 * and so is whatever else hid in the file. Small animations stay animated.
 * @param filename for the refusal's text
 * @throws AppError 400 `invalid_file` for what is no picture, is broken, has more than 50 megapixels, or too many frames or parts;
 * the signal's reason
 */
export async function processImage(
  given: Buffer,
  filename: string,
  { by, signal, thumbnailPixels = THUMBNAIL_PIXELS }: Options,
): Promise<ProcessedImage> {
  try {
    const input = checked(given, filename);
    const { format, pages = 1, autoOrient } = await open(input).metadata();
    signal.throwIfAborted();
    const encoding = ENCODINGS[format];
    if (encoding === undefined) throw notUsable(filename);
    const pixels = autoOrient.width * autoOrient.height;
    const animated =
      pages > 1 && pages <= ANIMATION_MAX_FRAMES && pixels * pages <= ANIMATION_MAX_PIXELS[by];
    // Frames can't be turned; formats with frames have no orientation to apply.
    const image = animated ? open(input, { animated }) : open(input).autoOrient();
    const scale = Math.sqrt(KEPT_MAX_PIXELS[by] / pixels);
    if (!animated && scale < 1) image.resize({ width: Math.ceil(autoOrient.width * scale) });
    const { data, info } = await encoding
      .encode(image)
      .timeout({ seconds: PATIENCE_SECONDS })
      .toBuffer({ resolveWithObject: true });
    signal.throwIfAborted();
    const thumbnail = await makeThumbnail(data, thumbnailPixels);
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
}

/** A picture as decoders may have it. */
function checked(given: Buffer, filename: string): Buffer {
  if (countFrames(given) > FRAMES_MAX) {
    throw invalidFile(`“${filename}” can’t be used: it has too many frames`);
  }
  return withoutTexts(given);
}

/**
 * Makes a picture's thumbnail: WebP, never larger than the picture.
 * @param input a picture that {@link processImage} gave
 * @param pixels its longer side at most
 */
export const makeThumbnail = (input: Buffer, pixels: number): Promise<Buffer> =>
  open(input)
    .autoOrient()
    .resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer();

/**
 * Makes the blurred preview of a paid picture: WebP, {@link PREVIEW_WIDTH} wide.
 * @param input a picture that {@link processImage} gave
 */
export async function makePreview(input: Buffer): Promise<Buffer> {
  const small = await open(input)
    .autoOrient()
    .resize({ width: PREVIEW_PIXELS, height: PREVIEW_PIXELS, fit: 'inside' })
    .blur(1.2)
    .png()
    .toBuffer();
  return sharp(small).resize({ width: PREVIEW_WIDTH }).webp({ quality: 60 }).toBuffer();
}

/**
 * Makes a square of a picture's middle: WebP, `side` pixels wide and high, with nothing in it but its pixels.
 * @throws AppError 400 `invalid_file` for what is no picture, is broken, has more than 50 megapixels, or too many frames or parts
 */
export async function makeSquare(given: Buffer, side: number, filename: string): Promise<Buffer> {
  try {
    return await open(checked(given, filename))
      .autoOrient()
      .resize({ width: side, height: side, fit: 'cover', position: 'centre' })
      .webp({ quality: 88 })
      .timeout({ seconds: PATIENCE_SECONDS })
      .toBuffer();
  } catch (error) {
    throw refusalOf(error, filename);
  }
}

/** @param filename as it is to be shown */
export const notUsable = (filename: string) =>
  invalidFile(`“${filename}” can’t be used: pictures must be JPEG, PNG, WebP, GIF or AVIF`);

function refusalOf(error: unknown, filename: string): unknown {
  if (error instanceof TooManyPieces) {
    return invalidFile(`“${filename}” can’t be used: it has too many parts`);
  }
  // The decoder's errors are plain ones; its texts are not for people, but for one that says what to do.
  if (!(error instanceof Error) || error.constructor !== Error) return error;
  if (/pixel limit/i.test(error.message)) {
    return invalidFile(
      `“${filename}” is too large: a picture can have at most ${IMAGE_MAX_PIXELS / 1e6} megapixels`,
    );
  }
  return notUsable(filename);
}
