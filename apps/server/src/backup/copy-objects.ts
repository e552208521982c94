import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { finished } from 'node:stream/promises';
import pMap from 'p-map';
import { filesBelow, openLocalStorage } from '../storage/local-storage.ts';
import type { ObjectStorage } from '../storage/storage.ts';
import { BackupError } from './backup-error.ts';
import { OBJECT_LIST, OBJECTS, ObjectPart } from './manifest.ts';
import { Meter } from './parts.ts';

/** Objects copied in parallel: enough to hide a bucket's latency. */
const PARALLEL = { concurrency: 8 };
/** Milliseconds between two progress lines. */
const PROGRESS_EVERY_MS = 5_000;
/** The content type of stored copies; when files are served, their real type comes from the database. */
const KIND = { contentType: 'application/octet-stream' };

export interface CopiedObjects {
  readonly count: number;
  readonly bytes: number;
  /** Keys of objects that are not in the storage. */
  readonly missing: string[];
}

/** Copies the objects listed in a file into a backup, and writes a list of them with their hashes. */
export async function copyObjects(
  storage: ObjectStorage,
  folder: string,
  keysFile: string,
  say: (line: string) => void,
): Promise<CopiedObjects> {
  const target = await openLocalStorage(path.join(folder, OBJECTS));
  const list = createWriteStream(path.join(folder, OBJECT_LIST), {
    flags: 'wx',
    mode: 0o600,
    flush: true,
  });
  const written = finished(list);
  // Prevents an unhandled rejection. The code below still gets the error, because it waits for the list.
  written.catch(() => undefined);
  const missing: string[] = [];
  const progress = progressOf(say);
  await pMap(
    linesOf(keysFile),
    async (key) => {
      const found = await storage.get(key);
      if (found === null) {
        missing.push(key);
        return;
      }
      const meter = new Meter();
      // If the body breaks off, the meter fails, and so does `put`.
      await target.put(
        key,
        pipeline(found.body, meter, () => undefined),
        KIND,
      );
      const measured = meter.measure();
      if (measured.bytes !== found.size) throw new Error(`reading ${key} was interrupted`);
      progress.add(measured.bytes);
      if (!list.write(`${JSON.stringify({ key, ...measured })}\n`)) await once(list, 'drain');
    },
    PARALLEL,
  );
  list.end();
  await written;
  await rm(path.join(folder, OBJECTS, '.partial'), { recursive: true, force: true });
  return { count: progress.count, bytes: progress.bytes, missing };
}

/** @throws BackupError at the first object that differs from the list */
export async function verifyObjects(folder: string, say: (line: string) => void): Promise<void> {
  const files = filesBelow(path.join(folder, OBJECTS));
  const progress = progressOf(say);
  await pMap(
    listedObjects(folder),
    async (object) => {
      const file = await files.get(object.key);
      if (file === null)
        throw new BackupError(`The backup is damaged: the file ${object.key} is missing.`);
      const meter = new Meter().resume();
      await finished(pipeline(file.body, meter, () => undefined));
      const { bytes, sha256 } = meter.measure();
      if (bytes !== object.bytes || sha256 !== object.sha256) {
        throw new BackupError(`The backup is damaged: the file ${object.key} has changed.`);
      }
      progress.add(bytes);
    },
    PARALLEL,
  );
}

/**
 * Copies a backup's objects into a storage. Skips objects that the storage already has, because objects never change.
 * @returns the number and total size of the backup's objects
 */
export async function restoreObjects(
  folder: string,
  storage: ObjectStorage,
  say: (line: string) => void,
): Promise<{ count: number; bytes: number }> {
  const files = filesBelow(path.join(folder, OBJECTS));
  const progress = progressOf(say);
  await pMap(
    listedObjects(folder),
    async ({ key, bytes }) => {
      if ((await storage.size(key)) !== bytes) {
        const file = await files.get(key);
        if (file === null) throw new BackupError(`The file ${key} is missing from the backup.`);
        const stored = await storage.put(key, file.body, KIND);
        if (stored !== bytes) throw new BackupError(`The file ${key} in the backup has changed.`);
      }
      progress.add(bytes);
    },
    PARALLEL,
  );
  return progress;
}

async function* listedObjects(folder: string): AsyncGenerator<ObjectPart> {
  for await (const line of linesOf(path.join(folder, OBJECT_LIST))) {
    yield ObjectPart.parse(JSON.parse(line));
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
}

function progressOf(say: (line: string) => void) {
  let reportedAt = Date.now();
  return {
    count: 0,
    bytes: 0,
    add(bytes: number) {
      this.count += 1;
      this.bytes += bytes;
      if (Date.now() - reportedAt < PROGRESS_EVERY_MS) return;
      reportedAt = Date.now();
      say(filesLine(this));
    },
  };
}

/** Formats the number and size of files for display. */
export const filesLine = ({ count, bytes }: { count: number; bytes: number }): string =>
  `${count.toLocaleString('en')} files, ${(bytes / 1e6).toFixed(1)} MB`;
