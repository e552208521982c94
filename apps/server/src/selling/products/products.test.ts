import {
  createProduct,
  deleteProduct,
  listProducts,
  PRODUCT_IMAGE_MAX_BYTES,
  updateProduct,
} from '@stagedoor/contract/selling/products';
import { expect, test } from 'vitest';
import { buildStaff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import {
  buildFolder,
  buildPicture,
  buildProduct,
  productForm,
} from '../../../test/worlds/catalogue.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const reader = await buildStaff(app, { role: 'support', can_manage_messages: false });

const listed = async () => (await reader.client.call(listProducts)).body.data;
const rowOf = (id: string) =>
  app.db.kysely.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const garbage = async () =>
  (await app.db.kysely.selectFrom('storage_garbage').select('storage_key').execute()).length;

test('a new product is in the catalog, with its picture, a thumbnail and a blurred preview in the storage', async () => {
  const folder = await buildFolder(manager);
  const files = (await app.storedFiles()).length;
  const { body, status } = await manager.client.upload(
    createProduct,
    await productForm({
      title: '  Sunset  ',
      description: 'Warm light',
      price: '12.50',
      folder_id: folder.id,
      image: { data: await buildPicture({ width: 300, height: 200, format: 'jpeg' }) },
    }),
  );
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    title: 'Sunset',
    description: 'Warm light',
    price: 12.5,
    folder_id: folder.id,
    product_type: 'message_attachment',
    is_active: true,
  });
  expect(body.data.full_s3_key).not.toBe(body.data.preview_s3_key);
  expect(await rowOf(body.data.id)).toMatchObject({
    price_cents: 1250,
    mime_type: 'image/jpeg',
    width: 300,
    height: 200,
  });
  expect((await app.storedFiles()).length).toBe(files + 3);
  expect(await garbage()).toBe(0);
  expect((await listed())[0]).toMatchObject({ id: body.data.id, title: 'Sunset' });
});

test('staff can open the picture and its preview, and the preview shows no details', async () => {
  const product = await buildProduct(manager, {
    image: { data: await buildPicture({ width: 900, height: 600 }) },
  });
  const [image, preview] = await Promise.all(
    [product.image_url, product.preview_url].map((url) =>
      fetch(new URL(url, app.url), { headers: { authorization: `Bearer ${manager.token}` } }),
    ),
  );
  expect(image?.status).toBe(200);
  expect(image?.headers.get('content-type')).toBe('image/png');
  expect(preview?.status).toBe(200);
  expect(preview?.headers.get('content-type')).toBe('image/webp');
  expect((await preview?.arrayBuffer())?.byteLength).toBeLessThan(10_000);
});

test('fields may follow the picture in the form', async () => {
  const form = await productForm({ title: undefined, price: undefined });
  form.append('title', 'Late');
  form.append('price', '1');
  const { body } = await manager.client.upload(createProduct, form);
  expect(body.data).toMatchObject({ title: 'Late', price: 1 });
});

test('a blank description or folder becomes null', async () => {
  const product = await buildProduct(manager, { description: '  ', folder_id: '' });
  expect(product).toMatchObject({ description: null, folder_id: null });
});

test.each([
  ['0.01', 1],
  ['0.29', 29],
  ['9.99', 999],
  ['19.990', 1999],
  ['1234.5', 123_450],
  ['1000000', 100_000_000],
])('a price of %s is stored as exactly %d cents', async (price, cents) => {
  const product = await buildProduct(manager, { price });
  expect((await rowOf(product.id)).price_cents).toBe(cents);
  expect(product.price).toBe(Number(price));
});

const text = (body: string) => ({ data: Buffer.from(body), filename: 'a.txt', type: 'text/plain' });
const large = Buffer.alloc(PRODUCT_IMAGE_MAX_BYTES);
Buffer.from('89504e470d0a1a0a', 'hex').copy(large);

