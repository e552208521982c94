import { acceptFiles, typeOf } from '@stagedoor/browser/file-rules';
import { uuid } from '@stagedoor/browser/uuid';
import type { Attachment } from '@stagedoor/contract/media';
import { type Template, uploadTemplateFiles } from '@stagedoor/contract/messaging/templates';
import { errorText } from '../../lib/server/api.ts';
import { upload } from '../../lib/server/upload.ts';
import { t } from '../../lib/text/i18n.ts';
import type { ShownFile } from '../../ui/form/chosen-file.tsx';

/** A file in a template's form, either already in the template or newly chosen. */
export interface FormFile extends ShownFile {
  key: string;
  /** Null for a file that is already in the template. */
  file: File | null;
  /** The server's id; null until the file is uploaded. */
  id: string | null;
}

function fileOf({ id, filename, size, type, thumbnail_url }: Attachment): FormFile {
  const name = filename ?? t('File');
  const stored = { key: id, id, file: null, name, size, type, picture: thumbnail_url };
  return { ...stored, status: 'chosen', progress: 0, error: null };
}

export const filesOf = (template: Template | null): FormFile[] =>
  (template?.attachments ?? []).map(fileOf);

/** Returns whether two lists have the same files in the same order. */
export const areSame = (a: readonly FormFile[], b: readonly FormFile[]): boolean =>
  a.length === b.length && a.every(({ key }, index) => key === b[index]?.key);

/**
 * Applies the user's file changes to a teammate's newer version: the teammate's files without those that the user removed, then
 * the files that the user added. `lost` counts the files that the user kept and the teammate deleted.
 */
export function overTheirs(
  mine: readonly FormFile[],
  base: Template | null,
  theirs: Template,
): { files: FormFile[]; lost: number } {
  const isIn = (files: readonly { key: string }[], key: string) =>
    files.some((file) => file.key === key);
  const held = filesOf(theirs);
  const removed = filesOf(base).filter(({ key }) => !isIn(mine, key));
  return {
    files: [
      ...held.filter(({ key }) => !isIn(removed, key)),
      ...mine.filter(({ file }) => file !== null),
    ],
    lost: mine.filter(({ file, key }) => file === null && !isIn(held, key)).length,
  };
}

/** Adds the accepted files, and returns why the others were rejected. */
export function withChosen(
  held: readonly FormFile[],
  files: readonly File[],
): { files: FormFile[]; problem: string | null } {
  const { accepted, objections } = acceptFiles(held.length, files);
  const chosen = accepted.map((file): FormFile => {
    const { name, size } = file;
    const type = typeOf(file);
    const picture = type === 'image' || type === 'video' ? URL.createObjectURL(file) : null;
    const shown = { name, size, type, picture, progress: 0, error: null };
    return { ...shown, key: uuid(), id: null, file, status: 'chosen' };
  });
  const problem = objections.length > 0 ? objections.join(' ') : null;
  return { files: [...held, ...chosen], problem };
}

/** Revokes the object URLs of chosen files. */
export function release(files: readonly FormFile[]): void {
  for (const { file, picture } of files) if (file && picture) URL.revokeObjectURL(picture);
}

/**
 * Uploads the files that are not uploaded yet, one after the other.
 * @param change called with each file's progress
 * @returns the ids of all files, or null if a file could not be uploaded
 */
export async function uploadAll(
  files: readonly FormFile[],
  change: (key: string, part: Partial<FormFile>) => void,
  signal: AbortSignal,
): Promise<{ id: string }[] | null> {
  const ids: { id: string }[] = [];
  for (const { key, file, id: known } of files) {
    const id = known ?? (file && (await uploadOne(key, file, change, signal)));
    if (id !== null) ids.push({ id });
  }
  return ids.length === files.length ? ids : null;
}

async function uploadOne(
  key: string,
  file: File,
  change: (key: string, part: Partial<FormFile>) => void,
  signal: AbortSignal,
): Promise<string | null> {
  change(key, { status: 'uploading', progress: 0, error: null });
  const form = new FormData();
  form.append('files', file);
  try {
    const { attachments } = await upload(uploadTemplateFiles, form, {
      signal,
      onProgress: (progress) => change(key, { progress }),
    });
    const [uploaded] = attachments;
    if (!uploaded) throw new Error('The upload returned no attachment');
    change(key, { status: 'uploaded', progress: 1, id: uploaded.id });
    return uploaded.id;
  } catch (error) {
    signal.throwIfAborted();
    console.error('Failed to upload a file of a template', error);
    change(key, { status: 'failed', error: errorText(error, t('Not uploaded')) });
    return null;
  }
}
