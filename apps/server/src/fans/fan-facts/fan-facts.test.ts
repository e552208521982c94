import {
  type FanOfferKind,
  getFanFacts,
  listFanOffers,
  replaceFanLanguages,
} from '@stagedoor/contract/fans/fan-facts';
import type { LanguageCode } from '@stagedoor/contract/language-codes';
import {
  eraseFan,
  putFan,
  putSubscription,
  recordPurchase,
  recordRefund,
} from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildOffer, buildProduct } from '../../../test/worlds/catalogue.ts';
import { openMarket, saleOf } from '../../../test/worlds/market.ts';

const app = await sharedApp();
const { manager, seller } = await openMarket(app);

const factsOf = async (id: string) =>
  (await seller.client.call(getFanFacts, { params: { id } })).body.data;
const offersOf = async (id: string, kind: FanOfferKind) =>
  (await seller.client.call(listFanOffers, { params: { id }, query: { kind } })).body.data;

/** Builds a fan with helpers to make, buy and refund offers. */
async function openShop() {
  const conversation = await buildConversation(app, { fan: { timezone: 'Europe/Lisbon' } });
  const { id, fan } = conversation;
  return {
    ...conversation,
    offer: async (price: number, title?: string) => {
      const product = await buildProduct(manager, title === undefined ? {} : { title });
      return { price, product, message: await buildOffer(seller, id, [product], price) };
    },
    buy: async (
      { message, price }: { message: { id: string; attachments: unknown }; price: number },
      at?: string,
    ) => {
      const sale = saleOf(fan, message as never, price);
      await app.platform.call(recordPurchase, {
        body: { ...sale, ...(at !== undefined && { purchased_at: at }) },
      });
      return sale;
    },
  };
}

test('a new fan has paid nothing and has only their message counts', async () => {
  const { id, fan, messages } = await openShop();
  expect(await factsOf(id)).toEqual({
    spent: 0,
    tipped: 0,
    purchases: 0,
    average_paid: null,
    last_purchase: null,
    first_seen_at: fan.created_at,
    messages_from_fan: 1,
    messages_from_creator: 0,
    fan_wrote_at: messages[0]?.created_at,
    creator_wrote_at: null,
    timezone: 'Europe/Lisbon',
    languages: [],
    subscription: null,
  });
  expect(await offersOf(id, 'bought')).toEqual([]);
  expect(await offersOf(id, 'open')).toEqual([]);
});

test('spending excludes refunds, and the last purchase is the latest that wasn’t refunded', async () => {
  const shop = await openShop();
  const [first, second, third] = [
    await shop.offer(10, 'Sunset'),
    await shop.offer(25.5, 'Backstage'),
    await shop.offer(99),
  ];
  await shop.buy(second, '2026-03-01T10:00:00Z');
  await shop.buy(first, '2026-02-01T10:00:00Z');
  const { payment_reference } = await shop.buy(third, '2026-04-01T10:00:00Z');
  expect(await factsOf(shop.id)).toMatchObject({ spent: 134.5, purchases: 3, average_paid: 44.83 });
  await app.platform.call(recordRefund, { body: { payment_reference } });
  expect(await factsOf(shop.id)).toMatchObject({
    spent: 35.5,
    purchases: 2,
    average_paid: 17.75,
    last_purchase: {
      message_id: second.message.id,
      title: 'Backstage',
      amount: 25.5,
      purchased_at: '2026-03-01T10:00:00.000Z',
    },
  });
});

test('messages are counted by side, with or without a tally', async () => {
  const { id, fan } = await openShop();
  const reply = await buildReply(seller, id);
  // Enough messages to need a tally, all of them old.
  await sql`with moved as (update conversations set last_seq = 502 where id = ${id} returning id)
    insert into messages (id, conversation_id, seq, from_fan, author_id, client_message_id, payload_hash, content, created_at, read_at)
    select gen_random_uuid(), moved.id, 2 + n, n % 5 <> 0, ${fan.id}, 'many-' || n, '', 'x', ${reply.created_at}::timestamptz + n * interval '1 second',
      case when n % 5 <> 0 then now() end
    from moved, generate_series(1, 500) as n`.execute(app.db.kysely);
  const expected = { messages_from_fan: 401, messages_from_creator: 101 };
  expect(await factsOf(id)).toMatchObject(expected);
  const again = await factsOf(id);
  expect(again).toMatchObject(expected);
  expect(await factsOf(id)).toEqual(again);
  const last = await buildReply(seller, id);
  expect(await factsOf(id)).toMatchObject({
    ...expected,
    messages_from_creator: 102,
    creator_wrote_at: last.created_at,
    fan_wrote_at: again.fan_wrote_at,
  });
});

