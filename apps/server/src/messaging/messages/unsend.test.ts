import { getFanFacts } from '@stagedoor/contract/fans/fan-facts';
import { getConversation, markRead } from '@stagedoor/contract/inbox/conversations';
import { searchMessages } from '@stagedoor/contract/inbox/message-search';
import { listMessages, sendMessage, unsendMessage } from '@stagedoor/contract/messaging/messages';
import { listOwnMessages } from '@stagedoor/contract/platform/fan-app';
import {
  listFanMessages,
  postFanReaction,
  postFanRead,
  recordPurchase,
  recordRefund,
} from '@stagedoor/contract/platform/platform';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import { listOffers, listProducts } from '@stagedoor/contract/selling/products';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildConversation, buildReply, buildStaff } from '../../../test/factories.ts';
import { SAMPLES, uploadAsStaff } from '../../../test/files.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { QUICK, startWebhookReceiver } from '../../../test/servers/webhook-receiver.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { signInFan } from '../../../test/worlds/fan-world.ts';
import { openMarket } from '../../../test/worlds/market.ts';

const receiver = await startWebhookReceiver();
const { url, secret } = receiver;
afterAll(() => receiver.close());
const app = await sharedApp({ webhook: { url, secret, timing: QUICK } });
const manager = await buildStaff(app, { role: 'manager' });
const author = await buildStaff(app);
const market = await openMarket(app);

const unsend = async (id: string, by = author) =>
  (await by.client.call(unsendMessage, { params: { id } })).body.data;
const refused = (id: string, by = author) => by.client.refused(unsendMessage, { params: { id } });
const messagesOf = async (id: string) =>
  (await author.client.call(listMessages, { params: { id } })).body.data;
const conversation = async (id: string) =>
  (await author.client.call(getConversation, { params: { id } })).body.data;
const seenBy = async (fan: { external_id: string }) =>
  (await app.platform.call(listFanMessages, { params: { fan: fan.external_id } })).body.data;
const readUpTo = (fan: { external_id: string }, up_to_message_id: string) =>
  app.platform.call(postFanRead, {
    params: { fan: fan.external_id },
    body: { up_to_message_id },
  });

test('an unsent message vanishes for the fan, live and when they come back, and staff see who unsent it', async () => {
  const me = await signInFan(app);
  const { conversation_id: id } = me.fan;
  const kept = await buildReply(author, id, { content: 'Stays' });
  const { id: gone } = await buildReply(author, id, { content: 'A slip of the tongue' });
  await app.platform.call(postFanReaction, {
    params: { fan: me.fan.external_id },
    body: { message_id: gone, emoji: '🔥' },
  });
  const quote = await buildReply(author, id, { content: 'Well', reply_to_message_id: gone });
  const window = await me.connect();
  const teammate = await app.connectSocket(manager.token);

  const tombstone = await unsend(gone);
  const { id: by, codename, display_color } = author.admin;
  const at = tombstone.unsent?.at ?? '';
  expect(Date.now() - Date.parse(at)).toBeLessThan(60_000);
  expect(tombstone).toMatchObject({
    id: gone,
    seq: 2,
    content: '',
    attachments: [],
    reactions: [],
    unsent: { at, by: { id: by, codename, display_color } },
  });
  const { version } = await conversation(id);
  expect(await window.nextEvent('message_deleted')).toEqual({
    conversation_id: id,
    message_id: gone,
    seq: 2,
    version,
  });
  expect(await teammate.nextEvent('message_unsent')).toMatchObject({
    conversation_id: id,
    message_id: gone,
    unsent: tombstone.unsent,
    version,
  });

  const page = (await me.client.call(listOwnMessages)).body;
  expect(page.data.map((message) => message.id)).toEqual([kept.id, quote.id]);
  expect(page.unsent).toEqual([{ id: gone, seq: 2 }]);
  expect(page.data[1]?.reply_to).toMatchObject({ id: gone, content: '', is_unsent: true });
  expect((await seenBy(me.fan)).map((message) => message.id)).toEqual([quote.id, kept.id]);
  expect(JSON.stringify(await messagesOf(id))).not.toContain('slip');
  const found = await author.client.call(searchMessages, { query: { q: 'slip of the tongue' } });
  expect(found.body.data).toEqual([]);
  const facts = await author.client.call(getFanFacts, { params: { id } });
  expect(facts.body.data.messages_from_creator).toBe(2);

  for (const type of ['message.created', 'message.deleted']) {
    await until(`${type} has come`, () =>
      receiver.acceptedOf(id).some(({ event }) => event.type === type),
    );
  }
  const deleted = await receiver.next(
    'message.deleted',
    ({ event }) => event.type === 'message.deleted' && event.data.message_id === gone,
  );
  expect(deleted.event.data).toEqual({
    fan: me.fan.external_id,
    conversation_id: id,
    message_id: gone,
  });
  const { body } = await manager.client.call(listAudit, { query: { target_id: id } });
  expect(body.data[0]).toMatchObject({
    action: 'conversation.unsend',
    admin: { id: by },
    details: { message_id: gone },
  });
});