test.each([
  ['no picture', { image: undefined }, 400, 'Please select an image'],
  ['an empty picture', { image: { data: Buffer.alloc(0) } }, 400, 'Please select an image'],
  ['a text for a picture', { image: text('hello') }, 400, 'Please select an image file'],
  ['10 MB', { image: { data: large } }, 413, 'File size must be less than 10MB'],
  ['no title', { title: undefined }, 400, 'Title is required'],
  ['a blank title', { title: '   ' }, 400, 'Title is required'],
  ['no price', { price: undefined }, 400, 'Please enter a valid price'],
  ['a blank price', { price: '' }, 400, 'Please enter a valid price'],
  ['a price of 0', { price: '0' }, 400, 'Please enter a valid price'],
  ['a negative price', { price: '-1' }, 400, 'Please enter a valid price'],
  ['a price below a cent', { price: '0.000000001' }, 400, 'Please enter a valid price'],
  ['half a cent', { price: '1.005' }, 400, 'Please enter a valid price'],
  ['a price in words', { price: 'ten' }, 400, 'Please enter a valid price'],
  ['no number', { price: 'NaN' }, 400, 'Please enter a valid price'],
  ['an endless price', { price: 'Infinity' }, 400, 'Please enter a valid price'],
  ['too high a price', { price: '1000000.01' }, 400, 'Please enter a valid price'],
])(
  'a product with %s is refused and leaves nothing behind',
  async (_what, fields, status, error) => {
    const before = { products: (await listed()).length, files: (await app.storedFiles()).length };
    const refusal = await manager.client.refused(createProduct, {
      body: await productForm(fields),
    });
    expect(refusal).toMatchObject({ status, error });
    expect(await listed()).toHaveLength(before.products);
    expect(await app.storedFiles()).toHaveLength(before.files);
    expect(await garbage()).toBe(0);
  },
);

test.each([
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', 'image/svg+xml'],
  ['HTML that says it is a PNG', '<script>alert(1)</script>', 'a.png', 'image/png'],
  ['a PNG that is cut off', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'a.png', 'image/png'],
])('%s is refused as a product picture', async (_what, body, filename, type) => {
  const image = { data: Buffer.from(body, 'latin1'), filename, type };
  const refusal = await manager.client.refused(createProduct, {
    body: await productForm({ image }),
  });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_file' });
});

test('a form with unknown or repeated fields is refused', async () => {
  const other = await productForm({ is_active: 'false' });
  const twice = await productForm();
  twice.append('title', 'Again');
  const pictures = await productForm();
  pictures.append('image', new Blob([new Uint8Array(await buildPicture())]), 'b.png');
  for (const body of [other, twice, pictures]) {
    const refusal = await manager.client.refused(createProduct, { body });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  }
});

test('a product can’t be created in an unknown folder', async () => {
  for (const folder_id of ['nonsense', crypto.randomUUID()]) {
    const files = await app.storedFiles();
    const refusal = await manager.client.refused(createProduct, {
      body: await productForm({ folder_id }),
    });
    expect(refusal).toMatchObject({ status: 404, code: 'folder_not_found' });
    expect(await app.storedFiles()).toEqual(files);
  }
});

test('a change keeps omitted fields, and always keeps the picture', async () => {
  const folder = await buildFolder(manager);
  const product = await buildProduct(manager, { description: 'before', price: '5' });
  const change = async (body: Parameters<typeof update>[1]) => update(product.id, body);
  expect(await change({ title: ' New ' })).toMatchObject({ title: 'New', price: 5 });
  expect(await change({ price: 0.1 + 0.2 })).toMatchObject({ title: 'New', price: 0.3 });
  expect(await change({ folder_id: folder.id })).toMatchObject({ folder_id: folder.id });
  expect(await change({ description: '' })).toMatchObject({ description: null });
  expect(await change({ description: 'x' })).toMatchObject({ description: 'x' });
  expect(await change({ description: null })).toMatchObject({ description: null });
  expect(await change({ folder_id: null })).toMatchObject({ folder_id: null, title: 'New' });
  expect(await change({ is_active: false })).toMatchObject({ is_active: false });
  const last = await change({});
  expect(last).toMatchObject({ title: 'New', price: 0.3, description: null, is_active: false });
  expect([last.full_s3_key, last.preview_s3_key, last.created_at]).toEqual([
    product.full_s3_key,
    product.preview_s3_key,
    product.created_at,
  ]);
});

