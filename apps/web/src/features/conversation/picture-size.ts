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
