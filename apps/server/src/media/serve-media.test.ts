import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { buildConversation, buildStaff } from '../../test/factories.ts';
import { fetchFile, SAMPLES, uploadAsStaff } from '../../test/files.ts';
import { sharedApp } from '../../test/test-app.ts';
import { createMediaLinks, MEDIA_PATH } from './media-links.ts';

const mediaKey = randomBytes(32);
const app = await sharedApp({ mediaKey });
const staff = await buildStaff(app);
const { id: conversationId } = await buildConversation(app);
const clip = Buffer.concat([SAMPLES.mp4, Buffer.from(Array.from({ length: 256 }, (_, n) => n))]);
const [video] = await uploadAsStaff(staff, conversationId, { data: clip, filename: 'clip.mp4' });
const get = (url: string | null | undefined, headers: Record<string, string> = {}) =>
  fetchFile(app, url, { headers });

describe('ranges', () => {
  const size = clip.length;
  test.each([
    ['bytes=0-0', 206, 0, 1],
    ['bytes=10-19', 206, 10, 20],
    ['Bytes=10-19', 206, 10, 20],
    ['bytes=0-99999999999999999999999', 206, 0, size],
    ['bytes=100-', 206, 100, size],
    ['bytes=-16', 206, size - 16, size],
    [`bytes=-${size * 2}`, 206, 0, size],
    [`bytes=10-${size * 2}`, 206, 10, size],
    ['bytes=0-1,5-6', 200, 0, size],
    ['bytes=9-3', 200, 0, size],
    ['items=0-1', 200, 0, size],
  ] as const)(
    '%s gives %i with the bytes from %i to before %i',
    async (range, status, from, to) => {
      const reply = await get(video?.url, { range });
      expect(reply.status).toBe(status);
      expect(reply.bytes.equals(clip.subarray(from, to))).toBe(true);
      expect(reply.headers.get('content-length')).toBe(String(to - from));
      expect(reply.headers.get('content-range')).toBe(
        status === 206 ? `bytes ${from}-${to - 1}/${size}` : null,
      );
      expect(reply.headers.get('accept-ranges')).toBe('bytes');
    },
  );

  test.each([`bytes=${size}-`, 'bytes=-0', 'bytes=99999999999999999999999-'])(
    '%s can’t be satisfied: 416 with the size',
    async (range) => {
      const reply = await get(video?.url, { range });
      expect(reply.status).toBe(416);
      expect(reply.headers.get('content-range')).toBe(`bytes */${size}`);
      expect(reply.bytes.length).toBe(0);
    },
  );

  test('HEAD returns the size and no body', async () => {
    const reply = await fetchFile(app, video?.url, { method: 'HEAD' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-length')).toBe(String(size));
    expect(reply.headers.get('content-type')).toBe('video/mp4');
    expect(reply.bytes.length).toBe(0);
  });

  test('a cached file is not sent again; a range of an outdated version is answered with the whole file', async () => {
    const etag = (await get(video?.url)).headers.get('etag') ?? '';
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect((await get(video?.url, { 'if-none-match': held })).status).toBe(304);
    }
    expect((await get(video?.url, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get(video?.url, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await get(video?.url, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  });
});

test('a file may be cached only by its viewer, only while its link is valid, and runs nothing', async () => {
  const links = createMediaLinks(mediaKey);
  const left = () => links.read((video?.url ?? '').slice(MEDIA_PATH.length + 1)).secondsLeft;
  const before = left();
  const { headers } = await get(video?.url);
  const age = Number(/^private, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1]);
  expect(age).toBeGreaterThanOrEqual(left());
  expect(age).toBeLessThanOrEqual(before);
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
});
