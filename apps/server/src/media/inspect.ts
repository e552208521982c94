import type { AttachmentType } from '@stagedoor/contract/media';
import { fileTypeFromBuffer } from 'file-type';
import { extensionOf } from './filenames.ts';
import { notUsable } from './images.ts';

/** A file's type, detected from its content. */
export interface Inspected {
  readonly type: AttachmentType;
  /** `application/octet-stream` for everything that is not a picture, video, audio or PDF. */
  readonly mime_type: string;
}

/** Bytes from a file's start that are needed to detect its type. */
export const HEAD_BYTES = 64 * 1024;

const IMAGES = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
  'image/heic',
  'image/heif',
  'image/heic-sequence',
  'image/heif-sequence',
  'image/avif',
]);

/** Formats that browsers play, keyed by the detected type. */
const PLAYABLE: Readonly<Record<string, Inspected>> = {
  'video/mp4': { type: 'video', mime_type: 'video/mp4' },
  'video/webm': { type: 'video', mime_type: 'video/webm' },
  'video/quicktime': { type: 'video', mime_type: 'video/quicktime' },
  'video/x-m4v': { type: 'video', mime_type: 'video/mp4' },
  'audio/mpeg': { type: 'audio', mime_type: 'audio/mpeg' },
  'audio/mp4': { type: 'audio', mime_type: 'audio/mp4' },
  'audio/x-m4a': { type: 'audio', mime_type: 'audio/mp4' },
  'audio/wav': { type: 'audio', mime_type: 'audio/wav' },
  'audio/ogg': { type: 'audio', mime_type: 'audio/ogg' },
};

/** Recordings that are declared as `audio/…`, keyed by the detected type: the same containers are also used for video. */
const AUDIO_ONLY: Readonly<Record<string, Inspected>> = {
  'video/webm': { type: 'audio', mime_type: 'audio/webm' },
  'video/mp4': { type: 'audio', mime_type: 'audio/mp4' },
};

const FILE: Inspected = { type: 'file', mime_type: 'application/octet-stream' };
const PDF = 'application/pdf';

/**
 * The first bytes of zip and gzip. These always count as plain files, because inspecting thousands of small entries would block the
 * event loop.
 */
const ARCHIVES = [Buffer.from('504b0304', 'hex'), Buffer.from('1f8b', 'hex')];

const IMAGE_EXTENSION = /^(jpe?g|jfif|png|apng|webp|gif|hei[cf]|avif|svgz?|bmp|tiff?|ico|jxl)$/;

/**
 * Detects the file type from its first bytes. The name and declared type can only narrow it.
 * @param head the first {@link HEAD_BYTES} bytes, or the whole file if it is smaller
 * @throws AppError 400 `invalid_file` for a file that claims to be a picture but is not a displayable one
 */
export async function inspect(
  head: Buffer,
  filename: string,
  declaredType: string,
): Promise<Inspected> {
  const isArchive = ARCHIVES.some((start) => head.subarray(0, start.length).equals(start));
  const detected = isArchive ? undefined : await fileTypeFromBuffer(head);
  const found = detected?.mime.split(';')[0] ?? '';
  if (IMAGES.has(found)) return { type: 'image', mime_type: found };
  const claimsPicture =
    declaredType.startsWith('image/') || IMAGE_EXTENSION.test(extensionOf(filename));
  if (claimsPicture || found.startsWith('image/')) throw notUsable(filename);
  const audio = declaredType.startsWith('audio/') ? AUDIO_ONLY[found] : undefined;
  return audio ?? PLAYABLE[found] ?? (found === PDF ? { ...FILE, mime_type: PDF } : FILE);
}
