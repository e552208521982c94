import { FILENAME_MAX_CHARS, uploadFiles } from '@stagedoor/contract/media';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff } from '../../test/factories.ts';
import {
  animation,
  fetchFile,
  filesForm,
  photoWithLocation,
  recordingWithLocation,
  SAMPLES,
  SECRET,
  type SentFile,
  traces,
  uploadAsFan,
  uploadAsStaff,
} from '../../test/files.ts';
import { sharedApp } from '../../test/test-app.ts';
import { buildPicture } from '../../test/worlds/catalogue.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const { id: conversationId, fan } = await buildConversation(app);

const upload = (...files: SentFile[]) => uploadAsStaff(staff, conversationId, ...files);
const refusedUpload = (form: FormData) => staff.client.refused(uploadFiles, { body: form });
const refused = (...files: SentFile[]) =>
  refusedUpload(filesForm(files, { conversation_id: conversationId }));

const left = () => traces(app);

test('an album keeps its order, and has each picture’s size and a thumbnail', async () => {
  const [wide, tall] = await upload(
    {
      data: await buildPicture({ width: 1_600, height: 900, format: 'jpeg' }),
      filename: 'wide.jpg',
    },
    { data: await buildPicture({ width: 300, height: 500 }), filename: 'tall.png' },
  );
  expect(wide).toMatchObject({ type: 'image', filename: 'wide.jpg', width: 1_600, height: 900 });
  expect(tall).toMatchObject({ type: 'image', mime_type: 'image/png', width: 300, height: 500 });
  expect(wide).toMatchObject({ is_paid: false, price: null, preview_url: null, full_s3_key: null });
  const full = await fetchFile(app, wide?.url);
  expect(full.bytes.length).toBe(wide?.size);
  const thumbnail = await sharp((await fetchFile(app, wide?.thumbnail_url)).bytes).metadata();
  expect(thumbnail).toMatchObject({ format: 'webp', width: 800, height: 450 });
});

