import type { Attachment } from '@stagedoor/contract/media';

type Size = Pick<Attachment, 'width' | 'height'>;

const UNKNOWN: Size = { width: null, height: null };

/** Returns the size of a local picture or video in pixels, with nulls if the browser can't decode it. */
export async function measure(type: Attachment['type'], url: string): Promise<Size> {
  if (type === 'image') {
    const image = new Image();
    image.src = url;
    await image.decode().catch(() => undefined);
    return image.naturalWidth > 0
      ? { width: image.naturalWidth, height: image.naturalHeight }
      : UNKNOWN;
  }
  if (type !== 'video') return UNKNOWN;
  const video = document.createElement('video');
  video.preload = 'metadata';
  return new Promise((resolve) => {
    video.onloadedmetadata = () =>
      resolve(
        video.videoWidth > 0 ? { width: video.videoWidth, height: video.videoHeight } : UNKNOWN,
      );
    video.onerror = () => resolve(UNKNOWN);
    video.src = url;
  });
}
