import { replaceTags, updateNotes } from '@stagedoor/contract/fans/fans';
import { claimConversation } from '@stagedoor/contract/inbox/conversations';
import { mentionOf } from '@stagedoor/contract/messaging/mention-text';
import { listMessages, type Message } from '@stagedoor/contract/messaging/messages';
import { sendScheduledNow } from '@stagedoor/contract/messaging/scheduled';
import { createStaffNote, updateStaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { createTemplate } from '@stagedoor/contract/messaging/templates';
import {
  getFanHome,
  listOwnMessages,
  reactAsFan,
  readOwnMessages,
  sendOwnMessage,
  startCheckout,
  uploadOwnFiles,
} from '@stagedoor/contract/platform/fan-app';
import {
  listFanMessages,
  putSubscription,
  recordPurchase,
  recordRefund,
  recordTip,
} from '@stagedoor/contract/platform/platform';
import type { Product } from '@stagedoor/contract/selling/products';
import {
  subscribeToPush,
  updateNotificationSettings,
} from '@stagedoor/contract/team/notifications';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildFan, buildReply, buildStaff, unique } from '../../../test/factories.ts';
import { fetchFile, filesForm, SAMPLES, uploadAsStaff } from '../../../test/files.ts';
import { startPushService } from '../../../test/servers/push-service.ts';
import { QUICK, startWebhookReceiver } from '../../../test/servers/webhook-receiver.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { runCampaign } from '../../../test/worlds/campaigns.ts';
import { buildBundle, buildOffer, buildPicture } from '../../../test/worlds/catalogue.ts';
import { signInFan } from '../../../test/worlds/fan-world.ts';
import { saleOf } from '../../../test/worlds/market.ts';
import { buildScheduled } from '../../../test/worlds/scheduled.ts';

const receiver = await startWebhookReceiver();
const { url, secret } = receiver;
const pushService = await startPushService();
afterAll(() => receiver.close());
afterAll(() => pushService.close());
const app = await sharedApp({
  webhook: { url, secret, timing: QUICK },
  push: { rules: { allowLoopback: true }, retries: [0, 0], readFirstMs: 0 },
});

const NOTE = 'Lives-alone-in-Porto';
const TAG = 'Whale-list';
const STAFF_NOTE = 'Bargains-until-Friday';
const EDITED_NOTE = 'Pays-late';
const staff = [
  await buildStaff(app, { role: 'manager', codename: 'Durian', display_color: '#A1B2C3' }),
  await buildStaff(app, { codename: 'Rambutan', display_color: '#C3B2A1' }),
] as const;
const [manager, seller] = staff;
const me = await signInFan(app, await buildFan(app, { first_name: 'Maya' }));
const { external_id, conversation_id } = me.fan;
const socket = await me.connect();
const browser = pushService.browser();
await seller.client.call(subscribeToPush, { body: browser.subscription });
await seller.client.call(updateNotificationSettings, {
  body: {
    fan_messages: 'all',
    sales: true,
    mentions: true,
    shows_text: true,
    quiet: null,
    time_zone: 'UTC',
  },
});
/** All replies, unparsed. */
const replies: unknown[] = [];
const PRICE = 12.5;

async function react(by: (typeof staff)[number], message_id: string, emoji: '🔥' | '❤️') {
  const own = await app.connectSocket(by.token);
  own.socket.emit('toggle_reaction', { conversation_id, message_id, emoji });
  await own.nextEvent('reaction_toggled', ({ user_id }) => user_id === by.admin.id);
  own.close();
}

const offerOf = ({ id: product_id }: Pick<Product, 'id'>) => ({
  product_id,
  price: PRICE,
  is_paid: true as const,
});
async function findMessage(matches: (message: Message) => boolean): Promise<Message> {
  const { body } = await seller.client.call(listMessages, { params: { id: conversation_id } });
  const message = body.data.find(matches);
  if (message === undefined) throw new Error('it was not sent');
  return message;
}
/** The ways to offer a product. */
const offerNow = (product: Pick<Product, 'id'>, price = PRICE) =>
  buildOffer(seller, conversation_id, [product], price);
