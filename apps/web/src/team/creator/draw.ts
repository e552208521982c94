import { t } from '../../lib/text/i18n.ts';
import { type Crop, squareOf } from './crop.ts';

/** Pixels on each side of what is saved: sharp wherever a portrait is shown, and small. */
const SAVED_SIDE = 1_024;
const SAVED_QUALITY = 0.92;
/** What lies outside of the round that fans see. */
const SHADE = '#0009';

function context(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const drawing = canvas.getContext('2d');
  if (drawing === null) throw new Error(t('This browser can’t draw'));
  return drawing;
}

/** Draws the square over the whole canvas; with `isShaded` darker around the round that fans see. */
export function drawSquare(
  canvas: HTMLCanvasElement,
  picture: ImageBitmap,
  crop: Crop,
  isShaded = false,
): void {
  const { left, top, side } = squareOf(picture, crop);
  const { width } = canvas;
  const drawing = context(canvas);
  drawing.imageSmoothingQuality = 'high';
  drawing.clearRect(0, 0, width, width);
  drawing.drawImage(picture, left, top, side, side, 0, 0, width, width);
  if (!isShaded) return;
  drawing.fillStyle = SHADE;
  drawing.beginPath();
  drawing.rect(0, 0, width, width);
  drawing.arc(width / 2, width / 2, width / 2, 0, 2 * Math.PI, true);
  drawing.fill();
}

/** The square as a file: a photograph stays one, anything else may be see-through and keeps that. */
export async function squareFile(
  picture: ImageBitmap,
  crop: Crop,
  sourceType: string,
): Promise<File> {
  const canvas = document.createElement('canvas');
  const side = Math.max(1, Math.round(Math.min(SAVED_SIDE, squareOf(picture, crop).side)));
  canvas.width = side;
  canvas.height = side;
  drawSquare(canvas, picture, crop);
  const type = sourceType === 'image/jpeg' ? sourceType : 'image/webp';
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, type, SAVED_QUALITY),
  );
  if (blob === null) throw new Error(t('Failed to save profile picture'));
  // A browser that can't write the type that was asked for writes PNG.
  return new File([blob], `picture.${blob.type.replace('image/', '')}`, { type: blob.type });
}
