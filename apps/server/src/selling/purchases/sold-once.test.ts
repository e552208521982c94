import { getShift } from '@stagedoor/contract/messaging/handovers';
import { listMessages, type Message, sendMessage } from '@stagedoor/contract/messaging/messages';
import { scheduleMessage } from '@stagedoor/contract/messaging/scheduled';
import { payWithTestCard, startCheckout } from '@stagedoor/contract/platform/fan-app';
import {
  listFanMessages,
  recordPurchase,
  recordRefund,
} from '@stagedoor/contract/platform/platform';
import { deleteProduct } from '@stagedoor/contract/selling/products';
import { expect, test } from 'vitest';
import { buildConversation, buildReply, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildOffer, buildProduct } from '../../../test/worlds/catalogue.ts';
import { signInFan } from '../../../test/worlds/fan-world.ts';
import { openMarket, saleOf } from '../../../test/worlds/market.ts';
import { offerOf } from '../../../test/worlds/paying-world.ts';

const app = await sharedApp({ payments: 'test_card' });
const { manager, seller, versionOf } = await openMarket(app);
const witness = await app.connectSocket(manager.token);

/** One product in several messages to one fan. */
async function buildOffers(count: number) {
  const conversation = await buildConversation(app);
  const product = await buildProduct(manager);
  const messages: Message[] = [];
  for (let n = 1; n <= count; n++)
    messages.push(await buildOffer(seller, conversation.id, [product], n));
  const sales = messages.map((message, index) => saleOf(conversation.fan, message, index + 1));
  const [sale, second = sale] = sales;
  if (!sale || !second) throw new Error('nothing was offered');
  return { conversation, product, messages, sales, sale, second };
}
type Offers = Awaited<ReturnType<typeof buildOffers>>;

const attachmentsOfFan = async ({ conversation: { fan } }: Pick<Offers, 'conversation'>) =>
  (
    await app.platform.call(listFanMessages, { params: { fan: fan.external_id } })
  ).body.data.flatMap(({ attachments }) => attachments);
const lockedToFan = async (offers: Offers) =>
  (await attachmentsOfFan(offers)).map(({ locked }) => locked);
const boughtToStaff = async ({ conversation: { id } }: Offers) =>
  (await manager.client.call(listMessages, { params: { id } })).body.data
    .flatMap(({ attachments }) => attachments)
    .map(({ purchased_at }) => purchased_at);
const standing = ({ conversation: { fan } }: Offers) =>
  app.db.kysely
    .selectFrom('purchases')
    .select('payment_reference')
    .where('fan_id', '=', fan.id)
    .where('refunded_at', 'is', null)
    .execute();

test('buying one offer of a product unlocks all of them for fan and staff, with working files', async () => {
  const offers = await buildOffers(3);
  const { body } = await app.platform.call(recordPurchase, { body: offers.second });
  const attachments = await attachmentsOfFan(offers);
  expect(attachments.map(({ locked }) => locked)).toEqual([false, false, false]);
  for (const { url } of attachments)
    expect((await fetch(new URL(url ?? '', app.url))).status).toBe(200);
  const at = body.data.purchased_at;
  expect(await boughtToStaff(offers)).toEqual([at, at, at]);
});

test('a second offer of an owned product is refused and costs nothing; a retry returns the same purchase', async () => {
  const offers = await buildOffers(3);
  const { sale: first, second } = offers;
  expect((await app.platform.call(recordPurchase, { body: first })).status).toBe(201);
  expect(await app.platform.refused(recordPurchase, { body: second })).toMatchObject({
    status: 409,
    code: 'already_owned',
  });
  expect((await app.platform.call(recordPurchase, { body: first })).status).toBe(200);
  expect(await standing(offers)).toHaveLength(1);
});

test.each([1, 2, 3])(
  'only one of forty concurrent payments for different offers of a product is recorded (%d)',
  async () => {
    const offers = await buildOffers(5);
    const version = await versionOf(offers);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => offers.sales)
        .flat()
        .map((sale) =>
          app.platform.raw('POST', recordPurchase.path, {
            body: { ...sale, payment_reference: unique('payment') },
          }),
        ),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, text } of replies) {
      if (status === 201) continue;
      expect(status).toBe(409);
      expect(['already_owned', 'already_purchased']).toContain(JSON.parse(text).code);
    }
    expect(await standing(offers)).toHaveLength(1);
    expect(await versionOf(offers)).toBe(version + 1);
    expect(await lockedToFan(offers)).toEqual(Array(5).fill(false));
  },
);

