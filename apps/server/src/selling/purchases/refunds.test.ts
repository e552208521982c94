import { recordPurchase, recordRefund, recordTip } from '@stagedoor/contract/platform/platform';
import { listOffers } from '@stagedoor/contract/selling/products';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { unique } from '../../../test/factories.ts';
import { onDatabase, untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { buildOffer, buildProduct } from '../../../test/worlds/catalogue.ts';
import { openMarket } from '../../../test/worlds/market.ts';

const app = await sharedApp();
const { manager, seller, buildDeal, seen, versionOf } = await openMarket(app);
const witness = await app.connectSocket(manager.token);

test('a purchase unlocks the product for that fan; a refund locks it again', async () => {
  const deal = await buildDeal();
  const before = await seen(deal);
  expect(before.ofFan).toMatchObject({ locked: true, url: null, price: 9.99, is_paid: true });
  expect(before.ofStaff.purchased_at).toBeNull();

  const purchased_at = '2026-03-01T10:00:00.000Z';
  const { body } = await app.platform.call(recordPurchase, {
    body: { ...deal.sale, purchased_at: '2026-03-02T02:00:00+16:00' },
  });
  const { payment_reference } = deal.sale;
  expect(body.data).toEqual({ id: body.data.id, ...deal.sale, purchased_at, refunded_at: null });
  const bought = await seen(deal);
  expect(bought.ofFan.locked).toBe(false);
  expect(bought.ofStaff.purchased_at).toBe(purchased_at);
  const file = await fetch(new URL(bought.ofFan.url ?? '', app.url));
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);

  await app.platform.call(recordRefund, { body: { payment_reference } });
  const refunded = await seen(deal);
  expect(refunded.ofFan).toMatchObject({ locked: true, url: null });
  expect(refunded.ofStaff.purchased_at).toBeNull();
  // The link from before the refund no longer works.
  const gone = await fetch(new URL(bought.ofFan.url ?? '', app.url));
  expect(gone.status).toBeGreaterThanOrEqual(400);
});

test('a purchase and its refund each raise the version by one and are emitted to all staff', async () => {
  const deal = await buildDeal(12.34);
  const { conversation, message, sale } = deal;
  const version = await versionOf(deal);
  const { body } = await app.platform.call(recordPurchase, { body: sale });
  const about = {
    conversation_id: conversation.id,
    message_id: message.id,
    attachment_id: sale.attachment_id,
    product_id: deal.product.id,
    amount: 12.34,
  };
  const matches = (event: { message_id: string }) => event.message_id === message.id;
  expect(await witness.nextEvent('purchase_recorded', matches)).toEqual({
    ...about,
    purchased_at: body.data.purchased_at,
    version: version + 1,
  });
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  expect(await witness.nextEvent('purchase_refunded', matches)).toEqual({
    ...about,
    purchased_at: null,
    version: version + 2,
  });
  expect(await versionOf(deal)).toBe(version + 2);
});

test('a repeated refund changes neither the time nor the version', async () => {
  const deal = await buildDeal();
  const { message, sale } = deal;
  await app.platform.call(recordPurchase, { body: sale });
  const { payment_reference } = sale;
  const refunded_at = '2026-05-05T05:05:05.000Z';
  const first = await app.platform.call(recordRefund, { body: { payment_reference, refunded_at } });
  expect(first.body.data).toMatchObject({ ...sale, refunded_at });
  const version = await versionOf(deal);
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      app.platform.call(recordRefund, { body: { payment_reference } }),
    ),
  );
  for (const { status, body } of replies) expect([status, body]).toEqual([200, first.body]);
  expect(await versionOf(deal)).toBe(version);
  const received = witness.received('purchase_refunded').filter((e) => e.message_id === message.id);
  expect(received).toHaveLength(1);
});

test('concurrent refunds refund the sale once', async () => {
  const deal = await buildDeal();
  const { sale } = deal;
  await app.platform.call(recordPurchase, { body: sale });
  const version = await versionOf(deal);
  const { payment_reference } = sale;
  await Promise.all(
    Array.from({ length: 12 }, () =>
      app.platform.call(recordRefund, { body: { payment_reference } }),
    ),
  );
  expect(await versionOf(deal)).toBe(version + 1);
});

