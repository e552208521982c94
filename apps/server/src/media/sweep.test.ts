import { eraseFan, recordPurchase } from '@stagedoor/contract/platform/platform';
import { deleteProduct, type Product } from '@stagedoor/contract/selling/products';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildConversation, buildFan, buildReply, buildStaff } from '../../test/factories.ts';
import { fetchFile, type SentFile, traces, uploadAsStaff } from '../../test/files.ts';
import { sharedApp } from '../../test/test-app.ts';
import { sweepUp } from '../../test/traces.ts';
import { buildPicture, buildProduct } from '../../test/worlds/catalogue.ts';
import { openMarket } from '../../test/worlds/market.ts';
import { sweepFiles, withNewObjects } from './new-objects.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const { id: conversationId } = await buildConversation(app);

const upload = (...files: SentFile[]) => uploadAsStaff(staff, conversationId, ...files);
const text = (content: string) => new TextEncoder().encode(content);

test('uploads unused for a day are removed, and so are incomplete ones; sent ones stay', async () => {
  const [old] = await upload({ data: await buildPicture(), filename: 'old.png' });
  const [fresh] = await upload({ data: text('fresh'), filename: 'fresh.txt' });
  const [sent] = await upload({ data: text('sent'), filename: 'sent.txt' });
  await buildReply(staff, conversationId, { attachments: [{ id: sent?.id ?? '' }] });
  await app.db.kysely
    .updateTable('uploads')
    .set({ created_at: sql`created_at - interval '25 hours'` })
    .where('id', 'in', [old?.id ?? '', sent?.id ?? ''])
    .execute();
  await sweepUp(app);
  expect((await fetchFile(app, old?.url)).status).toBe(404);
  expect((await fetchFile(app, old?.thumbnail_url)).status).toBe(404);
  expect((await fetchFile(app, fresh?.url)).status).toBe(200);
  expect((await fetchFile(app, sent?.url)).status).toBe(200);
  expect((await traces(app)).garbage).toBe(0);
});

const filesOf = ({ image_url, preview_url, thumbnail_url }: Product) =>
  Promise.all(
    [image_url, preview_url, thumbnail_url].map(async (url) => (await fetchFile(app, url)).status),
  );

test('a deleted product that was never sent is removed with its files after a day; one that was sent stays', async () => {
  const market = await openMarket(app);
  const kept = await buildProduct(market.manager);
  const unsent = await buildProduct(market.manager);
  const fresh = await buildProduct(market.manager);
  const sent = await market.buildDeal();
  const sold = await market.buildDeal();
  await app.platform.call(recordPurchase, { body: sold.sale });
  // What a fan received must be kept even if these counters are wrong.
  await app.db.kysely
    .updateTable('products')
    .set({ times_sent: 0, times_purchased: 0 })
    .where('id', '=', sold.product.id)
    .execute();
  for (const { id } of [unsent, fresh, sent.product, sold.product]) {
    await market.manager.client.call(deleteProduct, { params: { id } });
  }
  await app.db.kysely
    .updateTable('products')
    .set({ deleted_at: sql`now() - interval '25 hours'` })
    .where('id', 'in', [unsent.id, sent.product.id, sold.product.id])
    .execute();
  await sweepUp(app);
  expect(await filesOf(unsent)).toEqual([404, 404, 404]);
  for (const product of [kept, fresh, sent.product, sold.product]) {
    expect(await filesOf(product)).toEqual([200, 200, 200]);
  }
  expect((await market.seen(sold)).ofFan.locked).toBe(false);
});

test('objects of a committed transaction stay, even if its confirmation was lost; the rest is removed', async () => {
  const before = await traces(app);
  const lost = new Error('the connection broke on the way back');
  let kept = '';
  const work = withNewObjects(app, async (objects) => {
    kept = (await objects.put('uploads', Buffer.from('kept'), 'text/plain')).key;
    await app.db.kysely.transaction().execute((tx) => objects.keep(tx));
    await objects.put('uploads', Buffer.from('later'), 'text/plain');
    throw lost;
  });
  await expect(work).rejects.toBe(lost);
  expect(await traces(app)).toEqual({ ...before, files: [...before.files, kept].toSorted() });
});

/** Records garbage whose objects were never stored. */
const noteGarbage = (count: number) =>
  sql`insert into storage_garbage (storage_key, delete_after)
    select 'uploads/gone-' || n, now() - interval '1 s' from generate_series(1, ${count}) n`.execute(
    app.db.kysely,
  );

test('one sweep deletes all garbage, however much there is', async () => {
  await noteGarbage(250);
  await sweepFiles(app);
  expect((await traces(app)).garbage).toBe(0);
});

test('erasing a fan does not wait for all garbage to be deleted', async () => {
  await noteGarbage(100);
  const { storage } = app;
  const deleteNow = storage.delete;
  // As slow as a bucket can be.
  storage.delete = async (key) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    await deleteNow(key);
  };
  const fan = await buildFan(app);
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  storage.delete = deleteNow;
  expect((await traces(app)).garbage).toBeGreaterThan(0);
  await sweepUp(app);
  expect((await traces(app)).garbage).toBe(0);
});

test('an object that can’t be deleted is retried by the next sweep, and doesn’t block the others', async () => {
  const broken = new Error('the storage says no');
  const noted = ['uploads/a', 'uploads/b', 'uploads/c'];
  await app.db.kysely
    .insertInto('storage_garbage')
    .values(
      noted.map((storage_key) => ({ storage_key, delete_after: sql`now() - interval '1 s'` })),
    )
    .execute();
  const storage = {
    ...app.storage,
    delete: async (key: string) => {
      if (key === 'uploads/b') throw broken;
    },
  };
  await expect(sweepFiles({ db: app.db, storage })).rejects.toBe(broken);
  const left = await app.db.kysely.selectFrom('storage_garbage').select('storage_key').execute();
  expect(left).toEqual([{ storage_key: 'uploads/b' }]);
  await sweepUp(app);
  expect((await traces(app)).garbage).toBe(0);
});