test('only the author or a manager can unsend, and only the creator’s messages', async () => {
  const { id, messages } = await buildConversation(app);
  const mine = await buildReply(author, id);
  const other = await buildStaff(app, { role: 'moderator' });
  expect(await refused(mine.id, other)).toMatchObject({ status: 403, code: 'not_message_author' });
  expect(await refused(messages[0]?.id ?? '', manager)).toMatchObject({
    code: 'message_not_found',
  });
  expect((await unsend(mine.id, manager)).unsent?.by.id).toBe(manager.admin.id);
  // A retry changes nothing.
  const { version } = await conversation(id);
  expect(await refused(mine.id)).toMatchObject({ status: 409, code: 'already_unsent' });
  expect((await conversation(id)).version).toBe(version);
});

test('staff without the message privilege can’t unsend messages, not even their own', async () => {
  const { id } = await buildConversation(app);
  const former = await buildStaff(app, { role: 'manager' });
  const mine = await buildReply(former, id);
  await app.db.kysely
    .updateTable('admins')
    .set({ can_manage_messages: false })
    .where('id', '=', former.admin.id)
    .execute();
  expect(await refused(mine.id, former)).toMatchObject({
    status: 403,
    code: 'message_privilege_required',
  });
});

test('what the fan has read or bought stays, even after a refund', async () => {
  const { id, fan } = await buildConversation(app);
  const read = await buildReply(author, id);
  await readUpTo(fan, read.id);
  expect(await refused(read.id)).toMatchObject({ status: 409, code: 'already_read' });
  const { message, sale } = await market.buildDeal();
  await app.platform.call(recordPurchase, { body: sale });
  expect(await refused(message.id, manager)).toMatchObject({
    status: 409,
    code: 'already_purchased',
  });
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  expect(await refused(message.id, manager)).toMatchObject({ code: 'already_purchased' });
});

test('after an unsend the inbox shows the message before it, and the fan waits for a reply again', async () => {
  const { id, fan } = await buildConversation(app, { messages: ['First', 'Second'] });
  await author.client.call(markRead, { params: { id } });
  const before = await conversation(id);
  const { id: first } = await buildReply(author, id, { content: 'One' });
  const { id: second } = await buildReply(manager, id, { content: 'Two' });
  await unsend(second, manager);
  expect(await conversation(id)).toMatchObject({
    last_message_content: 'One',
    last_message_by: author.admin.id,
    waiting_since: null,
  });
  const socket = await app.connectSocket(manager.token);
  await unsend(first);
  const after = await conversation(id);
  const { waiting_since } = before;
  const shown = { last_message_content: 'Second', last_message_by: null, waiting_since };
  expect(after).toMatchObject({ ...shown, last_seq: 4, unread_count: 0 });
  expect(await socket.nextEvent('message_unsent')).toMatchObject({ ...shown, message_id: first });
  // A reply to it is sent without the quote, and needs no confirmation.
  const { body } = await manager.client.call(sendMessage, {
    body: {
      conversation_id: id,
      content: 'Hi',
      reply_to_message_id: first,
      last_seen_message_id: (await messagesOf(id))[1]?.id,
    },
  });
  expect(body.data).toMatchObject({ reply_to_message_id: null, reply_to: null });
  expect(
    await app.platform.refused(postFanReaction, {
      params: { fan: fan.external_id },
      body: { message_id: first, emoji: '🔥' },
    }),
  ).toMatchObject({ code: 'message_not_found' });
});

