import type { Attachment, AttachmentType } from '@stagedoor/contract/media';
import { createKeptStore } from '../../lib/server/kept-store.ts';

/** A chosen file as stored in IndexedDB, where it survives a reload. */
export interface KeptFile {
  key: string;
  /** The id of the admin who chose the file. */
  admin: string;
  conversationId: string;
  name: string;
  size: number | null;
  type: AttachmentType;
  width: number | null;
  height: number | null;
  /** Null if only the server has the file: it is already uploaded or belongs to a template. */
  file: File | null;
  uploaded: Attachment | null;
  /** The template and its file, which the server copies to an upload when the message is sent; null for other files. */
  template: { id: string; fileId: string } | null;
  savedAt: number;
}

/** How long an unsent file is stored, in milliseconds. Shorter for uploaded files, because the server deletes them sooner. */
const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const UPLOADED_LIFE_MS = 23 * 60 * 60 * 1000;
/** The maximum total size, in bytes, of the files that this browser stores for all admins. */
const KEPT_MAX_BYTES = 512 * 1024 * 1024;

const { transact } = createKeptStore('stagedoor', 'chosen_files', 'key');

async function readAll(): Promise<KeptFile[]> {
  return (await transact<KeptFile[]>('readonly', (store) => store.getAll())) ?? [];
}

/** Returns whether a stored file is recent enough to restore. `now` is in milliseconds. */
export function isAlive({ savedAt, uploaded }: KeptFile, now: number): boolean {
  return now - savedAt < (uploaded === null ? LIFE_MS : UPLOADED_LIFE_MS);
}

/**
 * Stores a file.
 * @returns whether there was room for it
 */
export async function keepFile(file: KeptFile): Promise<boolean> {
  const bytes = (kept: KeptFile) => kept.file?.size ?? 0;
  const held = (await readAll()).reduce((sum, kept) => sum + bytes(kept), 0);
  if (held + bytes(file) > KEPT_MAX_BYTES) return false;
  await transact('readwrite', (store) => store.put(file));
  return true;
}

/** Returns an admin's files in the order they were chosen. Deletes expired files of all admins. */
export async function readKept(admin: string): Promise<KeptFile[]> {
  const all = await readAll();
  const now = Date.now();
  await deleteKept(all.filter((file) => !isAlive(file, now)).map(({ key }) => key));
  return all
    .filter((file) => file.admin === admin && isAlive(file, now))
    .sort((a, b) => a.savedAt - b.savedAt);
}

/** Deletes files that were sent or removed. */
export async function deleteKept(keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await transact('readwrite', (store) => {
    for (const key of keys) store.delete(key);
    return undefined;
  });
}

/** Deletes all files that an admin chose. */
export async function deleteKeptOf(admin: string): Promise<void> {
  const all = await readAll();
  await deleteKept(all.filter((file) => file.admin === admin).map(({ key }) => key));
}