test.each([
  ['mp4', 'clip.mp4', 'video', 'video/mp4', 'inline'],
  ['mov', 'clip.mov', 'video', 'video/quicktime', 'inline'],
  ['webm', 'clip.webm', 'video', 'video/webm', 'inline'],
  ['mp3', 'voice.mp3', 'audio', 'audio/mpeg', 'inline'],
  ['m4a', 'voice.m4a', 'audio', 'audio/mp4', 'inline'],
  ['wav', 'voice.wav', 'audio', 'audio/wav', 'inline'],
  ['ogg', 'voice.ogg', 'audio', 'audio/ogg', 'inline'],
  ['pdf', 'contract.pdf', 'file', 'application/pdf', 'attachment'],
] as const)(
  'a %s file gets the type of its content, and keeps its bytes',
  async (sample, filename, type, mime, shown) => {
    const [attachment] = await upload({ data: SAMPLES[sample], filename, type: 'text/html' });
    expect(attachment).toMatchObject({
      type,
      mime_type: mime,
      filename,
      size: SAMPLES[sample].length,
    });
    const { bytes, headers } = await fetchFile(app, attachment?.url);
    expect(bytes.equals(SAMPLES[sample])).toBe(true);
    expect(headers.get('content-type')).toBe(mime);
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^${shown}; `));
  },
);

test('a recording in a video container that is declared as audio is audio', async () => {
  const [voice] = await upload({ data: SAMPLES.webm, filename: 'voice.webm', type: 'audio/webm' });
  expect(voice).toMatchObject({ type: 'audio', mime_type: 'audio/webm' });
});

test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
  'a %s photo is stored upright and without its location',
  async (format) => {
    const data = await photoWithLocation(format);
    expect(data.includes(SECRET)).toBe(true);
    const [photo] = await upload({ data, filename: `beach.${format}` });
    expect(photo).toMatchObject({ width: 20, height: 40 });
    for (const url of [photo?.url, photo?.thumbnail_url]) {
      const { bytes } = await fetchFile(app, url);
      const { exif, xmp, iptc, orientation, width, height } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc, orientation }).toEqual({});
      expect([width, height]).toEqual([20, 40]);
      expect(bytes.includes('SECRET')).toBe(false);
    }
  },
);

test('a transparent AVIF stays transparent', async () => {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const data = await sharp({ create: { width: 40, height: 20, channels: 4, background } })
    .avif()
    .toBuffer();
  const [logo] = await upload({ data, filename: 'logo.avif' });
  for (const url of [logo?.url, logo?.thumbnail_url]) {
    const { isOpaque } = await sharp((await fetchFile(app, url)).bytes).stats();
    expect(isOpaque).toBe(false);
  }
});

test.each(['mp4', 'mov', 'm4a'] as const)(
  'a recording as %s loses its location, and is otherwise unchanged',
  async (kind) => {
    const data = recordingWithLocation(kind);
    const [video] = await upload({ data, filename: `beach.${kind}` });
    const { bytes } = await fetchFile(app, video?.url);
    expect(data.includes(SECRET)).toBe(true);
    expect(bytes.includes('SECRET')).toBe(false);
    // All offsets are unchanged, so the tables still point to their samples.
    expect(bytes.length).toBe(data.length);
    for (const kept of ['mvhd', 'tkhd', 'SAMPLES', 'END']) {
      expect(bytes.indexOf(kept), kept).toBe(data.indexOf(kept));
    }
    expect(bytes.subarray(0, 20).equals(data.subarray(0, 20))).toBe(true);
  },
);

test('comments in a GIF are removed', async () => {
  const gif = await animation('gif');
  const comment = Buffer.concat([
    Buffer.from([0x21, 0xfe, SECRET.length]),
    Buffer.from(`${SECRET}\0`),
  ]);
  const end = gif.lastIndexOf(0x3b);
  const [photo] = await upload({
    data: Buffer.concat([gif.subarray(0, end), comment, gif.subarray(end)]),
    filename: 'dance.gif',
  });
  expect((await fetchFile(app, photo?.url)).bytes.includes('SECRET')).toBe(false);
});

test.each(['gif', 'webp'] as const)('a small animated %s stays animated', async (format) => {
  const [photo] = await upload({ data: await animation(format), filename: `dance.${format}` });
  expect(photo).toMatchObject({ width: 30, height: 30 });
  const kept = await sharp((await fetchFile(app, photo?.url)).bytes, { animated: true }).metadata();
  expect(kept.pages).toBe(3);
});

const text = (content: string) => new TextEncoder().encode(content);

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\plan.txt', 'plan.txt'],
  ['..', 'file'],
  ['a\u202egpj.exe', 'agpj.exe'],
  ['a\u0000b\u0007.txt', 'ab.txt'],
  ['a\u200b\u00ad\u2028\u2029b.txt', 'ab.txt'],
  ['می\u200cخواهم 👩\u200d🚀.txt', 'می\u200cخواهم 👩\u200d🚀.txt'],
  ['Überraschung 🎉.txt', 'Überraschung 🎉.txt'],
  [`${'n'.repeat(400)}.txt`, `${'n'.repeat(FILENAME_MAX_CHARS - 4)}.txt`],
])('the name %j is stored as %j', async (filename, kept) => {
  const [file] = await upload({ data: text('hello'), filename });
  expect(file?.filename).toBe(kept);
  const { headers } = await fetchFile(app, file?.url);
  const name = /filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '')?.[1];
  expect(decodeURIComponent(name ?? '')).toBe(kept);
});

test('quotes in a name stay in the name', async () => {
  const [file] = await upload({ data: text('hello'), filename: 'a"; x="b.txt' });
  const { headers } = await fetchFile(app, file?.url);
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="[^"\\]+"; filename\*=UTF-8''[\w.%~-]+$/,
  );
});

test('the conversation may come after the files', async () => {
  const form = filesForm([{ data: text('hello'), filename: 'a.txt' }]);
  form.append('conversation_id', conversationId);
  const { body } = await staff.client.call(uploadFiles, { body: form });
  expect(body.attachments).toMatchObject([{ filename: 'a.txt', size: 5 }]);
});

test('an upload without its conversation, for another one, or without files is rejected and leaves nothing', async () => {
  const before = await left();
  const file = { data: text('hello'), filename: 'a.txt' };
  expect(await refusedUpload(filesForm([file]))).toMatchObject({ code: 'invalid_request' });
  const elsewhere = filesForm([file], { conversation_id: crypto.randomUUID() });
  expect(await refusedUpload(elsewhere)).toMatchObject({
    status: 404,
    code: 'conversation_not_found',
  });
  expect(await refused()).toMatchObject({ code: 'invalid_request' });
  const extra = filesForm([file], { conversation_id: conversationId });
  extra.append('is_paid', 'true');
  expect(await refusedUpload(extra)).toMatchObject({ code: 'invalid_request' });
  expect(await staff.client.refused(uploadFiles, { body: {} })).toMatchObject({ status: 415 });
  expect(await left()).toEqual(before);
});

test('a fan’s upload is theirs to send, and has a URL until then', async () => {
  const data = await buildPicture();
  const [photo] = await uploadAsFan(app, fan, { data, filename: 'me.png' });
  expect(photo).toMatchObject({ type: 'image', locked: false, is_paid: false });
  expect((await fetchFile(app, photo?.url)).status).toBe(200);
  expect((await fetchFile(app, photo?.thumbnail_url)).status).toBe(200);
});