async function offerByTemplate({ id }: Product) {
  const body = { name: unique('Template'), product: { id, price: PRICE }, is_shared: true };
  const { product } = (await manager.client.call(createTemplate, { body })).body.data;
  if (product === null) throw new Error('the template offers nothing');
  return offerNow(product, product.price);
}
async function offerByScheduled(product: Product) {
  const scheduled = await buildScheduled(seller, conversation_id, {
    attachments: [offerOf(product)],
  });
  const sent = await seller.client.call(sendScheduledNow, { params: { id: scheduled.id } });
  return findMessage(({ id }) => id === sent.body.data.message_id);
}
async function offerByCampaign(product: Product) {
  const variants = [{ content: 'For you', attachments: [offerOf(product)] }];
  const { id } = await runCampaign(manager, { variants });
  return findMessage(({ campaign_id }) => campaign_id === id);
}

/** Offers a bundle in a message that the fan and the creator then quote. */
async function offer(color: string, sendOffer: (product: Product) => Promise<Message>) {
  const picture = await buildPicture({ width: 900, height: 600, color });
  const mp4 = Buffer.concat([SAMPLES.mp4, Buffer.from(color)]);
  const cover = await buildPicture({ color });
  const media = [
    { data: picture, filename: 'locked.png' },
    { data: mp4, filename: 'locked.mp4', duration: '80', frame: picture },
    { data: await buildPicture({ color: '#c0ffee' }), filename: 'free.png', free: true },
  ];
  const product = await buildBundle(manager, media, { image: { data: cover } });
  const message = await sendOffer(product);
  await quote(message.id);
  await buildReply(seller, conversation_id, { reply_to_message_id: message.id });
  return { message, sale: saleOf(me.fan, message, PRICE) };
}
async function quote(reply_to_message_id: string) {
  const body = { client_id: unique('client'), content: 'This?', reply_to_message_id };
  replies.push((await me.client.call(sendOwnMessage, { body })).body);
}
/** Requests everything that the fan can read. */
async function ask() {
  replies.push(
    (await me.client.call(getFanHome)).body,
    (await me.client.call(listOwnMessages)).body,
  );
}

// Staff activity in a busy conversation.
const params = { id: conversation_id };
await seller.client.call(claimConversation, { params });
await manager.client.call(updateNotes, { params, body: { notes: NOTE, location: NOTE } });
const staffNotes: string[] = [];
/** Called between events that the fan gets, so that a leaked event would arrive too. */
async function noteDown() {
  const content = `${STAFF_NOTE} ${mentionOf(manager.admin.id)}`;
  const { body } = await seller.client.call(createStaffNote, {
    params,
    body: { client_id: unique('note'), content },
  });
  const { id: noteId } = body.data;
  await seller.client.call(updateStaffNote, {
    params: { ...params, noteId },
    body: { content: `${EDITED_NOTE} ${mentionOf(manager.admin.id)}` },
  });
  staffNotes.push(noteId);
}
await noteDown();
await manager.client.call(replaceTags, { params, body: { tags: [{ label: TAG }] } });
const photo = await uploadAsStaff(seller, conversation_id, {
  data: await buildPicture({ width: 900, height: 900 }),
  filename: 'free.png',
});
const free = await buildReply(seller, conversation_id, {
  attachments: photo.map(({ id }) => ({ id })),
});
const [unsold, sold, refunded, byTemplate, byCampaign] = [
  await offer('#204060', (product) => offerNow(product)),
  await offer('#406020', (product) => offerNow(product)),
  await offer('#602040', offerByScheduled),
  await offer('#604020', offerByTemplate),
  await offer('#206040', offerByCampaign),
];
const locked = [unsold, refunded, byTemplate, byCampaign];
const offers = [...locked, sold];
const campaignId = byCampaign.message.campaign_id ?? '';
await noteDown();
for (const { sale } of [sold, refunded]) await app.platform.call(recordPurchase, { body: sale });
const tip = { fan: external_id, amount: 5, message: 'Thanks', payment_reference: unique('tip') };
await app.platform.call(recordTip, { body: tip });
await ask();
await app.platform.call(recordRefund, {
  body: { payment_reference: refunded.sale.payment_reference },
});
for (const admin of staff) await react(admin, unsold.message.id, '🔥');
await react(manager, free.id, '❤️');

