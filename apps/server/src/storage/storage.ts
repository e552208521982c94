import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both inclusive and counted from 0, as HTTP's Range has them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where files lie. Keys are made by us: `folder/` and 256 random bits, never a person's file name. An object is there
 * whole or not at all, and never changes: what changes gets another key.
 */
export interface ObjectStorage {
  /**
   * Stores an object, streaming: memory does not grow with its size.
   * @returns its size in bytes
   * @throws AppError 507 `storage_full` when there is no space, and whatever the body throws; nothing is left then
   */
  put(key: string, body: Readable | Buffer, options: { contentType: string }): Promise<number>;
  /**
   * Gives an object a second key, under which it stays when the first is deleted. As objects never change, a driver need not copy
   * their bytes.
   * @returns whether there was one
   * @throws AppError 507 `storage_full` when there is no space
   */
  copy(from: string, to: string): Promise<boolean>;
  /**
   * Opens an object, or a part of it.
   * @returns null when there is none
   */
  get(key: string, range?: ByteRange): Promise<{ body: Readable; size: number } | null>;
  /** @returns the size in bytes, or null when there is none */
  size(key: string): Promise<number | null>;
  /** Deletes an object; one that is not there is no error. */
  delete(key: string): Promise<void>;
  close(): void;
}

/** A key's form: folders and a name of letters, digits, `-` and `_`, so that none leads out of where objects lie. */
const KEY = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/;

/** @throws Error for what is no key of ours */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`not a storage key: ${key}`);
  return key;
}