test('the test card does not pay for a product that the fan owns', async () => {
  const offers = await buildOffers(2);
  const [bought, other] = [offerOf(offers), offerOf({ sale: offers.second })];
  const { client } = await signInFan(app, offers.conversation.fan);
  const card = () => ({ client_id: unique('pay'), card_number: '4242424242424242' });
  const replies = await Promise.all(
    [bought, other, bought, other, other, bought].map((offer) =>
      client.raw('POST', payWithTestCard.path, { body: { ...offer, ...card() } }),
    ),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  const [owned] = await app.db.kysely
    .selectFrom('purchases')
    .select('message_id')
    .where('fan_id', '=', offers.conversation.fan.id)
    .execute();
  const rest = owned?.message_id === bought.message_id ? other : bought;
  for (const refusal of [
    await client.refused(startCheckout, { body: rest }),
    await client.refused(payWithTestCard, { body: { ...rest, ...card() } }),
  ])
    expect(refusal).toMatchObject({ status: 409, code: 'already_owned' });
  expect(await standing(offers)).toHaveLength(1);
});

test('staff and the fan see every offer unlock and lock live', async () => {
  const offers = await buildOffers(2);
  const { conversation, product, messages, sale } = offers;
  const fan = await (await signInFan(app, conversation.fan)).connect();
  const version = await versionOf(offers);
  const { body } = await app.platform.call(recordPurchase, { body: sale });
  const { purchased_at } = body.data;
  const matches = (event: { conversation_id: string }) => event.conversation_id === conversation.id;
  expect(await witness.nextEvent('purchase_recorded', matches)).toMatchObject({
    product_id: product.id,
    attachment_id: sale.attachment_id,
    purchased_at,
    version: version + 1,
  });
  const shows = (locked: boolean) =>
    Promise.all(
      messages.map(({ id }) =>
        fan.nextEvent(
          'message_updated',
          ({ message }) => message.id === id && message.attachments[0]?.locked === locked,
        ),
      ),
    );
  await shows(false);
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  expect(await witness.nextEvent('purchase_refunded', matches)).toMatchObject({
    product_id: product.id,
    purchased_at: null,
  });
  await shows(true);
});

test('a refund locks every offer again, and the product can be bought again through any of them', async () => {
  const offers = await buildOffers(3);
  const { sale: first, second } = offers;
  await app.platform.call(recordPurchase, { body: first });
  const before = await attachmentsOfFan(offers);
  const { payment_reference } = first;
  await app.platform.call(recordRefund, { body: { payment_reference } });
  expect(await lockedToFan(offers)).toEqual([true, true, true]);
  expect(await boughtToStaff(offers)).toEqual([null, null, null]);
  // The links from before the refund no longer work.
  for (const { url } of before)
    expect((await fetch(new URL(url ?? '', app.url))).status).toBeGreaterThanOrEqual(400);
  expect((await app.platform.call(recordPurchase, { body: second })).status).toBe(201);
  expect(await lockedToFan(offers)).toEqual([false, false, false]);
});

test('ownership applies to one fan and one product', async () => {
  const one = await buildOffers(1);
  const other = await buildConversation(app);
  const message = await buildOffer(seller, other.id, [one.product], 3);
  const second = await buildProduct(manager);
  await buildOffer(seller, one.conversation.id, [second], 3);
  await app.platform.call(recordPurchase, { body: one.sale });
  expect(await lockedToFan(one)).toEqual([true, false]);
  expect(await attachmentsOfFan({ conversation: other })).toMatchObject([{ locked: true }]);
  const sale = saleOf(other.fan, message, 3);
  expect((await app.platform.call(recordPurchase, { body: sale })).status).toBe(201);
});

const free = (product_id: string) => ({ product_id, is_paid: false as const });

test('an owned product can’t be offered again, now or scheduled', async () => {
  const { conversation, product, sale } = await buildOffers(1);
  const { id } = conversation;
  await app.platform.call(recordPurchase, { body: sale });
  const attachments = [{ product_id: product.id, price: 3, is_paid: true as const }];
  const owned = { status: 409, code: 'already_owned' };
  const body = { conversation_id: id, content: ' ', attachments };
  expect(await seller.client.refused(sendMessage, { body })).toMatchObject(owned);
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const later = { content: ' ', attachments, send_at, is_follow_up: false };
  expect(
    await seller.client.refused(scheduleMessage, { params: { id }, body: later }),
  ).toMatchObject(owned);
  const sender = await app.connectSocket(seller.token);
  sender.socket.emit('send_message', { ...body, tempId: unique('temp') });
  expect(await sender.nextEvent('message_error')).toMatchObject({ code: 'already_owned' });
  await app.platform.call(recordRefund, {
    body: { payment_reference: sale.payment_reference },
  });
  expect((await seller.client.call(sendMessage, { body })).status).toBe(201);
});

test('an owned product can be sent again free and unlocked, and does not count as an offer', async () => {
  const offers = await buildOffers(1);
  const { conversation, product, sale } = offers;
  await app.platform.call(recordPurchase, { body: sale });
  await manager.client.call(deleteProduct, { params: { id: product.id } });
  const attachments = [free(product.id)];
  const sent = await buildReply(seller, conversation.id, { content: ' ', attachments });
  const shape = { is_paid: false, price: null, product_id: product.id, title: product.title };
  expect(sent.attachments).toMatchObject([{ ...shape, purchased_at: expect.any(String) }]);
  const [again] = await attachmentsOfFan(offers);
  expect(again).toMatchObject({ ...shape, locked: false });
  expect((await fetch(new URL(again?.url ?? '', app.url))).status).toBe(200);
  const { times_sent } = await app.db.kysely
    .selectFrom('products')
    .select('times_sent')
    .where('id', '=', product.id)
    .executeTakeFirstOrThrow();
  expect(times_sent).toBe(1);
  const body = saleOf(conversation.fan, sent, 1);
  expect(await app.platform.refused(recordPurchase, { body })).toMatchObject({ status: 404 });
  // A refund locks the free copy, too: it was unlocked only because the fan owned the product.
  await app.platform.call(recordRefund, {
    body: { payment_reference: sale.payment_reference },
  });
  expect(await lockedToFan(offers)).toEqual([true, true]);
});

test('a product that the fan does not own can’t be sent free', async () => {
  const { conversation, product } = await buildOffers(1);
  const elsewhere = await buildOffers(1);
  await app.platform.call(recordPurchase, { body: elsewhere.sale });
  for (const id of [product.id, elsewhere.product.id, crypto.randomUUID(), 'x']) {
    const body = { conversation_id: conversation.id, content: ' ', attachments: [free(id)] };
    const refusal = await seller.client.refused(sendMessage, { body });
    expect([refusal.status, refusal.code]).toEqual([400, 'invalid_attachment']);
  }
});

test('with concurrent offers and purchases, no offer is sent after the purchase', async () => {
  const { conversation, product, sale } = await buildOffers(1);
  const attachments = [{ product_id: product.id, price: 9, is_paid: true }];
  const offer = () =>
    seller.client.raw('POST', sendMessage.path, {
      body: { conversation_id: conversation.id, content: ' ', attachments },
    });
  const before = Array.from({ length: 12 }, offer);
  const bought = app.platform.call(recordPurchase, { body: sale });
  const replies = await Promise.all([...before, ...Array.from({ length: 12 }, offer)]);
  await bought;
  for (const { status } of replies) expect([201, 409]).toContain(status);
  const purchase = await witness.nextEvent(
    'purchase_recorded',
    (event) => event.conversation_id === conversation.id,
  );
  const late = witness
    .received('new_message')
    .filter(
      ({ conversation_id, version }) =>
        conversation_id === conversation.id && version > purchase.version,
    );
  expect(late).toEqual([]);
});

test('an offer of a product owned through another one is not among a shift’s unpaid offers', async () => {
  const conversation = await buildConversation(app, { claimedBy: seller.admin });
  const product = await buildProduct(manager);
  const first = await buildOffer(seller, conversation.id, [product], 2);
  await buildOffer(seller, conversation.id, [product], 3);
  const unpaid = async () =>
    (await seller.client.call(getShift)).body.data.items.find(
      (item) => item.conversation.id === conversation.id,
    )?.unpaid_offers;
  expect(await unpaid()).toHaveLength(2);
  await app.platform.call(recordPurchase, { body: saleOf(conversation.fan, first, 2) });
  expect(await unpaid()).toEqual([]);
});