test('an unsent message’s files are deleted, and its offer no longer counts', async () => {
  const start = new Date(Date.now() - 7 * 86_400_000);
  const query = { start_date: start.toISOString(), end_date: new Date().toISOString() };
  const overview = async () => {
    const { body } = await manager.client.call(analyticsOverview, { query });
    return body.overview.total_products_sent;
  };
  const offersBefore = await overview();
  const { message, conversation: talk, product, sale } = await market.buildDeal();
  await sql`update product_sends set sent_at = now() - interval '3 days' where message_id = ${message.id}`.execute(
    app.db.kysely,
  );
  await sql`select sum_up_anew()`.execute(app.db.kysely);
  expect(await overview()).toBe(offersBefore + 1);
  await unsend(message.id, manager);
  expect(await overview()).toBe(offersBefore);
  expect((await author.client.call(listOffers, { params: { id: talk.id } })).body.data).toEqual([]);
  const { body } = await manager.client.call(listProducts);
  expect(body.data.find(({ id }) => id === product.id)?.times_sent).toBe(0);
  expect(await app.platform.refused(recordPurchase, { body: sale })).toMatchObject({
    code: 'attachment_not_found',
  });

  const [upload] = await uploadAsStaff(author, talk.id, {
    filename: 'notes.pdf',
    data: SAMPLES.pdf,
  });
  const file = await buildReply(author, talk.id, {
    content: '',
    attachments: [{ id: upload?.id ?? '' }],
  });
  const uploads = () =>
    app.db.kysely.selectFrom('uploads').select('id').where('message_id', '=', file.id).execute();
  expect(await uploads()).toHaveLength(1);
  await unsend(file.id);
  expect(await uploads()).toEqual([]);
});

test('when an unsend and the fan’s read or purchase happen at the same time, only one succeeds', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const isSale = round % 2 === 0;
    const { message, conversation: talk, sale } = await market.buildDeal();
    const act = () =>
      isSale
        ? app.platform.raw('POST', '/api/platform/purchases', { body: sale })
        : app.platform.raw('POST', `/api/platform/fans/${talk.fan.external_id}/read`, {
            body: { up_to_message_id: message.id },
          });
    const unsent = () =>
      manager.client.raw('POST', `/api/messages/admin/messages/${message.id}/unsend`);
    let one: Promise<{ status: number }> = Promise.resolve({ status: 0 });
    let other = one;
    // Both wait for the conversation's lock.
    await whileLocked(
      app.databaseUrl,
      `select from conversations where id = '${talk.id}' for update`,
      async () => {
        const [begin, follow] = round % 4 < 2 ? [act, unsent] : [unsent, act];
        const early = begin();
        await untilWaiting(app, 1);
        const late = follow();
        await untilWaiting(app, 2);
        [one, other] = round % 4 < 2 ? [early, late] : [late, early];
      },
    );
    const [acted, { status }] = await Promise.all([one, other]);
    const [stored] = await app.db.kysely
      .selectFrom('messages')
      .select(['unsent_at', 'content'])
      .where('id', '=', message.id)
      .execute();
    const purchases = await market.purchasesOf(message);
    expect(stored?.unsent_at !== null).toBe(status === 200);
    expect([200, 409]).toContain(status);
    if (isSale) expect(acted.status).toBe(status === 200 ? 404 : 201);
    expect(purchases).toHaveLength(isSale && status === 409 ? 1 : 0);
    outcomes.add(`${isSale} ${status}`);
  }
  expect(outcomes.size).toBe(4);
});
