import { Readable } from 'node:stream';
import { BUNDLE_FILES_MAX } from '@stagedoor/contract/media';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import {
  createProduct,
  deleteProduct,
  listProducts,
  type Product,
  updateProduct,
} from '@stagedoor/contract/selling/products';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { fetchFile, SAMPLES, traces } from '../../../test/files.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { sweepUp } from '../../../test/traces.ts';
import {
  addMedia,
  buildBundle,
  buildPicture,
  buildProduct,
  type MediaPart,
  productForm,
} from '../../../test/worlds/catalogue.ts';
import { openMarket } from '../../../test/worlds/market.ts';

const app = await sharedApp();
const market = await openMarket(app);
const { manager } = market;

const photo = async (color: string): Promise<MediaPart> => ({
  data: await buildPicture({ width: 300, height: 200, color }),
  filename: 'photo.png',
});
const video: MediaPart = {
  data: SAMPLES.mp4,
  filename: 'clip.mp4',
  duration: '200.4',
  frame: await buildPicture({ width: 640, height: 360 }),
};
const audio: MediaPart = { data: SAMPLES.mp3, filename: 'hello.mp3', duration: '12' };
const buildSet = async () =>
  buildBundle(manager, [{ ...(await photo('#204060')), free: true }, video, audio]);

const arrange = async (id: string, media: unknown) =>
  (await manager.client.call(updateProduct, { params: { id }, body: { media } as never })).body
    .data;
const idsOf = ({ media }: Pick<Product, 'media'>) => media.map(({ id }) => id);
const asStaff = { headers: { authorization: `Bearer ${manager.token}` } };

test('a product holds the files of its form in their order, with lengths, marks and pictures', async () => {
  const product = await buildSet();
  expect(product.media).toMatchObject([
    { type: 'image', free: true, width: 300, height: 200 },
    { type: 'video', free: false, duration: expect.closeTo(200.4, 3), width: 640, height: 360 },
    { type: 'audio', free: false, duration: 12, preview_url: product.thumbnail_url },
  ]);
  expect(product.media[0]).not.toHaveProperty('duration');
  for (const { url, preview_url } of product.media)
    for (const each of [url, preview_url])
      expect((await fetchFile(app, each, asStaff)).status).toBe(200);
  const { body } = await manager.client.call(listProducts);
  expect(idsOf(body.data.find(({ id }) => id === product.id) ?? { media: [] })).toEqual(
    idsOf(product),
  );
});

test('the image of a product without other files is its only file', async () => {
  const { body } = await manager.client.upload(createProduct, await productForm());
  const { image_url, thumbnail_url, media } = body.data;
  expect(media).toMatchObject([
    { type: 'image', free: false, url: image_url, preview_url: thumbnail_url },
  ]);
});

test('a change orders and marks the named files; the others follow, and nothing is removed', async () => {
  const product = await buildSet();
  const [first = '', second = '', third = ''] = idsOf(product);
  const moved = await arrange(product.id, [{ id: third, free: true }, { id: first }]);
  expect(idsOf(moved)).toEqual([third, first, second]);
  expect(moved.media.map(({ free }) => free)).toEqual([true, true, false]);
  const marked = await arrange(product.id, [{ id: third, free: false }]);
  expect([idsOf(marked), marked.media[0]?.free]).toEqual([[third, first, second], false]);
  const other = await buildSet();
  for (const media of [
    [{ id: other.media[0]?.id }],
    [{ id: first }, { id: first }],
    [{ id: 'nonsense' }],
    [{ id: product.id }],
  ]) {
    const refusal = await manager.client.refused(updateProduct, {
      params: { id: product.id },
      body: { title: 'Half', media },
    });
    expect(refusal).toMatchObject({ status: 400, fields: { media: expect.any(String) } });
  }
  const { body } = await manager.client.call(listProducts);
  expect(body.data.find(({ id }) => id === product.id)).toMatchObject({
    title: product.title,
    media: marked.media.map(({ id, free }) => ({ id, free })),
  });
});

