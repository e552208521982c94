import {
  ATTACHMENTS_MAX,
  type AttachmentType,
  FILE_MAX_BYTES,
  IMAGE_MAX_BYTES,
} from '@stagedoor/contract/media';
import { formatBytes } from './format.ts';
import { t } from './i18n.ts';

type FileLike = Pick<File, 'name' | 'size' | 'type'>;

/** Returns the attachment type of a file, based on the media type that the browser reports. */
export function typeOf({ type }: Pick<File, 'type'>): AttachmentType {
  const [kind] = type.split('/');
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
}

/** Returns why a file can't be uploaded, or null if it can. */
export function objectionTo(file: FileLike): string | null {
  const limit = typeOf(file) === 'image' ? IMAGE_MAX_BYTES : FILE_MAX_BYTES;
  const { name } = file;
  if (file.size === 0) return t('{name} is empty.', { name });
  if (file.size > limit)
    return t('{name} is larger than {size}.', { name, size: formatBytes(limit) });
  return null;
}

/** Returns the error for too many files in a message. */
export const tooManyFiles = (): string =>
  t(
    '{count, plural, one {A message can have at most # file.} other {A message can have at most # files.}}',
    { count: ATTACHMENTS_MAX },
  );

/**
 * Returns the files that a message accepts, an error for each unsuitable file, and one more error if there are too many.
 * @param held the number of files that the message already has
 */
export function acceptFiles<F extends FileLike>(
  held: number,
  files: readonly F[],
): { accepted: F[]; objections: string[] } {
  const objections = files.flatMap((file) => objectionTo(file) ?? []);
  const fit = files.filter((file) => objectionTo(file) === null);
  const accepted = fit.slice(0, Math.max(0, ATTACHMENTS_MAX - held));
  if (accepted.length < fit.length) objections.push(tooManyFiles());
  return { accepted, objections };
}
