import {
  ATTACHMENTS_MAX,
  type AttachmentType,
  FILE_MAX_BYTES,
  IMAGE_MAX_BYTES,
} from '@stagedoor/contract/media';
import { formatBytes } from './format.ts';

type FileLike = Pick<File, 'name' | 'size' | 'type'>;

/** Messages that explain why a file is refused. */
export interface Objections {
  empty: (name: string) => string;
  /** @param limit in bytes */
  tooLarge: (name: string, limit: number) => string;
  /** @param limit how many files a message can have */
  tooMany: (limit: number) => string;
}

const ENGLISH: Objections = {
  empty: (name) => `${name} is empty`,
  tooLarge: (name, limit) => `${name} is larger than ${formatBytes(limit)}`,
  tooMany: (limit) => `A message can have at most ${limit} files`,
};

/** Returns the attachment type of a file, based on the media type that the browser reports. */
export function typeOf({ type }: Pick<File, 'type'>): AttachmentType {
  const [kind] = type.split('/');
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
}

function objectionTo(file: FileLike, say: Objections): string | null {
  const limit = typeOf(file) === 'image' ? IMAGE_MAX_BYTES : FILE_MAX_BYTES;
  if (file.size === 0) return say.empty(file.name);
  if (file.size > limit) return say.tooLarge(file.name, limit);
  return null;
}

/** Splits files into those that a message accepts and objections to the others. @param held the number of files it already has */
export function acceptFiles<F extends FileLike>(
  held: number,
  files: readonly F[],
  say = ENGLISH,
): { accepted: F[]; objections: string[] } {
  const objections = files.flatMap((file) => objectionTo(file, say) ?? []);
  const fit = files.filter((file) => objectionTo(file, say) === null);
  const accepted = fit.slice(0, Math.max(0, ATTACHMENTS_MAX - held));
  if (accepted.length < fit.length) objections.push(say.tooMany(ATTACHMENTS_MAX));
  return { accepted, objections };
}
