import { acceptFiles, typeOf } from '@stagedoor/browser/file-rules';
import type { Attachment } from '@stagedoor/contract/media';
import { type Template, uploadTemplateFiles } from '@stagedoor/contract/messaging/templates';
import { OBJECTIONS } from '../../lib/file-objections.ts';
import { errorText } from '../../lib/server/api.ts';
import { upload } from '../../lib/server/upload.ts';
import { t } from '../../lib/text/i18n.ts';
import { uuid } from '../../lib/text/uuid.ts';
import type { ShownFile } from '../../ui/form/chosen-file.tsx';

/** A file in a template's form: one that the template has, or one that was chosen for it. */
export interface FormFile extends ShownFile {
  key: string;
  /** Null for one that the template has. */
  file: File | null;
  /** By which the server knows it; null until it is uploaded. */
  id: string | null;
}

function fileOf({ id, filename, size, type, thumbnail_url }: Attachment): FormFile {
  const name = filename ?? t('File');
  const stored = { key: id, id, file: null, name, size, type, picture: thumbnail_url };
  return { ...stored, status: 'chosen', progress: 0, error: null };
}

/** The files that a template has. */
export const filesOf = (template: Template | null): FormFile[] =>
  (template?.attachments ?? []).map(fileOf);

/** Whether these are other files than those, or in another order. */
export const areSame = (a: readonly FormFile[], b: readonly FormFile[]): boolean =>
  a.length === b.length && a.every(({ key }, index) => key === b[index]?.key);

/**
 * What was done to a template's files, done to those that a colleague saved meanwhile: theirs without the removed ones, then
 * those that were chosen. `lost` are those that were kept and that the colleague deleted.
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

/** The files with those that were chosen, as far as they can be taken, and why the others can't. */
export function withChosen(
  held: readonly FormFile[],
  files: readonly File[],
): { files: FormFile[]; problem: string | null } {
  const { accepted, objections } = acceptFiles(held.length, files, OBJECTIONS);
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

/** Frees what the browser holds of chosen files. */
export function release(files: readonly FormFile[]): void {
  for (const { file, picture } of files) if (file && picture) URL.revokeObjectURL(picture);
}

/**
 * Uploads what is not uploaded yet, one after the other.
 * @param change told how far each is
 * @returns all of their ids; null where one could not be uploaded
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
    if (!uploaded) throw new Error('The upload gave no attachment');
    change(key, { status: 'uploaded', progress: 1, id: uploaded.id });
    return uploaded.id;
  } catch (error) {
    signal.throwIfAborted();
    console.error('Failed to upload a file of a template', error);
    change(key, { status: 'failed', error: errorText(error, t('Not uploaded')) });
    return null;
  }
}
