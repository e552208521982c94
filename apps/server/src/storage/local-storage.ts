import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { storageFull } from '../errors.ts';
import { checkedKey, type ObjectStorage } from './storage.ts';

/** The folder for objects that are still being written; `get` never reads from it. */
const PARTIAL = '.partial';
/** A partial file unchanged for this long is abandoned: an upload takes at most an hour. */
const ABANDONED_AFTER_MS = 60 * 60_000;
/** Error codes of file systems that don't support hard links, or allow no more of them. */
const LINKLESS = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'];
/**
 * Stores objects as files in a folder. A confirmed object survives a power cut: its bytes are synced, then it is moved into
 * place, then the folder is synced.
 */
export async function openLocalStorage(root: string): Promise<ObjectStorage> {
  const partial = path.join(root, PARTIAL);
  await mkdir(partial, { recursive: true });
  // Removes files that a killed process left incomplete. Other processes may still be writing the newer ones.
  for (const name of await readdir(partial)) {
    const file = path.join(partial, name);
    const found = await stat(file).catch(nullIfMissing);
    if (found !== null && found.mtimeMs < Date.now() - ABANDONED_AFTER_MS) {
      await rm(file, { force: true });
    }
  }
  return filesBelow(root);
}

/** Returns the storage in a folder without preparing or cleaning it, for a reader next to a server that may be writing. */
export function filesBelow(root: string): ObjectStorage {
  const partial = path.join(root, PARTIAL);
  const fileOf = (key: string) => path.join(root, checkedKey(key));

  const storage: ObjectStorage = {
    async put(key, body) {
      const target = fileOf(key);
      const temporary = path.join(partial, randomUUID());
      try {
        const size = await writeSynced(temporary, body);
        await makeFolder(path.dirname(target));
        await rename(temporary, target);
        await syncFolder(path.dirname(target));
        return size;
      } catch (error) {
        await rm(temporary, { force: true });
        throw isFull(error) ? storageFull() : error;
      }
    },

    async copy(from, to) {
      const source = fileOf(from);
      const target = fileOf(to);
      try {
        await makeFolder(path.dirname(target));
        await link(source, target);
        await syncFolder(path.dirname(target));
        return true;
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return false;
        if (isFull(error)) throw storageFull();
        if (!LINKLESS.some((code) => hasCode(error, code))) throw error;
        const found = await storage.get(from);
        if (found !== null) await storage.put(to, found.body, { contentType: '' });
        return found !== null;
      }
    },

    async get(key, range) {
      const file = fileOf(key);
      const handle = await open(file, 'r').catch(nullIfMissing);
      if (handle === null) return null;
      // The file is opened before its size is read, so a concurrent deletion can't remove the bytes.
      const { size } = await handle.stat();
      const { start, end } = range ?? { start: 0, end: size - 1 };
      if (end < start) {
        await handle.close();
        return { body: Readable.from([]), size: 0 };
      }
      const body = createReadStream('', { fd: handle, start, end, autoClose: true });
      return { body, size: Math.min(end, size - 1) - start + 1 };
    },

    async size(key) {
      const found = await stat(fileOf(key)).catch(nullIfMissing);
      return found?.size ?? null;
    },

    async delete(key) {
      await rm(fileOf(key), { force: true });
    },

    close() {},
  };
  return storage;
}

async function writeSynced(file: string, body: Readable | Buffer): Promise<number> {
  const handle = await open(file, 'wx', 0o600);
  let size = 0;
  try {
    for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
      const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as Uint8Array);
      // Unlike `write`, `writeFile` continues until everything is written.
      await handle.writeFile(bytes);
      size += bytes.length;
    }
    await handle.sync();
    return size;
  } finally {
    await handle.close();
  }
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first !== undefined) await syncFolder(path.dirname(first));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

/** Checks whether an error means that the file system is full. */
export const isFull = (error: unknown) => hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT');

function nullIfMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}
