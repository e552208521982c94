import { uploadFiles } from '@stagedoor/contract/media';
import { createProduct } from '@stagedoor/contract/selling/products';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  gifOf,
  gifOfExtensions,
  mp4Of,
  pngOf,
  webpOf,
  withEmptyChunks,
  withEmptyTexts,
  withTexts,
} from '../../test/bombs.ts';
import { buildConversation, buildStaff } from '../../test/factories.ts';
import {
  animation,
  fetchFile,
  filesForm,
  SAMPLES,
  type SentFile,
  traces,
  uploadAsStaff,
} from '../../test/files.ts';
import { sharedApp } from '../../test/test-app.ts';
import { buildForm, buildPicture, productForm } from '../../test/worlds/catalogue.ts';

const app = await sharedApp();
const staff = await buildStaff(app, { role: 'manager' });
const { id: conversationId } = await buildConversation(app);

const left = () => traces(app);
const upload = (...files: SentFile[]) => uploadAsStaff(staff, conversationId, ...files);
const refused = (...files: SentFile[]) =>
  staff.client.refused(uploadFiles, {
    body: filesForm(files, { conversation_id: conversationId }),
  });

const text = (content: string) => new TextEncoder().encode(content);
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
const bomb = pngOf(30_000, 30_000);

test.each<[string, () => SentFile | Promise<SentFile>]>([
  ['an SVG with a script', () => ({ data: text(SVG), filename: 'x.svg', type: 'image/svg+xml' })],
  ['an SVG named PNG', () => ({ data: text(SVG), filename: 'x.png', type: 'image/png' })],
  ['HTML named PNG', () => ({ data: text('<html><script>1</script>'), filename: 'x.png' })],
  ['HTML declared a picture', () => ({ data: text('<html>'), filename: 'x', type: 'image/jpeg' })],
  [
    'an unknown binary named JPEG',
    () => ({ data: new Uint8Array(999).fill(3), filename: 'x.JPG' }),
  ],
  [
    'a PNG that breaks off',
    async () => ({ data: (await buildPicture()).subarray(0, 90), filename: 'x.png' }),
  ],
  [
    'a HEIC that can’t be decoded',
    () => ({ data: text('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), filename: 'x.heic' }),
  ],
  ['a GIF of a million frames', () => ({ data: gifOf(1_000_000, 10, 10), filename: 'x.gif' })],
  [
    'a WebP of more frames than can be counted in time',
    async () => ({ data: await webpOf(50_000, 16, 16), filename: 'x.webp' }),
  ],
  [
    'a PNG of two million empty texts',
    async () => ({ data: withEmptyTexts(await buildPicture(), 2_000_000), filename: 'x.png' }),
  ],
  [
    'a WebP of two million empty chunks',
    async () => ({
      data: withEmptyChunks(await buildPicture({ format: 'webp' }), 2_000_000),
      filename: 'x.webp',
    }),
  ],
  [
    'a GIF of a million empty extensions',
    () => ({ data: gifOfExtensions(1_000_000), filename: 'x.gif' }),
  ],
  ['an MP4 of a million empty boxes', () => ({ data: mp4Of(1_000_000), filename: 'x.mp4' })],
  ['a BMP', () => ({ data: text(`BM${'\0'.repeat(200)}`), filename: 'x.bmp' })],
  ['an empty file', () => ({ data: new Uint8Array(), filename: 'x.txt' })],
  ['a picture of 900 megapixels', () => ({ data: bomb, filename: 'x.png' })],
])(
  '%s is rejected with its name, and neither it nor the other files leave anything',
  async (_what, build) => {
    const before = await left();
    const file = await build();
    const good = { data: await buildPicture(), filename: 'good.png' };
    const refusal = await refused(good, { data: SAMPLES.pdf, filename: 'good.pdf' }, file);
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_file' });
    expect(refusal.error).toContain(`“${file.filename}”`);
    expect(await left()).toEqual(before);
  },
);

test('a picture of 900 megapixels costs no memory', async () => {
  const refusal = await refused({ data: bomb, filename: 'warm-up.png' });
  expect(refusal.error).toContain('50 megapixels');
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  await refused({ data: bomb, filename: 'bomb.png' });
  clearInterval(timer);
  expect((peak - before) / 2 ** 20).toBeLessThan(100);
});

test('a picture that is also a script is only a picture afterwards', async () => {
  const gif = await animation('gif');
  const polyglot = Buffer.concat([gif, Buffer.from('*/=1;alert(document.domain)//')]);
  const [photo] = await upload({ data: polyglot, filename: 'x.js', type: 'text/javascript' });
  expect(photo).toMatchObject({ type: 'image', mime_type: 'image/gif', filename: 'x.gif' });
  const { bytes, headers } = await fetchFile(app, photo?.url);
  expect(bytes.includes('alert')).toBe(false);
  expect(headers.get('content-type')).toBe('image/gif');
});

test.each([
  ['HTML', 'page.html', '<script>alert(1)</script>', 'text/html'],
  ['a script', 'run.js', 'alert(1)', 'text/javascript'],
  ['an SVG under another name', 'notes.txt', SVG, 'text/plain'],
])('%s is stored as a download that no browser runs', async (_what, filename, content, type) => {
  const [file] = await upload({ data: text(content), filename, type });
  expect(file).toMatchObject({ type: 'file', mime_type: 'application/octet-stream' });
  const { headers } = await fetchFile(app, file?.url);
  expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(headers.get('content-disposition')).toMatch(/^attachment; /);
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test.each<[string, () => Promise<Buffer>, object]>([
  ['GIF', async () => gifOf(300, 1_000, 1_000), { width: 1_000, height: 1_000 }],
  ['GIF of many frames', async () => gifOf(4_000, 10, 10), { width: 10, height: 10 }],
  ['WebP', () => webpOf(60, 1_000, 1_000), { width: 1_000, height: 1_000 }],
])('an animated %s that is too long is stored as its first frame', async (_what, build, size) => {
  const data = await build();
  const [picture] = await upload({ data, filename: 'dance.gif' });
  expect(picture).toMatchObject({ type: 'image', ...size });
  const kept = await sharp((await fetchFile(app, picture?.url)).bytes, {
    animated: true,
  }).metadata();
  expect(kept.pages ?? 1).toBe(1);
});

test('texts in a PNG are neither unpacked nor stored', async () => {
  const data = withTexts(await buildPicture(), 200, 50_000_000);
  const [picture] = await upload({ data, filename: 'x.png' });
  expect(picture).toMatchObject({ width: 60, height: 40 });
  expect((await fetchFile(app, picture?.url)).bytes.includes('zTXt')).toBe(false);
});

test.each<[string, () => Promise<Buffer>, string]>([
  ['a zip', () => buildPicture({ format: 'jpeg' }), 'PK\x03\x04zip-content'],
  ['HTML', () => buildPicture(), '<html><script>alert(1)</script>zip-content'],
  ['a PDF', () => animation('webp'), '%PDF-1.7 zip-content'],
])('%s behind a picture is removed', async (_what, build, hidden) => {
  const data = Buffer.concat([await build(), Buffer.from(hidden, 'latin1')]);
  const [picture] = await upload({ data, filename: 'x.zip', type: 'application/zip' });
  expect(picture?.type).toBe('image');
  for (const url of [picture?.url, picture?.thumbnail_url]) {
    const { bytes } = await fetchFile(app, url);
    expect(bytes.includes('zip-content')).toBe(false);
  }
});

test('a PDF or video that is also HTML is never shown as a page', async () => {
  const html = Buffer.from('<html><script>alert(1)</script>');
  const [pdf, video] = await upload(
    { data: Buffer.concat([SAMPLES.pdf, html]), filename: 'a.html', type: 'text/html' },
    { data: Buffer.concat([SAMPLES.mp4, html]), filename: 'b.html', type: 'text/html' },
  );
  for (const [file, type, kind] of [
    [pdf, 'application/pdf', 'attachment'],
    [video, 'video/mp4', 'inline'],
  ] as const) {
    const { headers } = await fetchFile(app, file?.url);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^${kind}; `));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  }
});

test.each(['__proto__', 'constructor', 'toString', 'a[b]', ''])(
  'a field called %j is refused like any other unknown field',
  async (name) => {
    const before = await left();
    const file = { data: text('hello'), filename: 'a.txt' };
    const form = filesForm([file], { conversation_id: conversationId });
    form.append(name, 'x');
    const strange = filesForm([], { conversation_id: conversationId });
    strange.append(name, new Blob(['x']), 'x.txt');
    const product = await productForm();
    product.append(name, 'x');
    for (const refusal of [
      await staff.client.refused(uploadFiles, { body: form }),
      await staff.client.refused(uploadFiles, { body: strange }),
      await staff.client.refused(uploadFiles, { body: buildForm({ [name]: 'x' }) }),
      await staff.client.refused(createProduct, { body: product }),
    ]) {
      expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect(await left()).toEqual(before);
  },
);
