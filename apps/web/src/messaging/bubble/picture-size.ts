import type { Attachment } from '@stagedoor/contract/media';

/** CSS pixels: no picture or video in the thread is higher, and none is wider than the thread's bubbles. */
export const MEDIA_MAX_HEIGHT = 400;
const MEDIA_MAX_WIDTH = 480;
/** So that a strip or a dot can still be seen and pressed. */
const MEDIA_MIN = 72;
/** Of what has no known size. */
const UNKNOWN = { width: 280, height: 210 };

export interface Box {
  width: number;
  height: number;
}

/** The place that a picture takes before it has loaded, and keeps. */
export function boxOf(width: number | null, height: number | null): Box {
  if (!width || !height) return UNKNOWN;
  const scale = Math.min(1, MEDIA_MAX_HEIGHT / height, MEDIA_MAX_WIDTH / width);
  return {
    width: Math.max(MEDIA_MIN, Math.round(width * scale)),
    height: Math.max(MEDIA_MIN, Math.round(height * scale)),
  };
}

/** CSS pixels. */
const ALBUM_WIDTH = 340;

/** How many pictures stand in the row of each: pairs first, then threes; of three, the first alone. */
export function columnsOf(count: number): number[] {
  if (count === 3) return [1, 2, 2];
  if (count <= 4) return Array.from({ length: count }, () => 2);
  const inPairs = ((3 - (count % 3)) % 3) * 2;
  return Array.from({ length: count }, (_, index) => (index < inPairs ? 2 : 3));
}

/** About how high an album is. */
export function albumHeight(count: number): number {
  return columnsOf(count).reduce(
    (sum, columns) => sum + ALBUM_WIDTH / columns / columns / (columns === 1 ? 2 : 1),
    0,
  );
}

/** Whether what is lowest of a message's attachments is a picture, on which the time can stand. */
export function endsInPicture(
  attachments: readonly Pick<Attachment, 'type' | 'product_id'>[],
): boolean {
  return (
    attachments.every(({ type }) => type === 'image') &&
    attachments.some(({ product_id }) => product_id === null)
  );
}
