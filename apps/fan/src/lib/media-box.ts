/** CSS pixels: no picture or video in the thread is higher, and none is wider. */
const MAX_HEIGHT = 400;
const MAX_WIDTH = 320;
/** So that a strip or a dot can still be seen and pressed. */
const MIN = 96;
/** Of what has no known size. */
const UNKNOWN = { width: 280, height: 210 };

/** The place that a picture takes before it has loaded, and keeps. CSS pixels. */
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