test('after a refund the offer can be bought again, while the old payment stays refunded', async () => {
  const deal = await buildDeal();
  const { payment_reference } = deal.sale;
  await app.platform.call(recordPurchase, { body: deal.sale });
  await app.platform.call(recordRefund, { body: { payment_reference } });
  const again = await app.platform.call(recordPurchase, { body: deal.sale });
  expect([again.status, again.body.data.refunded_at === null]).toEqual([200, false]);
  expect((await seen(deal)).ofFan.locked).toBe(true);
  const second = { ...deal.sale, payment_reference: unique('payment') };
  expect((await app.platform.call(recordPurchase, { body: second })).status).toBe(201);
  expect((await seen(deal)).ofFan.locked).toBe(false);
  await app.platform.call(recordRefund, { body: { payment_reference } });
  expect((await seen(deal)).ofFan.locked).toBe(false);
});

/** Makes statements wait while advisory lock 55 is held. @returns a function that ends this */
async function pauseBy(statement: string, table: string): Promise<() => Promise<unknown>> {
  const run = (text: string) => sql.raw(text).execute(app.db.kysely);
  await run(`create function pause() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(55);
      return null;
    end $$;
    create trigger paused ${statement} on ${table} execute function pause()`);
  return () => run('drop function pause cascade');
}

test.each(['purchases', 'tips'] as const)(
  'a refund reported while one of the %s is being stored refunds it',
  async (table) => {
    const deal = await buildDeal();
    const reference = deal.sale.payment_reference;
    const { fan } = deal.sale;
    const tip = { fan, amount: 5, payment_reference: reference };
    const record = async () =>
      table === 'tips'
        ? app.platform.call(recordTip, { body: tip })
        : app.platform.call(recordPurchase, { body: deal.sale });
    const refund = () =>
      app.platform.call(recordRefund, { body: { payment_reference: reference } });
    // The refund pauses after it has found no payment.
    const resume = await pauseBy('after update', table);
    const refunding = await whileLocked(
      app.databaseUrl,
      'select pg_advisory_xact_lock(55)',
      async () => {
        const early = refund();
        await untilWaiting(app, 1);
        await record();
        return { early };
      },
    );
    const { body } = await refunding.early;
    expect(body.data.refunded_at).not.toBeNull();
    await resume();
    expect((await refund()).body).toEqual(body);
  },
);

test.each(['purchases', 'tips'] as const)(
  'while one of the %s is being stored, its refund and a conflicting report don’t block each other',
  async (table) => {
    const { sale, conversation } = await buildDeal();
    const { fan, payment_reference } = sale;
    const body = { payment_reference };
    const resume = await pauseBy('before insert', table);
    const stored = {
      purchases: `insert into purchases (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents,
          payment_reference, payload_hash, purchased_at)
        select attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, $1, '', now()
        from product_sends where conversation_id = $2`,
      tips: `insert into tips (conversation_id, fan_id, amount_cents, payment_reference, payload_hash, tipped_at)
        select id, fan_id, 500, $1, '', now() from conversations where id = $2`,
    };
    const [refund, report] = await onDatabase(
      { connectionString: app.databaseUrl },
      async (client) => {
        await client.query('select pg_advisory_lock(55)');
        await client.query(`begin; lock table ${table} in share mode`);
        const refunding = app.platform.call(recordRefund, { body });
        await untilWaiting(app, 1);
        // Holds the conversation, and pauses before it finds the payment.
        const reporting =
          table === 'tips'
            ? app.platform.refused(recordTip, { body: { ...body, fan, amount: 5 } })
            : app.platform.refused(recordPurchase, { body: sale });
        await untilWaiting(app, 2);
        await client.query(stored[table], [payment_reference, conversation.id]);
        await client.query('commit');
        await untilWaiting(app, 1, 'transactionid');
        await client.query('select pg_advisory_unlock(55)');
        return Promise.all([refunding, reporting]);
      },
    );
    expect(refund.body.data.refunded_at).not.toBeNull();
    expect(report).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    await resume();
  },
);

test('an unrecorded payment can’t be refunded', async () => {
  const body = { payment_reference: unique('payment') };
  const refusal = await app.platform.refused(recordRefund, { body });
  expect(refusal).toMatchObject({ status: 404, code: 'purchase_not_found' });
});

