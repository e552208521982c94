import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { mp4Of } from '../../../test/bombs.ts';
import { buildConversation, buildStaff } from '../../../test/factories.ts';
import { uploadAsStaff } from '../../../test/files.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { openLocalStorage } from '../../storage/local-storage.ts';
import type { ObjectStorage } from '../../storage/storage.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-busy-'));
const local = await openLocalStorage(folder);
/** Bytes of the pieces in which the last streamed object came. */
let pieces: number[] = [];
const storage: ObjectStorage = {
  ...local,
  async put(key, body, options) {
    if (Buffer.isBuffer(body)) return local.put(key, body, options);
    pieces = [];
    const measured = body.map((piece: Buffer) => {
      pieces.push(piece.length);
      return piece;
    });
    return local.put(key, Readable.from(measured), options);
  },
};
const app = await startTestApp({ storage });
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
const staff = await buildStaff(app);
const { id: conversationId } = await buildConversation(app);

test('a recording of small boxes is written in blocks of 64 KB', async () => {
  const data = mp4Of(100_000);
  const [clip] = await uploadAsStaff(staff, conversationId, { data, filename: 'clip.mp4' });
  expect(clip?.size).toBe(data.length);
  expect(pieces.length).toBeLessThanOrEqual(Math.ceil(data.length / 65_536));
});
