import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { exportAnalytics, listSales } from '@stagedoor/contract/selling/analytics';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { buildConversation, buildStaff } from '../../../test/factories.ts';
import { whileLocked } from '../../../test/on-database.ts';
import { buildOffer, buildProduct } from '../../../test/worlds/catalogue.ts';
import { saleOf } from '../../../test/worlds/market.ts';
import { openShop } from '../../../test/worlds/shop.ts';
import { sumUpDays } from './analytics.store.ts';

const { app, manager, seller, sales, report } = await openShop();
const other = await buildStaff(app);
const products = [
  await buildProduct(manager, { title: 'Poster, signed' }),
  await buildProduct(manager, { title: '=HYPERLINK("x")' }),
] as const;
const ines = await buildConversation(app, {
  fan: { first_name: 'Inês', last_name: 'Carvalho', username: 'ines' },
});
const unnamed = await buildConversation(app, {
  fan: { first_name: '', last_name: '', username: '', email: 'unnamed@fans.example' },
});

/** Nine sales to nine fans, oldest first; several at the same instant, the last of them refunded. */
const sold: { reference: string; message_id: string }[] = [];
beforeAll(async () => {
  for (let index = 0; index < 9; index++) {
    const author = index % 3 === 0 ? other : seller;
    const product = products[index % 2] ?? products[0];
    const { id, fan } = [ines, unnamed][index] ?? (await buildConversation(app));
    const message = await buildOffer(author, id, [product], 1 + index / 100);
    const body = saleOf(fan, message, 1 + index / 100);
    const purchased_at = `2026-04-0${1 + Math.floor(index / 3)}T12:00:00.000Z`;
    await app.platform.call(recordPurchase, { body: { ...body, purchased_at } });
    sold.push({ reference: body.payment_reference, message_id: message.id });
  }
  const payment_reference = sold.at(-1)?.reference ?? '';
  await app.platform.call(recordRefund, { body: { payment_reference } });
});

test('a sale to a fan whose names are blank shows their email', async () => {
  const { data } = await sales();
  const sale = data.find(({ conversation_id }) => conversation_id === unnamed.id);
  expect(sale?.fan_name).toBe('unnamed@fans.example');
});

test('the list has each sale once, newest first, for any page size', async () => {
  const all = (await sales()).data;
  expect(all).toHaveLength(9);
  expect(all.map(({ purchased_at }) => purchased_at)).toEqual(
    all
      .map(({ purchased_at }) => purchased_at)
      .toSorted()
      .toReversed(),
  );
  for (const limit of [1, 2, 4, 9]) {
    const paged: typeof all = [];
    let cursor: string | null | undefined;
    do {
      const page = await sales({ limit, ...(cursor && { cursor }) });
      paged.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(paged).toEqual(all);
  }
});

test('a sale links to its message, fan and sender', async () => {
  const { data } = await sales();
  const sale = data.find(({ payment_reference }) => payment_reference === sold[0]?.reference);
  expect(sale).toEqual({
    id: sale?.id,
    purchased_at: '2026-04-01T12:00:00.000Z',
    refunded_at: null,
    amount: 1,
    product_id: products[0].id,
    product_title: 'Poster, signed',
    admin_id: other.admin.id,
    admin_codename: other.admin.codename,
    fan_id: ines.fan.id,
    fan_name: 'Inês Carvalho',
    conversation_id: ines.id,
    message_id: sold[0]?.message_id,
    payment_reference: sold[0]?.reference,
  });
});

test('sales can be filtered by range, admin and product, and by all together', async () => {
  const count = async (query: Parameters<typeof sales>[0]) => (await sales(query)).data.length;
  const admin_id = other.admin.id;
  const product_id = products[1].id;
  expect(await count({ admin_id })).toBe(3);
  expect(await count({ product_id })).toBe(4);
  expect(await count({ admin_id, product_id })).toBe(1);
  expect(await count({ start_date: '2026-04-02T12:00:00Z' })).toBe(6);
  expect(await count({ end_date: '2026-04-02T12:00:00Z', admin_id })).toBe(1);
  expect(await count({ admin_id: 'nobody' })).toBe(0);
  expect(await count({ product_id: crypto.randomUUID() })).toBe(0);
  const refusal = await manager.client.refused(listSales, { query: { cursor: 'elsewhere' } });
  expect(refusal).toMatchObject({ status: 400, fields: { cursor: expect.any(String) } });
});

test('an export is a CSV file without formulas', async () => {
  const reply = await report('sales', { end_date: '2026-04-01T12:00:00.001Z' });
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment/);
  const [head, ...lines] = reply.text.trimEnd().split('\r\n');
  expect(head).toMatch(/^purchased_at,refunded_at,amount,revenue,product,/);
  expect(lines).toHaveLength(3);
  expect(lines).toContainEqual(
    expect.stringMatching(/^2026-04-01T12:00:00\.000Z,,1\.00,1\.00,"Poster, signed",/),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^2026-04-01T12:00:00\.000Z,,1\.01,1\.01,"'=HYPERLINK\(""x""\)",/),
  );
  const refunded = (await report('sales')).text.split('\r\n').find((line) => line.includes('1.08'));
  expect(refunded).toMatch(/^2026-04-03T12:00:00\.000Z,20[^,]+Z,1\.08,0\.00,/);
});

