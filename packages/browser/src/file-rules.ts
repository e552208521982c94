import {
  ATTACHMENTS_MAX,
  type AttachmentType,
  FILE_MAX_BYTES,
  IMAGE_MAX_BYTES,
} from '@stagedoor/contract/media';
import { formatBytes } from './format.ts';

type FileLike = Pick<File, 'name' | 'size' | 'type'>;

/** What kind of attachment a file will be, by what the browser takes it for. */
export function typeOf({ type }: Pick<File, 'type'>): AttachmentType {
  const [kind] = type.split('/');
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
}

function objectionTo(file: FileLike): string | null {
  const limit = typeOf(file) === 'image' ? IMAGE_MAX_BYTES : FILE_MAX_BYTES;
  if (file.size === 0) return `${file.name} is empty`;
  if (file.size > limit) return `${file.name} is larger than ${formatBytes(limit)}`;
  return null;
}

/** Which of the files a message may take beside the `held` ones, and why not the others. */
export function acceptFiles<F extends FileLike>(
  held: number,
  files: readonly F[],
): { accepted: F[]; objections: string[] } {
  const objections = files.flatMap((file) => objectionTo(file) ?? []);
  const fit = files.filter((file) => objectionTo(file) === null);
  const accepted = fit.slice(0, Math.max(0, ATTACHMENTS_MAX - held));
  if (accepted.length < fit.length)
    objections.push(`A message can have at most ${ATTACHMENTS_MAX} files`);
  return { accepted, objections };
}