await app.platform.call(putSubscription, {
  params: { fan: external_id },
  body: { status: 'trial', ends_at: '2099-01-01T00:00:00Z' },
});

// The fan's own activity.
const form = filesForm([{ data: await buildPicture(), filename: 'mine.png' }]);
const uploaded = (await me.client.upload(uploadOwnFiles, form)).body;
const own = {
  client_id: 'mine',
  content: 'Look',
  attachment_ids: [uploaded.attachments[0]?.id ?? ''],
};
const { message_id, attachment_id } = unsold.sale;
await noteDown();
replies.push(
  uploaded,
  (await me.client.call(startCheckout, { body: { message_id, attachment_id } })).body,
  (await me.client.call(sendOwnMessage, { body: own })).body,
  (await me.client.call(reactAsFan, { body: { message_id: free.id, emoji: '👍' } })).body,
  (await me.client.call(readOwnMessages, { body: { up_to_message_id: refunded.message.id } })).body,
  (await me.client.refused(sendOwnMessage, { body: { ...own, content: 'Else' } })).text,
);
await ask();
await socket.nextEvent('messages_read', ({ reader }) => reader === 'fan');
await socket.nextEvent('message_updated', ({ message }) =>
  message.reactions.some(({ user_id }) => user_id === me.fan.id),
);
const received = socket.everything();
const everything = [replies, received];
// The last of the conversation's webhooks.
await receiver.next(
  'a reaction reaches the platform',
  ({ event: { type, data } }) => type === 'reaction.toggled' && data.message_id === free.id,
);
await browser.next('the sales are pushed', ({ kind }) => kind === 'sale');
/** Webhooks and push messages. Their links open without a session, too. */
const sentOut = [receiver.received.map(({ event }) => event), browser.received];

/** Returns the names of all fields at any depth. */
function fieldsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]);
}
const urlsIn = (value: unknown) => [
  ...new Set(JSON.stringify(value).match(/\/api\/media\/[\w.-]+/g) ?? []),
];
const urls = urlsIn([everything, sentOut]);
/** Returns the decoded payload of a link to a file. */
const saysLink = (url: string) =>
  Buffer.from(url.split('/').at(-1)?.split('.')[0] ?? '', 'base64url').toString();

test('the crawl covers every kind of data', () => {
  expect(new Set(received.map(({ name }) => name))).toEqual(
    new Set(['new_message', 'message_updated', 'messages_read', 'tips_changed']),
  );
  expect(urls.length).toBeGreaterThan(5);
  for (const { message } of offers)
    for (const text of [JSON.stringify(everything), JSON.stringify(receiver.received)])
      expect(text).toContain(message.id);
});

test('a fan gets no field that is not on this list', () => {
  const known = `
    data fan id first_name conversation_id creator display_name avatar_url unread_count subscription status ends_at payment provider amount
    has_more version seq sender_id recipient_id content attachments created_at read_at reply_to_message_id reply_to sender username
    reactions user_id emoji message_id action reaction count
    media duration free unsent is_unsent
    type url thumbnail_url filename size mime_type width height is_paid product_id price title description preview_url locked
    name payload returned message client_id reader up_to_seq tips tipped_at`;
  const allowed = new Set(known.trim().split(/\s+/));
  expect([...new Set(fieldsOf(everything))].filter((name) => !allowed.has(name))).toEqual([]);
});

test('nothing a fan gets contains staff data, staff notes or storage keys', async () => {
  const { rows } = await sql<{ secret: string }>`
    select storage_key as secret from uploads union select thumbnail_key from uploads where thumbnail_key is not null
    union select full_key from products union select preview_key from products
    union select thumbnail_key from products union select storage_key from product_media
    union select thumbnail_key from product_media where thumbnail_key is not null
    union select id::text from sessions
    union select payment_reference from purchases union select payment_reference from tips`.execute(
    app.db.kysely,
  );
  expect(rows.length).toBeGreaterThan(10);
  const secrets = [
    NOTE,
    TAG,
    STAFF_NOTE,
    EDITED_NOTE,
    ...staffNotes,
    campaignId,
    ...rows.map(({ secret }) => secret),
    ...staff.flatMap(({ admin }) => [admin.id, admin.email, admin.codename, admin.display_color]),
  ];
  const given = [JSON.stringify(everything), ...urls.map(saysLink)].join('\n').toLowerCase();
  expect(secrets.filter((secret) => given.includes(secret.toLowerCase()))).toEqual([]);
});

