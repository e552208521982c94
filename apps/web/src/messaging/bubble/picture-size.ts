import type { Attachment } from '@stagedoor/contract/media';

/** The maximum height of a picture or video in the thread, in CSS pixels. The maximum width matches the bubbles. */
export const MEDIA_MAX_HEIGHT = 400;
const MEDIA_MAX_WIDTH = 480;
/** The minimum width and height in CSS pixels, so that tiny or narrow pictures stay visible and clickable. */
const MEDIA_MIN = 72;
/** The box for a picture of unknown size, in CSS pixels. */
const UNKNOWN = { width: 280, height: 210 };

export interface Box {
  width: number;
  height: number;
}

/** Returns the box reserved for a picture before it loads. The box doesn't change afterwards. */
export function boxOf(width: number | null, height: number | null): Box {
  if (!width || !height) return UNKNOWN;
  const scale = Math.min(1, MEDIA_MAX_HEIGHT / height, MEDIA_MAX_WIDTH / width);
  return {
    width: Math.max(MEDIA_MIN, Math.round(width * scale)),
    height: Math.max(MEDIA_MIN, Math.round(height * scale)),
  };
}

/** The width of an album in CSS pixels. */
const ALBUM_WIDTH = 340;

/**
 * Returns, for each picture, the number of pictures in its row. Rows of two come first, then rows of three. Three pictures are
 * laid out as a row of one and a row of two.
 */
export function columnsOf(count: number): number[] {
  if (count === 3) return [1, 2, 2];
  if (count <= 4) return Array.from({ length: count }, () => 2);
  const inPairs = ((3 - (count % 3)) % 3) * 2;
  return Array.from({ length: count }, (_, index) => (index < inPairs ? 2 : 3));
}

/** Estimates the height of an album in CSS pixels. */
export function albumHeight(count: number): number {
  return columnsOf(count).reduce(
    (sum, columns) => sum + ALBUM_WIDTH / columns / columns / (columns === 1 ? 2 : 1),
    0,
  );
}

/** Returns whether a picture is shown last in the message, so that the time can be drawn on it. */
export function endsInPicture(
  attachments: readonly Pick<Attachment, 'type' | 'product_id'>[],
): boolean {
  return (
    attachments.every(({ type }) => type === 'image') &&
    attachments.some(({ product_id }) => product_id === null)
  );
}
