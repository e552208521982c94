import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ObjectStorage } from '../src/storage/storage.ts';

/** A storage driver under test, with its own empty storage. */
export interface StorageUnderTest {
  readonly storage: ObjectStorage;
  /** Returns everything stored, including parts of unfinished objects. */
  everything(): Promise<string[]>;
  close(): Promise<void>;
}

const MEGABYTE = 1024 * 1024;

/** Tests the behavior that every storage driver must have. */
export function testStorage(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(`${name} storage`, () => {
    let opened: StorageUnderTest;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    const newKey = () => `uploads/${randomBytes(32).toString('base64url')}`;
    const put = async (body: Buffer | Readable) => {
      const key = newKey();
      const size = await opened.storage.put(key, body, { contentType: 'image/png' });
      return { key, size };
    };
    const read = async (key: string, range?: { start: number; end: number }) => {
      const found = await opened.storage.get(key, range);
      return found && { size: found.size, bytes: await buffer(found.body) };
    };

    test('an object is read back unchanged', async () => {
      const bytes = randomBytes(100_000);
      const { key, size } = await put(bytes);
      expect(size).toBe(bytes.length);
      expect(await opened.storage.size(key)).toBe(bytes.length);
      const back = await read(key);
      expect(back?.size).toBe(bytes.length);
      expect(back?.bytes.equals(bytes)).toBe(true);
    });

    test('an empty object can be stored', async () => {
      const { key, size } = await put(Buffer.alloc(0));
      expect([size, await opened.storage.size(key)]).toEqual([0, 0]);
      expect((await read(key))?.bytes.length).toBe(0);
    });

    test('a stream of unknown length is stored whole, larger than one part of an upload', async () => {
      const chunks = Array.from({ length: 40 }, () => randomBytes(MEGABYTE / 2));
      const { key, size } = await put(Readable.from(chunks));
      expect(size).toBe(20 * MEGABYTE);
      expect((await read(key))?.bytes.equals(Buffer.concat(chunks))).toBe(true);
    });

    test.each([
      [0, 0],
      [10, 19],
      [0, 999],
      [999, 999],
    ])('a range from byte %i to %i returns exactly those bytes', async (start, end) => {
      const bytes = randomBytes(1_000);
      const { key } = await put(bytes);
      const part = await read(key, { start, end });
      expect(part?.size).toBe(end - start + 1);
      expect(part?.bytes.equals(bytes.subarray(start, end + 1))).toBe(true);
    });

    test('a missing object reads as null, and deleting it is no error', async () => {
      const key = newKey();
      expect(await opened.storage.get(key)).toBeNull();
      expect(await opened.storage.size(key)).toBeNull();
      await opened.storage.delete(key);
    });

    test('a deleted object reads as null', async () => {
      const { key } = await put(Buffer.from('x'));
      await opened.storage.delete(key);
      expect(await opened.storage.get(key)).toBeNull();
      expect(await opened.storage.size(key)).toBeNull();
    });

    test('a copy has the same bytes and survives the deletion of the original', async () => {
      const bytes = randomBytes(1_000);
      const { key } = await put(bytes);
      const copy = newKey();
      expect(await opened.storage.copy(key, copy)).toBe(true);
      await opened.storage.delete(key);
      expect((await read(copy))?.bytes.equals(bytes)).toBe(true);
      expect(await opened.storage.size(key)).toBeNull();
      expect(await opened.storage.copy(key, newKey())).toBe(false);
    });

    test.each([
      ['immediately', 0],
      ['after many bytes', 24],
    ])(
      'a body that fails %s rejects the put with its error and leaves nothing behind',
      async (_when, after) => {
        const before = await opened.everything();
        const broken = new Error('the sender hung up');
        const body = Readable.from(
          (function* () {
            for (let chunk = 0; chunk < after; chunk++) yield randomBytes(MEGABYTE / 2);
            throw broken;
          })(),
        );
        const key = newKey();
        await expect(opened.storage.put(key, body, { contentType: 'video/mp4' })).rejects.toBe(
          broken,
        );
        expect(await opened.storage.get(key)).toBeNull();
        expect(await opened.everything()).toEqual(before);
      },
    );

    test('a key outside the storage is refused', async () => {
      for (const key of [
        '../x',
        'uploads/../../x',
        '/etc/passwd',
        'uploads//x',
        '.partial/x',
        'a\0b',
        '',
      ]) {
        await expect(opened.storage.get(key)).rejects.toThrow('not a storage key');
        await expect(
          opened.storage.put(key, Buffer.from('x'), { contentType: 'a/b' }),
        ).rejects.toThrow();
        await expect(opened.storage.delete(key)).rejects.toThrow();
      }
    });
  });
}
