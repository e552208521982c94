import type { Readable } from 'node:stream';

/** A byte range from `start` to `end`, both inclusive and counted from 0, as in HTTP's Range header. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Stores files. Keys are generated: `folder/` and 256 random bits, never a person's file name. An object is complete or absent,
 * and never changes: new content gets a new key.
 */
export interface ObjectStorage {
  /**
   * Stores an object as a stream, in constant memory.
   * @returns its size in bytes
   * @throws AppError 507 `storage_full` if there is no space, and whatever the body throws; nothing is stored then
   */
  put(key: string, body: Readable | Buffer, options: { contentType: string }): Promise<number>;
  /**
   * Gives an object a second key, under which it remains when the first is deleted. Objects never change, so an implementation
   * need not copy the bytes.
   * @returns whether the object exists
   * @throws AppError 507 `storage_full` if there is no space
   */
  copy(from: string, to: string): Promise<boolean>;
  /**
   * Opens an object, or a part of it.
   * @returns null if it doesn't exist
   */
  get(key: string, range?: ByteRange): Promise<{ body: Readable; size: number } | null>;
  /** @returns the size in bytes, or null if the object doesn't exist */
  size(key: string): Promise<number | null>;
  /** Deletes an object; does nothing if it doesn't exist. */
  delete(key: string): Promise<void>;
  close(): void;
}

/** The format of a key: folders and a name of letters, digits, `-` and `_`, so that no key leaves the storage folder. */
const KEY = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/;

/** @throws Error for an invalid key */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`not a storage key: ${key}`);
  return key;
}
