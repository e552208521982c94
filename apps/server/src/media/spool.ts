import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, storageFull } from '../errors.ts';
import { isFull } from '../storage/local-storage.ts';
import { inBlocks } from './blocks.ts';

/** A file that waits on disk. It is already unlinked, so the system frees its space however the process ends. */
export interface Spooled {
  readonly size: number;
  /** @returns the first bytes, or the whole file if it is smaller */
  head(bytes: number): Promise<Buffer>;
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Writes a picture to disk, where it takes no memory while it waits.
 * @param folder must be on a disk: some systems keep temporary files in memory
 * @param maxBytes limit for the picture, which is rejected as soon as it exceeds the limit
 * @param filename shown in the error's text
 * @throws AppError 413 `payload_too_large`, 507 `storage_full`, and whatever the body throws
 */
export async function spool(
  folder: string,
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  filename: string,
): Promise<Spooled> {
  const file = path.join(folder, `.upload-${randomUUID()}`);
  const handle = await open(file, 'wx+', 0o600).catch(explained);
  let size = 0;
  try {
    await rm(file);
    for await (const block of inBlocks(body)) {
      size += block.length;
      if (size > maxBytes) throw tooLarge(filename, maxBytes);
      await handle.writeFile(block).catch(explained);
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    size,
    head: (bytes) => readStart(handle, Math.min(bytes, size)),
    read: () => readStart(handle, size),
    close: () => handle.close(),
  };
}

async function readStart(handle: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await handle.read(bytes, at, length - at, at);
    if (bytesRead === 0) throw new Error('a file on disk is shorter than expected');
    at += bytesRead;
  }
  return bytes;
}

function explained(error: unknown): never {
  throw isFull(error) ? storageFull() : error;
}

function tooLarge(filename: string, maxBytes: number): AppError {
  const megabytes = Math.floor(maxBytes / 1024 / 1024);
  return new AppError('payload_too_large', {
    message: `“${filename}” is too large: a picture can have at most ${megabytes} MB`,
  });
}
