import { t } from '../../lib/text/i18n.ts';
import { type Crop, squareOf } from './crop.ts';

/** The maximum side of the saved picture in pixels: sharp wherever it is shown, and still a small file. */
const SAVED_SIDE = 1_024;
const SAVED_QUALITY = 0.92;
/** The color over the part outside the circle that fans see. */
const SHADE = '#0009';

function context(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const drawing = canvas.getContext('2d');
  if (drawing === null) throw new Error(t('This browser can’t edit pictures'));
  return drawing;
}

/** Draws the square over the whole canvas; `isShaded` darkens the part outside the circle that fans see. */
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

/** Returns the square as a file: JPEG if the source is JPEG, otherwise WebP, which keeps transparency. */
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
  // Browsers that can't encode the requested type write PNG.
  return new File([blob], `picture.${blob.type.replace('image/', '')}`, { type: blob.type });
}