type Change = {
  title?: string;
  price?: number;
  description?: string | null;
  folder_id?: string | null;
  is_active?: boolean;
};
async function update(id: string, body: Change) {
  return (await manager.client.call(updateProduct, { params: { id }, body })).body.data;
}

test.each([
  [{ title: ' ' }, 'Title is required'],
  [{ title: null }, 'Title is required'],
  [{ price: 0 }, 'Please enter a valid price'],
  [{ price: -5 }, 'Please enter a valid price'],
  [{ price: 1.001 }, 'Please enter a valid price'],
  [{ price: '5' }, 'Please enter a valid price'],
  [{ price: null }, 'Please enter a valid price'],
])('a change to %j is refused', async (body, error) => {
  const { id } = await buildProduct(manager);
  const refusal = await manager.client.refused(updateProduct, { params: { id }, body });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request', error });
});

test.each([{ full_key: 'x' }, { full_s3_key: 'x' }, { image: 'x' }, { deleted_at: null }])(
  'a change of a read-only field, as in %j, is refused',
  async (body) => {
    const { id } = await buildProduct(manager);
    const refusal = await manager.client.refused(updateProduct, { params: { id }, body });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  },
);

test('a title that ends with half a surrogate pair is stored with a replacement character', async () => {
  const { id } = await buildProduct(manager);
  const params = { id };
  const { body } = await manager.client.call(updateProduct, { params, body: { title: 'x\ud83d' } });
  expect(body.data.title).toBe('x\ufffd');
});

test('a product can’t be moved to an unknown folder', async () => {
  const { id } = await buildProduct(manager);
  for (const folder_id of ['nonsense', crypto.randomUUID()]) {
    const body = { title: 'Half', folder_id };
    const refusal = await manager.client.refused(updateProduct, { params: { id }, body });
    expect(refusal).toMatchObject({ status: 404, code: 'folder_not_found' });
  }
  expect((await rowOf(id)).title).not.toBe('Half');
});

test('a deleted product leaves the catalog once, and keeps its files', async () => {
  const product = await buildProduct(manager);
  const params = { id: product.id };
  await manager.client.call(deleteProduct, { params });
  expect((await listed()).map(({ id }) => id)).not.toContain(product.id);
  for (const refusal of [
    await manager.client.refused(deleteProduct, { params }),
    await manager.client.refused(updateProduct, { params, body: { title: 'x' } }),
  ]) {
    expect(refusal).toMatchObject({ status: 404, code: 'product_not_found' });
  }
  const files = (await app.storedFiles()).join();
  expect(files).toContain(product.full_s3_key.split('/').at(-1));
  expect(files).toContain(product.preview_s3_key.split('/').at(-1));
});

test('unknown products can’t be changed or deleted', async () => {
  for (const id of ['nonsense', crypto.randomUUID()]) {
    for (const refusal of [
      await manager.client.refused(deleteProduct, { params: { id } }),
      await manager.client.refused(updateProduct, { params: { id }, body: {} }),
    ]) {
      expect(refusal).toMatchObject({ status: 404, code: 'product_not_found' });
    }
  }
});

test('each change of the catalog is in the audit log with its actor', async () => {
  const { id } = await buildProduct(manager, { title: 'Audited', price: '3' });
  await update(id, { price: 4 });
  await manager.client.call(deleteProduct, { params: { id } });
  const rows = await app.db.kysely
    .selectFrom('audit_log')
    .select(['admin_id', 'action', 'details'])
    .where('target_id', '=', id)
    .orderBy('id')
    .execute();
  const admin_id = manager.admin.id;
  expect(rows).toEqual([
    { admin_id, action: 'product.create', details: { title: 'Audited', price_cents: 300 } },
    { admin_id, action: 'product.update', details: { price_cents: 400 } },
    { admin_id, action: 'product.delete', details: { title: 'Audited' } },
  ]);
});
