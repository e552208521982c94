import { IMAGE_MAX_PIXELS } from '@stagedoor/contract/media';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { invalidFile } from '../errors.ts';
import { countFrames, TooManyPieces, withoutTexts } from './containers.ts';

/** A picture as it is stored: decoded and re-encoded, upright, and without any metadata. */
export interface ProcessedImage {
  readonly data: Buffer;
  readonly mime_type: string;
  /** The file name's extension, without the dot. */
  readonly extension: string;
  /** Dimensions in pixels, as displayed. */
  readonly width: number;
  readonly height: number;
  /** A WebP image. */
  readonly thumbnail: Buffer;
}

/** The longer side of an attachment's thumbnail. */
const THUMBNAIL_PIXELS = 800;
/**
 * Maximum number of pixels of a stored picture, by uploader; larger pictures are scaled down. A 50-megapixel picture can be a file
 * of 36 bytes, and would take 8 seconds to process.
 */
const KEPT_MAX_PIXELS = { staff: IMAGE_MAX_PIXELS, fan: 12_000_000 };
/** Maximum total number of pixels of all frames; a picture with more is stored as its first frame. */
const ANIMATION_MAX_PIXELS = { staff: 30_000_000, fan: KEPT_MAX_PIXELS.fan };
/** Maximum number of frames, because even a tiny frame takes time; a picture with more is also stored as its first frame. */
const ANIMATION_MAX_FRAMES = 1_000;
/** A picture with more frames is rejected: decoders need too long even to count them, for WebP quadratic time. */
const FRAMES_MAX = 5_000;
/** Only a malicious picture takes longer than this to decode or encode. Seconds. */
const PATIENCE_SECONDS = 30;
/** The longer side to which a preview is shrunk before it is blurred: no processing can recover more than these pixels. */
const PREVIEW_PIXELS = 32;
const PREVIEW_WIDTH = 480;

// A decoded picture is never needed twice.
sharp.cache(false);
// Only the decoders of the formats below are ever used, whatever a file claims to be. The SVG decoder would run a whole document.
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

const WEBP: Encoding = {
  mime_type: 'image/webp',
  extension: 'webp',
  encode: (image) => image.webp({ quality: 88 }),
};

/** The stored encoding for each format that the decoder detects. Other formats are rejected. */
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  jpeg: JPEG,
  png: { mime_type: 'image/png', extension: 'png', encode: (image) => image.png() },
  webp: WEBP,
  gif: { mime_type: 'image/gif', extension: 'gif', encode: (image) => image.gif() },
  // AVIF is converted, because not every browser displays it. HEIC uses the same container, but the decoder is built without its
  // codec.
  heif: JPEG,
};

const open = (input: Buffer, options: SharpOptions = {}) =>
  sharp(input, { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error', ...options });

interface Options {
  /** Who uploaded the picture. */
  readonly by: keyof typeof KEPT_MAX_PIXELS;
  /** Aborts the work before its next step. */
  readonly signal: AbortSignal;
  /** Maximum length of the thumbnail's longer side. */
  readonly thumbnailPixels?: number;
}

/**
 * Makes an uploaded picture safe to store and display: applies its orientation and removes metadata (locations, devices,
 * comments) and any other hidden data. Small animations stay animated.
 * @param filename shown in the error's text
 * @throws AppError 400 `invalid_file` for a file that is not a picture, is broken, has more than 50 megapixels, or too many
 * frames or parts; the signal's reason
 */
export async function processImage(
  given: Buffer,
  filename: string,
  { by, signal, thumbnailPixels = THUMBNAIL_PIXELS }: Options,
): Promise<ProcessedImage> {
  try {
    const input = checked(given, filename);
    const { format, pages = 1, autoOrient, hasAlpha } = await open(input).metadata();
    signal.throwIfAborted();
    // JPEG has no transparency, and WebP no side above 16,383 pixels.
    const fitsWebp = Math.max(autoOrient.width, autoOrient.height) <= 16_383;
    const encoding = format === 'heif' && hasAlpha && fitsWebp ? WEBP : ENCODINGS[format];
    if (encoding === undefined) throw notUsable(filename);
    const pixels = autoOrient.width * autoOrient.height;
    const animated =
      pages > 1 && pages <= ANIMATION_MAX_FRAMES && pixels * pages <= ANIMATION_MAX_PIXELS[by];
    // Animations can't be rotated; formats with frames have no orientation to apply.
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

/** Returns the picture if it is safe to pass to a decoder. */
function checked(given: Buffer, filename: string): Buffer {
  if (countFrames(given) > FRAMES_MAX) {
    throw invalidFile(`“${filename}” can’t be used: it has too many frames`);
  }
  return withoutTexts(given);
}

/**
 * Creates a picture's thumbnail: WebP, never larger than the picture.
 * @param input a picture from {@link processImage}
 * @param pixels maximum length of the longer side
 */
export const makeThumbnail = (input: Buffer, pixels: number): Promise<Buffer> =>
  open(input)
    .autoOrient()
    .resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds: PATIENCE_SECONDS })
    .toBuffer();

/**
 * Creates the blurred preview of a paid picture: WebP, {@link PREVIEW_WIDTH} wide.
 * @param input a picture from {@link processImage}
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
 * Crops the center of a picture to a square: WebP, `side` pixels wide and high, without metadata.
 * @throws AppError 400 `invalid_file` for a file that is not a picture, is broken, has more than 50 megapixels, or too many
 * frames or parts
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

/** @param filename as displayed */
export const notUsable = (filename: string) =>
  invalidFile(`“${filename}” can’t be used: pictures must be JPEG, PNG, WebP, GIF or AVIF`);

function refusalOf(error: unknown, filename: string): unknown {
  if (error instanceof TooManyPieces) {
    return invalidFile(`“${filename}” can’t be used: it has too many parts`);
  }
  // The decoder throws plain errors whose texts are not meant for people, except for the pixel limit.
  if (!(error instanceof Error) || error.constructor !== Error) return error;
  if (/pixel limit/i.test(error.message)) {
    return invalidFile(
      `“${filename}” is too large: a picture can have at most ${IMAGE_MAX_PIXELS / 1e6} megapixels`,
    );
  }
  return notUsable(filename);
}
