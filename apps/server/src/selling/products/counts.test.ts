import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import {
  deleteFolder,
  listProducts,
  type Product,
  updateProduct,
} from '@stagedoor/contract/selling/products';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { buildConversation } from '../../../test/factories.ts';
import { fetchFile } from '../../../test/files.ts';
import { sharedApp } from '../../../test/test-app.ts';
import {
  buildFolder,
  buildOffer,
  buildPicture,
  buildProduct,
} from '../../../test/worlds/catalogue.ts';
import { openMarket, saleOf } from '../../../test/worlds/market.ts';

const app = await sharedApp();
const { manager, seller, buildDeal } = await openMarket(app);

const listed = async (id: string): Promise<Product | undefined> =>
  (await seller.client.call(listProducts)).body.data.find((product) => product.id === id);
const counts = async (id: string) => {
  const { times_sent, times_purchased } = (await listed(id)) ?? {};
  return [times_sent, times_purchased];
};

test('the catalog says how often each product was sent and bought', async () => {
  const product = await buildProduct(manager);
  expect([product.times_sent, product.times_purchased]).toEqual([0, 0]);
  const deals = [await buildDeal(5, product), await buildDeal(7, product), await buildDeal()];
  expect(await counts(product.id)).toEqual([2, 0]);
  for (const { sale } of deals.slice(0, 2)) {
    // Reported twice, as platforms do.
    await app.platform.call(recordPurchase, { body: sale });
    await app.platform.call(recordPurchase, { body: sale });
  }
  expect(await counts(product.id)).toEqual([2, 2]);
  const payment_reference = deals[0]?.sale.payment_reference ?? '';
  await app.platform.call(recordRefund, { body: { payment_reference } });
  await app.platform.call(recordRefund, { body: { payment_reference } });
  expect(await counts(product.id)).toEqual([2, 1]);
  const other = deals[2]?.product.id ?? '';
  expect(await counts(other)).toEqual([1, 0]);
  const changed = await manager.client.call(updateProduct, {
    params: { id: product.id },
    body: { title: 'New' },
  });
  expect(changed.body.data).toMatchObject({ times_sent: 2, times_purchased: 1 });
});

test('a product offered twice in a message counts twice, and a failed send does not count', async () => {
  const { id } = await buildConversation(app);
  const product = await buildProduct(manager);
  await buildOffer(seller, id, [product, product]);
  expect(await counts(product.id)).toEqual([2, 0]);
  await expect(buildOffer(seller, id, [product, { id: crypto.randomUUID() }])).rejects.toThrow();
  expect(await counts(product.id)).toEqual([2, 0]);
});

test('concurrent sends, purchases and refunds are counted exactly, without deadlocks', async () => {
  const products = await Promise.all(Array.from({ length: 4 }, () => buildProduct(manager)));
  const trade = async (turn: number) => {
    const { id, fan } = await buildConversation(app);
    const order = turn % 2 === 0 ? products : products.toReversed();
    const message = await buildOffer(seller, id, order, 5);
    const sale = saleOf(fan, message, 5);
    await app.platform.call(recordPurchase, { body: sale });
    if (turn % 3 === 0) {
      const { payment_reference } = sale;
      await app.platform.call(recordRefund, { body: { payment_reference } });
    }
  };
  await Promise.all(Array.from({ length: 24 }, (_, turn) => trade(turn)));
  const rows = await sql<{ times_sent: number; times_purchased: number; sold: number }>`
    select times_sent, times_purchased,
      (select count(*) from purchases s where s.product_id = p.id and s.refunded_at is null) as sold
    from products p where id in (${sql.join(products.map(({ id }) => id))})`.execute(app.db.kysely);
  expect(rows.rows).toHaveLength(4);
  for (const row of rows.rows)
    expect([row.times_sent, row.times_purchased]).toEqual([24, row.sold]);
  expect(rows.rows.reduce((sum, row) => sum + row.sold, 0)).toBe(24 - 8);
});

test('deleting a folder while its products are sent blocks nobody', async () => {
  const { id } = await buildConversation(app);
  for (let round = 0; round < 5; round++) {
    const folder = await buildFolder(manager);
    const products = await Promise.all(
      Array.from({ length: 3 }, () => buildProduct(manager, { folder_id: folder.id })),
    );
    const sends = [products, products.toReversed()].map((order) => buildOffer(seller, id, order));
    await Promise.all([...sends, manager.client.call(deleteFolder, { params: { id: folder.id } })]);
    expect(await listed(products[0]?.id ?? '')).toMatchObject({ folder_id: null, times_sent: 2 });
  }
});

test.each([
  [{ width: 1_200, height: 600 }, [400, 200]],
  [{ width: 300, height: 900 }, [133, 400]],
  [{ width: 60, height: 40 }, [60, 40]],
])('for a picture of %j staff get a thumbnail of %j', async (size, shown) => {
  const product = await buildProduct(manager, { image: { data: await buildPicture(size) } });
  const { bytes, headers } = await fetchFile(app, product.thumbnail_url);
  expect(headers.get('content-type')).toBe('image/webp');
  const { format, width, height } = await sharp(bytes).metadata();
  expect([format, width, height]).toEqual(['webp', ...shown]);
  expect((await listed(product.id))?.thumbnail_url).toMatch(/^\/api\/media\//);
});

test('a product created before thumbnails has none', async () => {
  const product = await buildProduct(manager);
  await app.db.kysely
    .updateTable('products')
    .set({ thumbnail_key: null })
    .where('id', '=', product.id)
    .execute();
  expect(await listed(product.id)).toMatchObject({ thumbnail_url: null });
});
