import { AVATAR_MAX_BYTES, AVATAR_TYPES } from '@stagedoor/contract/team/creator';
import { t } from '../../lib/text/i18n.ts';

/** The square part of a picture to use. */
export interface Crop {
  /** The square's center, from 0 to 1 in each direction. */
  x: number;
  y: number;
  /** 1 takes the largest possible square. */
  zoom: number;
}

interface Size {
  width: number;
  height: number;
}

export const ZOOM_MAX = 4;
/** The largest square at the center. */
export const WHOLE: Crop = { x: 0.5, y: 0.5, zoom: 1 };

/** Returns why a file can't be the picture, or null if it can. */
export function objectionTo({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!(AVATAR_TYPES as readonly string[]).includes(type)) return NO_IMAGE;
  return size >= AVATAR_MAX_BYTES ? t('Image file must be less than 5MB') : null;
}

/** The error for files that are not images, or of an image type that some browsers can't show. */
export const NO_IMAGE = t('Please select a valid image file (JPG, PNG, WEBP, or GIF)');

const within = (value: number, least: number, most: number) =>
  Math.min(Math.max(value, least), most);

/** Returns the side of the crop's square in the picture's pixels. */
function sideOf({ width, height }: Size, zoom: number): number {
  return Math.min(width, height) / zoom;
}

/** Returns the crop, limited to the picture's bounds. */
export function held(picture: Size, { x, y, zoom: wanted }: Crop): Crop {
  const zoom = within(wanted, 1, ZOOM_MAX);
  const side = sideOf(picture, zoom);
  const marginX = side / picture.width / 2;
  const marginY = side / picture.height / 2;
  return { x: within(x, marginX, 1 - marginX), y: within(y, marginY, 1 - marginY), zoom };
}

/** Returns the crop after dragging the picture by fractions of the square's side. */
export function panned(picture: Size, crop: Crop, right: number, down: number): Crop {
  const side = sideOf(picture, crop.zoom);
  return held(picture, {
    ...crop,
    x: crop.x - (right * side) / picture.width,
    y: crop.y - (down * side) / picture.height,
  });
}

/** Returns the square in the picture's pixels: its top left corner and its side. */
export function squareOf(picture: Size, crop: Crop): { left: number; top: number; side: number } {
  const side = sideOf(picture, crop.zoom);
  return {
    left: crop.x * picture.width - side / 2,
    top: crop.y * picture.height - side / 2,
    side,
  };
}