test('a change takes the files as they are listed; nothing but their order and marks can change', async () => {
  const { id, media } = await buildSet();
  const [first, second, third] = media;
  const swapped = [third, { ...first, free: false }, second];
  const arranged = (await arrange(id, swapped)).media;
  const plain = ({ url: _url, preview_url: _preview, ...file }: Record<string, unknown>) => file;
  expect(arranged.map(plain)).toEqual(swapped.map((file) => plain({ ...file })));
  for (const change of [{ duration: 9 }, { type: 'audio' }, { width: 1 }, { height: null }]) {
    const [field = ''] = Object.keys(change);
    const body = { media: [third, { ...first, ...change }] };
    expect(await manager.client.refused(updateProduct, { params: { id }, body })).toMatchObject({
      status: 400,
      fields: { [`media.1.${field}`]: expect.any(String) },
    });
  }
  const body = { media: [{ ...first, name: 'x' }] };
  expect(await manager.client.refused(updateProduct, { params: { id }, body })).toMatchObject({
    status: 400,
  });
  // A picture without other files is listed as the only file.
  const picture = await buildProduct(manager);
  expect(plain({ ...(await arrange(picture.id, picture.media)).media[0] })).toEqual(
    plain({ ...picture.media[0] }),
  );
});

test.each([
  ['a document', [{ data: SAMPLES.pdf, filename: 'a.pdf' }], 400, 'invalid_file'],
  ['an empty file', [{ data: Buffer.alloc(0), filename: 'a.mp4' }], 400, 'invalid_file'],
  ['a length in words', [{ ...audio, duration: 'long' }], 400, 'invalid_request'],
  ['a negative length', [{ ...audio, duration: '-1' }], 400, 'invalid_request'],
  ['a frame of a sound', [{ ...audio, frame: video.frame }], 400, 'invalid_request'],
  ['a broken frame', [{ ...video, frame: Buffer.from('no') }], 400, 'invalid_file'],
  [
    'too many files',
    Array.from({ length: BUNDLE_FILES_MAX + 1 }, () => audio),
    413,
    'payload_too_large',
  ],
] as const)(
  'a product with %s is refused and leaves nothing behind',
  async (_what, media, status, code) => {
    const before = await traces(app);
    const form = addMedia(await productForm(), media as readonly MediaPart[]);
    const refusal = await manager.client.refused(createProduct, { body: form });
    expect(refusal).toMatchObject({ status, code });
    expect(await traces(app)).toEqual(before);
  },
);

test('a description of a file that precedes all files is refused', async () => {
  for (const name of ['duration', 'free']) {
    const body = await productForm({ [name]: '1' });
    expect((await manager.client.refused(createProduct, { body })).code).toBe('invalid_request');
  }
});

test('a fan sees a locked bundle’s file types, lengths and free files; buying opens all, a refund locks them', async () => {
  const product = await buildSet();
  const deal = await market.buildDeal(10, product);
  const locked = (await market.seen(deal)).ofFan;
  expect(locked.media).toEqual([
    expect.objectContaining({ type: 'image', free: true, url: expect.any(String) }),
    {
      id: product.media[1]?.id,
      type: 'video',
      duration: expect.closeTo(200.4, 3),
      free: false,
      url: null,
      preview_url: locked.preview_url,
      width: null,
      height: null,
    },
    expect.objectContaining({ type: 'audio', duration: 12, free: false, url: null }),
  ]);
  const statuses = async (urls: readonly (string | null | undefined)[]) =>
    Promise.all(
      urls.flatMap((url) =>
        [undefined, 'bytes=0-3', 'bytes=-4'].map(
          async (range) =>
            (await fetchFile(app, url, range === undefined ? {} : { headers: { range } })).status,
        ),
      ),
    );
  const [free] = locked.media ?? [];
  expect(await statuses([free?.url, free?.preview_url])).toEqual([200, 206, 206, 200, 206, 206]);

  await app.platform.call(recordPurchase, { body: deal.sale });
  const open = (await market.seen(deal)).ofFan;
  const links = open.media?.map(({ url }) => url) ?? [];
  expect(await statuses(links)).toEqual([1, 2, 3].flatMap(() => [200, 206, 206]));
  expect((await fetchFile(app, links[1])).bytes).toEqual(Buffer.from(SAMPLES.mp4));

  const { payment_reference } = deal.sale;
  await app.platform.call(recordRefund, { body: { payment_reference } });
  expect(await statuses(links)).toEqual([200, 206, 206, 403, 403, 403, 403, 403, 403]);
  expect((await market.seen(deal)).ofFan.media?.map(({ url }) => url !== null)).toEqual([
    true,
    false,
    false,
  ]);
});

