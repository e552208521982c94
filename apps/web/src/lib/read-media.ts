/** The facts that the browser can read from a video or audio file before it is sent. */
export interface MediaFacts {
  /** Seconds; null if unknown. */
  duration: number | null;
  /** A picture of the video. */
  frame: File | null;
}

/** Where the frame is taken, unless the video is shorter. Seconds. */
const FRAME_AT_S = 1;
/** Time limit, because a file that the browser can't play may never fire an event. Milliseconds. */
const PATIENCE_MS = 10_000;

/** Reads the duration of a video or audio file and takes a frame of a video. Both are null if the browser can't play the file. */
export async function readMedia(file: File): Promise<MediaFacts> {
  const isVideo = file.type.startsWith('video/');
  if (!isVideo && !file.type.startsWith('audio/')) return { duration: null, frame: null };
  const url = URL.createObjectURL(file);
  const player = document.createElement(isVideo ? 'video' : 'audio');
  player.muted = true;
  player.preload = 'auto';
  player.src = url;
  try {
    await nextEvent(player, isVideo ? 'loadeddata' : 'loadedmetadata');
    const duration = Number.isFinite(player.duration) ? player.duration : null;
    return {
      duration,
      frame: player instanceof HTMLVideoElement ? await frameOf(player, file.name) : null,
    };
  } catch {
    return { duration: null, frame: null };
  } finally {
    player.removeAttribute('src');
    URL.revokeObjectURL(url);
  }
}

async function frameOf(video: HTMLVideoElement, name: string): Promise<File | null> {
  const seeked = nextEvent(video, 'seeked');
  video.currentTime = Math.min(FRAME_AT_S, video.duration / 2 || 0);
  await seeked;
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', 0.9);
  });
  return blob && new File([blob], `${name}.jpg`, { type: 'image/jpeg' });
}

function nextEvent(player: HTMLMediaElement, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    signal.addEventListener('abort', () => reject(new Error('the file does not play')));
    player.addEventListener(event, () => resolve(), { once: true, signal });
    player.addEventListener('error', () => reject(new Error('the file does not play')), { signal });
  });
}
