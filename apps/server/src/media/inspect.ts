import type { AttachmentType } from '@stagedoor/contract/media';
import { fileTypeFromBuffer } from 'file-type';
import { extensionOf } from './filenames.ts';
import { notUsable } from './images.ts';

/** What a file is, by its content. */
export interface Inspected {
  readonly type: AttachmentType;
  /** Of what is neither picture nor video nor audio nor PDF: `application/octet-stream`, whatever it is. */
  readonly mime_type: string;
}

/** Bytes at a file's start that tell what it is. */
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

/** What browsers play, by what the content was found to be. */
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

/** Of containers that hold either: recorders name the audio that they make `audio/…`. */
const AUDIO_ONLY: Readonly<Record<string, Inspected>> = {
  'video/webm': { type: 'audio', mime_type: 'audio/webm' },
  'video/mp4': { type: 'audio', mime_type: 'audio/mp4' },
};

const FILE: Inspected = { type: 'file', mime_type: 'application/octet-stream' };
const PDF = 'application/pdf';

/** Zip and gzip, which are files whatever they hold. To look into thousands of small entries would keep the event loop busy. */
const ARCHIVES = [Buffer.from('504b0304', 'hex'), Buffer.from('1f8b', 'hex')];

const IMAGE_EXTENSION = /^(jpe?g|jfif|png|apng|webp|gif|hei[cf]|avif|svgz?|bmp|tiff?|ico|jxl)$/;

/**
 * Tells what a file is by its first bytes; its name and its declared type only ever make it less.
 * @param head the first {@link HEAD_BYTES} bytes, or all there are
 * @throws AppError 400 `invalid_file` for what claims to be a picture and is none that can be shown
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