test('a time more than five minutes ahead is refused; one up to five minutes ahead counts as now', async () => {
  const { sale } = await buildDeal();
  const { payment_reference } = sale;
  const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  for (const late of [ahead(6), '2099-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59']) {
    for (const [endpoint, body] of [
      [recordPurchase, { ...sale, purchased_at: late }],
      [recordRefund, { payment_reference, refunded_at: late }],
      [recordTip, { fan: sale.fan, amount: 5, payment_reference, tipped_at: late }],
    ] as const) {
      const refusal = await app.platform.raw('POST', endpoint.path, { body });
      expect(refusal.status).toBe(400);
      expect(Object.keys(JSON.parse(refusal.text).fields)).toEqual([Object.keys(body).at(-1)]);
    }
  }
  const before = Date.now();
  const bought = await app.platform.call(recordPurchase, {
    body: { ...sale, purchased_at: ahead(4) },
  });
  const tipped = await app.platform.call(recordTip, {
    body: {
      fan: sale.fan,
      amount: 5,
      payment_reference: unique('tip'),
      tipped_at: ahead(4),
    },
  });
  const refunded = await app.platform.call(recordRefund, {
    body: { payment_reference, refunded_at: ahead(4) },
  });
  for (const at of [
    bought.body.data.purchased_at,
    tipped.body.data.tipped_at,
    refunded.body.data.refunded_at ?? '',
  ]) {
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
  }
});

test('the offers of a conversation show what the fan was sent and bought', async () => {
  const { conversation, product, sale } = await buildDeal();
  await buildOffer(seller, conversation.id, [product], 8);
  const second = await buildProduct(manager);
  await buildOffer(seller, conversation.id, [second], 8);
  await buildDeal(5, product);
  const offers = async () =>
    (await manager.client.call(listOffers, { params: { id: conversation.id } })).body.data;
  expect(await offers()).toMatchObject([
    { product_id: second.id, times_sent: 1, purchased: false },
    { product_id: product.id, times_sent: 2, purchased: false },
  ]);
  const { body } = await app.platform.call(recordPurchase, { body: sale });
  expect(await offers()).toMatchObject([
    { purchased: false, purchased_at: null },
    { purchased: true, purchased_at: body.data.purchased_at },
  ]);
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  expect((await offers()).map(({ purchased }) => purchased)).toEqual([false, false]);
  const refusal = await manager.client.refused(listOffers, { params: { id: crypto.randomUUID() } });
  expect(refusal).toMatchObject({ status: 404, code: 'conversation_not_found' });
});

test('a sale whose node died before emitting its event is emitted from the outbox', async () => {
  const event = {
    conversation_id: crypto.randomUUID(),
    message_id: crypto.randomUUID(),
    attachment_id: crypto.randomUUID(),
    product_id: crypto.randomUUID(),
    amount: 1.1,
    version: 7,
  };
  const purchased_at = '2026-01-01T00:00:00.000Z';
  const created_at = new Date(Date.now() - 5_000);
  const rows = [
    { event: 'purchase_recorded', payload: JSON.stringify({ ...event, purchased_at }), created_at },
    {
      event: 'purchase_refunded',
      payload: JSON.stringify({ ...event, purchased_at: null }),
      created_at,
    },
  ];
  await app.db.kysely.insertInto('outbox').values(rows).execute();
  const matches = ({ message_id }: { message_id: string }) => message_id === event.message_id;
  const recorded = await witness.nextEvent('purchase_recorded', matches);
  expect(recorded).toEqual({ ...event, purchased_at });
  expect(await witness.nextEvent('purchase_refunded', matches)).toEqual({
    ...event,
    purchased_at: null,
  });
});

test('the outbox payload of a sale equals the emitted event', async () => {
  const { sale, message } = await buildDeal(1234.5);
  // Keeps copies of the outbox rows, which are deleted once they are emitted.
  await app.db.kysely.schema.createTable('kept').addColumn('payload', 'jsonb').execute();
  await sql`create function keep() returns trigger language plpgsql as $$
    begin insert into kept values (new.payload); return null; end $$`.execute(app.db.kysely);
  await sql`create trigger keep after insert on outbox for each row
    when (new.event like 'purchase%') execute function keep()`.execute(app.db.kysely);
  await app.platform.call(recordPurchase, { body: sale });
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  const { rows } = await sql<{ payload: unknown }>`select payload from kept`.execute(app.db.kysely);
  const matches = (event: { message_id: string }) => event.message_id === message.id;
  expect(rows.map(({ payload }) => payload)).toEqual([
    await witness.nextEvent('purchase_recorded', matches),
    await witness.nextEvent('purchase_refunded', matches),
  ]);
  await until('the outbox is empty', async () => {
    const left = await app.db.kysely.selectFrom('outbox').select('id').execute();
    return left.length === 0;
  });
});