test('the export has every sale, however many there are, and is sent as it is read', async () => {
  const shop = await openShop();
  const { conversation, message, product } = await shop.buildDeal(1);
  const count = 10_001;
  await sql`insert into purchases (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents,
      payment_reference, payload_hash, purchased_at)
    select gen_random_uuid(), ${message.id}, ${conversation.id}, gen_random_uuid(), ${product.id}, ${shop.seller.admin.id}, 100,
      n, '', date_trunc('second', now()) from generate_series(1, ${count}::int) n`.execute(
    shop.app.db.kysely,
  );
  const { headers, text } = await shop.report('sales');
  expect(headers.has('content-length')).toBe(false);
  const references = text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[7]);
  expect(new Set(references).size).toBe(count);
  expect(references).toHaveLength(count);
});

test('an export that fails before its first row gets an error reply', async () => {
  const { status, headers, text } = await whileLocked(app.databaseUrl, 'lock table products', () =>
    manager.client.raw('GET', `${exportAnalytics.path}?report=sales`),
  );
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect([status, JSON.parse(text)]).toEqual([
    503,
    expect.objectContaining({ code: 'unavailable' }),
  ]);
});

test('sales and refunds made while days are summed up count once', async () => {
  const shop = await openShop();
  const forget = async () => {
    for (const table of ['quarters', 'admin_days', 'product_days', 'waits']) {
      await sql`delete from ${sql.table(`analytics_${table}`)}`.execute(shop.app.db.kysely);
    }
    await sql`update analytics_progress set summed_up_to = '-infinity'`.execute(shop.app.db.kysely);
  };
  const deals = await Promise.all(Array.from({ length: 12 }, () => shop.buildDeal(1)));
  const purchased_at = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const counted = async () => (await shop.overview()).overview.total_purchases;

  await forget();
  await Promise.all([
    ...deals.map(({ sale }) =>
      shop.app.platform.call(recordPurchase, { body: { ...sale, purchased_at } }),
    ),
    sumUpDays(shop.app.db),
  ]);
  expect(await counted()).toBe(12);

  await forget();
  await Promise.all([
    sumUpDays(shop.app.db),
    ...deals
      .slice(0, 7)
      .map(({ sale: { payment_reference } }) =>
        shop.app.platform.call(recordRefund, { body: { payment_reference } }),
      ),
  ]);
  expect(await counted()).toBe(5);
  await sumUpDays(shop.app.db);
  expect(await counted()).toBe(5);
});

test('when a fan is erased, sales lose only the fan’s identity', async () => {
  const shop = await openShop();
  const { id, fan } = await buildConversation(shop.app);
  for (const price of [1, 2]) {
    const message = await buildOffer(shop.seller, id, [await buildProduct(shop.manager)], price);
    await shop.app.platform.call(recordPurchase, { body: saleOf(fan, message, price) });
  }
  const [before, listed] = [await shop.overview(), (await shop.sales()).data];
  expect(before.overview).toMatchObject({ total_messages: 2, total_purchases: 2 });
  await sql`delete from fans where id = ${fan.id}`.execute(shop.app.db.kysely);
  expect((await shop.manager.client.refused(getConversation, { params: { id } })).status).toBe(404);
  expect(await shop.overview()).toEqual(before);
  expect((await shop.sales()).data).toEqual(listed.map((sale) => ({ ...sale, fan_name: '' })));
});
