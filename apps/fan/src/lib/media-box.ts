/** The maximum size of a picture or video in the thread, in CSS pixels. */
const MAX_HEIGHT = 400;
const MAX_WIDTH = 320;
/** The minimum width and height in CSS pixels, so that narrow or small media stay visible and clickable. */
const MIN = 96;
/** The size used for media with unknown dimensions, in CSS pixels. */
const UNKNOWN = { width: 280, height: 210 };

/** Returns the size reserved for a picture, which stays the same once it has loaded. CSS pixels. */
export function boxOf(
  width: number | null,
  height: number | null,
): { width: number; height: number } {
  if (!width || !height) return UNKNOWN;
  const scale = Math.min(1, MAX_HEIGHT / height, MAX_WIDTH / width);
  return {
    width: Math.max(MIN, Math.round(width * scale)),
    height: Math.max(MIN, Math.round(height * scale)),
  };
}