test('the subscription is the one that the platform set', async () => {
  const { id, fan } = await openShop();
  const subscription = { status: 'trial' as const, ends_at: '2031-01-01T00:00:00.000Z' };
  await app.platform.call(putSubscription, {
    params: { fan: fan.external_id },
    body: subscription,
  });
  expect((await factsOf(id)).subscription).toEqual(subscription);
});

test('bought and open offers are listed separately, newest first', async () => {
  const shop = await openShop();
  const [a, b, c, d] = [
    await shop.offer(10, 'A'),
    await shop.offer(20, 'B'),
    await shop.offer(30, 'C'),
    await shop.offer(40, 'D'),
  ];
  await shop.buy(c, '2026-02-01T10:00:00Z');
  const { payment_reference } = await shop.buy(a, '2026-03-01T10:00:00Z');
  expect(await offersOf(shop.id, 'open')).toMatchObject([
    { title: 'D', price: 40, purchased_at: null, message_id: d.message.id },
    { title: 'B', price: 20, purchased_at: null, message_id: b.message.id },
  ]);
  await app.platform.call(recordRefund, { body: { payment_reference } });
  const [refunded, kept, ...others] = await offersOf(shop.id, 'bought');
  expect(others).toEqual([]);
  expect(refunded).toMatchObject({ title: 'A', price: 10, message_id: a.message.id });
  expect(refunded?.refunded_at).not.toBeNull();
  expect(kept).toMatchObject({
    title: 'C',
    price: 30,
    sent_at: c.message.created_at,
    purchased_at: '2026-02-01T10:00:00.000Z',
    refunded_at: null,
  });
});

test('a product bought through one offer is not open in another', async () => {
  const shop = await openShop();
  const first = await shop.offer(10);
  await buildOffer(seller, shop.id, [first.product], 8);
  expect(await offersOf(shop.id, 'open')).toHaveLength(2);
  await shop.buy(first);
  expect(await offersOf(shop.id, 'open')).toEqual([]);
});