test('the platform gets what the fan gets, and the campaign of a mass message', async () => {
  // Links are signed again every few minutes.
  const unlinked = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(/\/api\/media\/[\w.-]+/g, 'link')) as unknown[];
  const ofFan = (await me.client.call(listOwnMessages)).body.data.toReversed();
  const { data } = (await app.platform.call(listFanMessages, { params: { fan: external_id } }))
    .body;
  expect(unlinked(data)).toEqual(
    (unlinked(ofFan) as object[]).map((message, index) => ({
      ...message,
      campaign_id: data[index]?.campaign_id,
    })),
  );
  expect(data.flatMap(({ campaign_id }) => campaign_id ?? [])).toEqual([campaignId]);
});

test('to the fan every admin is the creator, who reacts with an emoji once', async () => {
  const { body } = await me.client.call(listOwnMessages);
  const users = body.data.flatMap(({ reactions, sender_id, reply_to }) => [
    sender_id,
    ...(reply_to ? [reply_to.sender.id] : []),
    ...reactions.map(({ user_id }) => user_id),
  ]);
  expect(new Set(users)).toEqual(new Set([me.fan.id, free.sender_id]));
  const both = body.data.find(({ id }) => id === unsold.message.id);
  expect(both?.reactions).toMatchObject([{ emoji: '🔥', user_id: free.sender_id }]);
});

test('no URL that a fan ever got opens a product that was not bought or was refunded', async () => {
  const { rows } = await sql<{ message: string; key: string; free: boolean }>`
    select s.message_id as message, f.key, f.free from product_sends s join products p on p.id = s.product_id,
      lateral (select unnest(array[p.full_key, p.thumbnail_key]) as key, false as free
        union select unnest(array[storage_key, thumbnail_key]), free from product_media where product_id = p.id) f
    where f.key is not null`.execute(app.db.kysely);
  const opened = await Promise.all(urls.map((url) => fetchFile(app, url)));
  /** Returns how many of a message's files, locked or free ones, a URL opens. */
  const opens = async (messageId: string, free = false) => {
    const files = rows.filter((row) => row.message === messageId && row.free === free);
    expect(files).toHaveLength(free ? 2 : 6);
    const held = await Promise.all(
      files.map(async ({ key }) => {
        const object = await app.storage.get(key);
        if (object === null) throw new Error('the product lacks a file');
        const full = Buffer.concat(await object.body.toArray());
        return opened.some(({ bytes }) => bytes.equals(full));
      }),
    );
    return held.filter(Boolean).length;
  };
  // All but the catalog's thumbnail, which only staff get.
  expect(await opens(sold.message.id)).toBe(5);
  for (const { message } of locked) expect(await opens(message.id)).toBe(0);
  for (const { message } of offers) expect(await opens(message.id, true)).toBe(2);
  // A range or condition gives no access that a plain request doesn't.
  for (const headers of [{ range: 'bytes=0-0' }, { range: 'bytes=-9' }, { 'if-none-match': '*' }]) {
    const parts = await Promise.all(urls.map((url) => fetchFile(app, url, { headers })));
    expect(parts.map(({ status }) => status < 400)).toEqual(
      opened.map(({ status }) => status === 200),
    );
  }
  // URLs that opened the product before the refund are refused now.
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200, 403]));
  for (const { status, headers } of opened) {
    if (status === 200) expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
  }
});

test('another fan’s session can access none of it', async () => {
  const other = await signInFan(app);
  const { body } = await other.client.call(listOwnMessages);
  expect(body.data).toEqual([]);
  for (const { id } of [free, unsold.message, sold.message]) {
    const refusal = await other.client.refused(listOwnMessages, { query: { before: id } });
    expect(refusal.status).toBe(404);
  }
});
