import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { mountSmallDisk } from '../../test/servers/small-disk.ts';
import { testStorage } from '../../test/storage-suite.ts';
import { until } from '../../test/until.ts';
import { openLocalStorage } from './local-storage.ts';

const filesIn = async (root: string) =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .toSorted();

testStorage('local', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'stagedoor-storage-'));
  return {
    storage: await openLocalStorage(root),
    everything: () => filesIn(root),
    close: () => rm(root, { recursive: true, force: true }),
  };
});

test('a start deletes partial files that are an hour old, and keeps those that another process is writing', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'stagedoor-storage-'));
  const old = path.join(root, '.partial', 'old');
  await mkdir(path.dirname(old));
  await writeFile(old, 'x');
  const longAgo = new Date(Date.now() - 61 * 60_000);
  await utimes(old, longAgo, longAgo);
  const other = await openLocalStorage(root);
  expect(await filesIn(root)).toEqual([]);
  const body = new PassThrough();
  const put = other.put('uploads/a', body, { contentType: 'image/png' });
  body.write('first');
  await until('it is being written', async () => (await filesIn(root)).length === 1);
  await openLocalStorage(root);
  body.end('second');
  expect(await put).toBe(11);
  await rm(root, { recursive: true });
});

test('on a full disk a put fails with storage_full and leaves nothing; stored objects remain, and it recovers once there is space', async (context) => {
  const disk = await mountSmallDisk(1);
  if (disk === null) {
    context.skip('a small file system can be mounted by root only');
    return;
  }
  const { root } = disk;
  try {
    const storage = await openLocalStorage(root);
    const put = (key: string, size: number) =>
      storage.put(key, Buffer.alloc(size), { contentType: 'image/png' });
    await put('uploads/first', 100_000);
    await expect(put('uploads/second', 2_000_000)).rejects.toMatchObject({
      code: 'storage_full',
      status: 507,
    });
    expect(await filesIn(root)).toEqual(['uploads/first']);
    await put('uploads/third', 100_000);
  } finally {
    await disk.unmount();
  }
});
