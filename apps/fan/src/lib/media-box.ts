/** The maximum size of a picture or video in the thread, in CSS pixels. */
const MAX_HEIGHT = 400;
const MAX_WIDTH = 320;
/** Keeps very narrow or small media visible and clickable. */
const MIN = 96;
/** The size of media with unknown dimensions. */
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