test('pages of long lists neither skip nor repeat offers', async () => {
  const shop = await openShop();
  const product = await buildProduct(manager);
  for (let n = 0; n < 5; n++) await buildOffer(seller, shop.id, [product], 10 + n);
  const prices: number[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await seller.client.call(listFanOffers, {
      params: { id: shop.id },
      query: { kind: 'open', limit: 2, ...(cursor !== undefined && { cursor }) },
    });
    expect(body.data.length).toBeLessThanOrEqual(2);
    prices.push(...body.data.map(({ price }) => price));
    cursor = body.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(prices).toEqual([14, 13, 12, 11, 10]);
});

test('a fan’s data never includes another fan’s', async () => {
  const [mine, theirs] = [await openShop(), await openShop()];
  await theirs.buy(await theirs.offer(10));
  await theirs.offer(20);
  await buildFanMessage(app, theirs.fan);
  expect(await factsOf(mine.id)).toMatchObject({ spent: 0, messages_from_fan: 1 });
  expect(await offersOf(mine.id, 'bought')).toEqual([]);
  expect(await offersOf(mine.id, 'open')).toEqual([]);
});

test('an unknown conversation, or one whose fan was erased, is not found', async () => {
  const { id, fan, offer, buy } = await openShop();
  await buy(await offer(10));
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  for (const unknown of ['nonsense', crypto.randomUUID(), id]) {
    const params = { id: unknown };
    expect(await seller.client.refused(getFanFacts, { params })).toMatchObject({
      status: 404,
      code: 'conversation_not_found',
    });
  }
  const refusal = await seller.client.refused(listFanOffers, {
    params: { id: crypto.randomUUID() },
    query: { kind: 'open' },
  });
  expect(refusal).toMatchObject({ status: 404, code: 'conversation_not_found' });
});

test('a cursor of another list is refused', async () => {
  const { id } = await openShop();
  const refusal = await seller.client.refused(listFanOffers, {
    params: { id },
    query: { kind: 'open', cursor: 'nonsense' },
  });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});

const noteLanguages = async (id: string, languages: LanguageCode[]) =>
  (await seller.client.call(replaceFanLanguages, { params: { id }, body: { languages } })).body
    .data;

test('saved languages replace the previous ones and keep their order', async () => {
  const { id, fan } = await openShop();
  const other = await openShop();
  expect(await noteLanguages(id, ['pt', 'en', 'ar'])).toEqual(await factsOf(id));
  expect((await factsOf(id)).languages).toEqual(['pt', 'en', 'ar']);
  await noteLanguages(id, ['en', 'pt', 'de', 'fr', 'es']);
  // A profile update from the platform doesn't change what staff recorded.
  await app.platform.call(putFan, {
    params: { fan: fan.external_id },
    body: { first_name: 'Ana' },
  });
  expect((await factsOf(id)).languages).toEqual(['en', 'pt', 'de', 'fr', 'es']);
  expect((await factsOf(other.id)).languages).toEqual([]);
  expect((await noteLanguages(id, [])).languages).toEqual([]);
});

test.each([
  ['a code that no language has', ['xx'], 'languages.0'],
  ['a code in capitals', ['en', 'PT'], 'languages.1'],
  ['a withdrawn code', ['iw'], 'languages.0'],
  ['the same language twice', ['pt', 'en', 'pt'], 'languages'],
  ['more than five', ['pt', 'en', 'de', 'fr', 'es', 'it'], 'languages'],
  ['no list', 'pt', 'languages'],
])('%s is refused with a field error, and nothing is saved', async (_what, languages, field) => {
  const { id } = await openShop();
  await noteLanguages(id, ['fi']);
  const path = `/api/messages/admin/conversation/${id}/fan-languages`;
  const reply = await seller.client.raw('PUT', path, { body: { languages } });
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.text)).toEqual({
    error: expect.any(String),
    code: 'invalid_request',
    fields: { [field]: expect.any(String) },
  });
  expect((await factsOf(id)).languages).toEqual(['fi']);
});

test('an admin without message privileges can read languages but not save them', async () => {
  const reader = await buildStaff(app, { can_manage_messages: false });
  const { id } = await openShop();
  await noteLanguages(id, ['pt']);
  const params = { id };
  expect(
    await reader.client.refused(replaceFanLanguages, { params, body: { languages: ['en'] } }),
  ).toMatchObject({ status: 403, code: 'message_privilege_required' });
  const { body } = await reader.client.call(getFanFacts, { params });
  expect(body.data.languages).toEqual(['pt']);
});

test('saving languages emits the fan’s update to all staff', async () => {
  const teammate = await app.connectSocket(manager.token);
  const { id } = await openShop();
  await noteLanguages(id, ['pt']);
  const received = await teammate.nextEvent('shared_updated', ({ what }) => what === 'fan');
  expect(received).toEqual({ what: 'fan', conversation_id: id });
  teammate.close();
});

test('erasing a fan deletes their languages, and none can be saved afterwards', async () => {
  const { id, fan } = await openShop();
  await noteLanguages(id, ['pt', 'en']);
  const params = { fan: fan.external_id };
  await app.platform.call(eraseFan, { params });
  for (const unknown of ['nonsense', crypto.randomUUID(), id]) {
    expect(
      await seller.client.refused(replaceFanLanguages, {
        params: { id: unknown },
        body: { languages: ['pt'] },
      }),
    ).toMatchObject({ status: 404, code: 'conversation_not_found' });
  }
  const again = await app.platform.call(putFan, { params, body: {} });
  expect((await factsOf(again.body.data.conversation_id)).languages).toEqual([]);
});
