import type { Attachment, AttachmentType } from '@stagedoor/contract/media';

/** A chosen file as the browser's database keeps it over a reload. */
export interface KeptFile {
  key: string;
  /** Whose it is. */
  admin: string;
  conversationId: string;
  name: string;
  size: number | null;
  type: AttachmentType;
  width: number | null;
  height: number | null;
  /** Null for one that was uploaded before, or is a template's. */
  file: File | null;
  uploaded: Attachment | null;
  /** Of which template it is, and which of its files; it becomes an upload when it is sent. */
  template: { id: string; fileId: string } | null;
  savedAt: number;
}

/** A file that was not sent for this long is forgotten; an uploaded one the server forgets earlier, and a template's may go. */
const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const UPLOADED_LIFE_MS = 23 * 60 * 60 * 1000;
/** Bytes that are kept at most, of everybody who uses this browser. */
const KEPT_MAX_BYTES = 512 * 1024 * 1024;

const STORE = 'chosen_files';

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('stagedoor', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
    request.onsuccess = () => {
      request.result.onversionchange = () => {
        request.result.close();
        forget();
      };
      request.result.onclose = forget;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  // The next use opens it anew.
  opened.catch(forget);
  return opened;
}

function forget(): void {
  opened = null;
}

/** Does something with the stored files in one transaction; its result is there once that is on disk. */
async function transact<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
  const transaction = (await open()).transaction(STORE, mode);
  const request = act(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

async function readAll(): Promise<KeptFile[]> {
  return (await transact<KeptFile[]>('readonly', (store) => store.getAll())) ?? [];
}

/** Whether a kept file is still of use. `now` is in milliseconds. */
export function isAlive({ savedAt, file }: KeptFile, now: number): boolean {
  return now - savedAt < (file === null ? UPLOADED_LIFE_MS : LIFE_MS);
}

/** Keeps a file. @returns whether there was room for it */
export async function keepFile(file: KeptFile): Promise<boolean> {
  const bytes = (kept: KeptFile) => kept.file?.size ?? 0;
  const held = (await readAll()).reduce((sum, kept) => sum + bytes(kept), 0);
  if (held + bytes(file) > KEPT_MAX_BYTES) return false;
  await transact('readwrite', (store) => store.put(file));
  return true;
}

/** What an admin had chosen, in the order in which it was; what is too old is forgotten, whoever's it was. */
export async function readKept(admin: string): Promise<KeptFile[]> {
  const all = await readAll();
  const now = Date.now();
  await forgetKept(all.filter((file) => !isAlive(file, now)).map(({ key }) => key));
  return all
    .filter((file) => file.admin === admin && isAlive(file, now))
    .sort((a, b) => a.savedAt - b.savedAt);
}

/** Forgets files that were sent or removed. */
export async function forgetKept(keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await transact('readwrite', (store) => {
    for (const key of keys) store.delete(key);
    return undefined;
  });
}

/** Forgets all that an admin had chosen. */
export async function forgetKeptOf(admin: string): Promise<void> {
  const all = await readAll();
  await forgetKept(all.filter((file) => file.admin === admin).map(({ key }) => key));
}