test('a message keeps the order and the marks of the bundle as it was sent', async () => {
  const product = await buildSet();
  const deal = await market.buildDeal(10, product);
  await arrange(
    product.id,
    idsOf(product)
      .toReversed()
      .map((id) => ({ id, free: true })),
  );
  const { ofFan, ofStaff } = await market.seen(deal);
  for (const { media } of [ofFan, ofStaff])
    expect(media).toMatchObject(product.media.map(({ id, free }) => ({ id, free })));
  expect(ofFan.media?.[2]?.url).toBeNull();
});

test('the files of a deleted product that was never sent are removed with it', async () => {
  const before = await traces(app);
  const product = await buildSet();
  await manager.client.call(deleteProduct, { params: { id: product.id } });
  await app.db.kysely
    .updateTable('products')
    .set({ deleted_at: sql`now() - interval '25 hours'` })
    .where('id', '=', product.id)
    .execute();
  await sweepUp(app);
  await sweepUp(app);
  expect(await traces(app)).toEqual(before);
});

const MEGABYTE = 1024 * 1024;
const VIDEO_BYTES = 500 * MEGABYTE;
const END = Buffer.from('THE END');

/** A video of 500 MB that is generated while it is sent. */
function* longVideo() {
  const mdat = Buffer.alloc(16);
  mdat.writeUInt32BE(1);
  mdat.write('mdat', 4, 'latin1');
  mdat.writeBigUInt64BE(BigInt(VIDEO_BYTES - 24), 8);
  yield Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1'), mdat]);
  const block = Buffer.alloc(MEGABYTE / 4);
  let left = VIDEO_BYTES - 24 - mdat.length - END.length;
  for (; left > block.length; left -= block.length) yield block;
  yield Buffer.alloc(left);
  yield END;
}

test('a video of 500 MB passes in constant memory, and in ranges once it is bought', async () => {
  const head = async () => {
    const form = new Response(await productForm());
    const type = form.headers.get('content-type') ?? '';
    const boundary = type.slice(type.indexOf('boundary=') + 'boundary='.length);
    const fields = Buffer.from(await form.arrayBuffer());
    return { type, boundary, start: fields.subarray(0, fields.lastIndexOf(`--${boundary}--`)) };
  };
  const { type, boundary, start } = await head();
  let peak = 0;
  const held = () => process.memoryUsage().arrayBuffers / MEGABYTE;
  const before = held();
  function* body() {
    yield start;
    yield `--${boundary}\r\nContent-Disposition: form-data; name="media"; filename="long.mp4"\r\n\r\n`;
    for (const block of longVideo()) {
      peak = Math.max(peak, held());
      yield block;
    }
    yield `\r\n--${boundary}--\r\n`;
  }
  const reply = await fetch(new URL(createProduct.path, app.url), {
    method: 'POST',
    headers: { ...asStaff.headers, 'content-type': type },
    body: Readable.toWeb(Readable.from(body())) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  expect(reply.status).toBe(201);
  expect(peak - before).toBeLessThan(100);
  const { data: product } = (await reply.json()) as { data: Product };

  const deal = await market.buildDeal(10, product);
  expect((await market.seen(deal)).ofFan.media?.[0]?.url).toBeNull();
  await app.platform.call(recordPurchase, { body: deal.sale });
  const url = (await market.seen(deal)).ofFan.media?.[0]?.url;
  const range = (text: string) => fetchFile(app, url, { headers: { range: text } });
  const end = await range(`bytes=-${END.length}`);
  expect([end.status, end.bytes]).toEqual([206, END]);
  expect(end.headers.get('content-range')).toBe(
    `bytes ${VIDEO_BYTES - END.length}-${VIDEO_BYTES - 1}/${VIDEO_BYTES}`,
  );
  expect((await range('bytes=4-7')).bytes.toString()).toBe('ftyp');
  const { payment_reference } = deal.sale;
  await app.platform.call(recordRefund, { body: { payment_reference } });
  for (const asked of ['bytes=0-', `bytes=-${END.length}`])
    expect((await range(asked)).status).toBe(403);
});
