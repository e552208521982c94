import { replaceTags, updateNotes } from '@stagedoor/contract/fans/fans';
import { claimConversation } from '@stagedoor/contract/inbox/conversations';
import { mentionOf } from '@stagedoor/contract/messaging/mention-text';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { sendScheduledNow } from '@stagedoor/contract/messaging/scheduled';
import { createStaffNote, updateStaffNote } from '@stagedoor/contract/messaging/staff-notes';
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
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildFan, buildReply, buildStaff, unique } from '../../../test/factories.ts';
import { fetchFile, filesForm, SAMPLES, uploadAsStaff } from '../../../test/files.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { runCampaign } from '../../../test/worlds/campaigns.ts';
import { buildBundle, buildOffer, buildPicture } from '../../../test/worlds/catalogue.ts';
import { signInFan } from '../../../test/worlds/fan-world.ts';
import { saleOf } from '../../../test/worlds/market.ts';
import { buildScheduled } from '../../../test/worlds/scheduled.ts';

const app = await startTestApp();
afterAll(() => app.close());

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
/** All replies, unparsed. */
const replies: unknown[] = [];
const PRICE = 12.5;

async function react(by: (typeof staff)[number], message_id: string, emoji: '🔥' | '❤️') {
  const own = await app.connectSocket(by.token);
  own.socket.emit('toggle_reaction', { conversation_id, message_id, emoji });
  await own.nextEvent('reaction_toggled', ({ user_id }) => user_id === by.admin.id);
  own.close();
}

const sendNow = ({ id }: Product) => buildOffer(seller, conversation_id, [{ id }], PRICE);
/** Offers a product by a scheduled message that is sent now. */
async function sendScheduled({ id: product_id }: Product) {
  const later = await buildScheduled(seller, conversation_id, {
    attachments: [{ product_id, price: PRICE, is_paid: true }],
  });
  const sent = await seller.client.call(sendScheduledNow, { params: { id: later.id } });
  const { body } = await seller.client.call(listMessages, { params: { id: conversation_id } });
  const message = body.data.find(({ id }) => id === sent.body.data.message_id);
  if (message === undefined) throw new Error('it was not sent');
  return message;
}

/** Offers a product in a message that the fan then quotes. */
async function offer(color: string, sendOffer = sendNow) {
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
const [unsold, sold, refunded] = [
  await offer('#204060'),
  await offer('#406020'),
  await offer('#602040', sendScheduled),
];
const campaign = await runCampaign(manager);
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

/** Returns the names of all fields at any depth. */
function fieldsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]);
}
const urlsIn = (value: unknown) => [
  ...new Set(JSON.stringify(value).match(/\/api\/media\/[\w.-]+/g) ?? []),
];
const urls = urlsIn(everything);
/** Returns the decoded payload of a link to a file. */
const saysLink = (url: string) =>
  Buffer.from(url.split('/').at(-1)?.split('.')[0] ?? '', 'base64url').toString();

test('the crawl covers every kind of data', () => {
  expect(new Set(received.map(({ name }) => name))).toEqual(
    new Set(['new_message', 'message_updated', 'messages_read', 'tips_changed']),
  );
  expect(urls.length).toBeGreaterThan(5);
  const text = JSON.stringify(everything);
  for (const { message } of [unsold, sold, refunded]) expect(text).toContain(message.id);
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
    campaign.id,
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
  expect(data.flatMap(({ campaign_id }) => campaign_id ?? [])).toEqual([campaign.id]);
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
      lateral (select p.full_key as key, false as free
        union select unnest(array[storage_key, thumbnail_key]), free from product_media where product_id = p.id) f
    where f.key is not null`.execute(app.db.kysely);
  const opened = await Promise.all(urls.map((url) => fetchFile(app, url)));
  /** Returns how many of a message's files, locked or free ones, a URL opens. */
  const opens = async (messageId: string, free = false) => {
    const files = rows.filter((row) => row.message === messageId && row.free === free);
    expect(files).toHaveLength(free ? 2 : 5);
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
  expect(await opens(sold.message.id)).toBe(5);
  expect(await opens(unsold.message.id)).toBe(0);
  expect(await opens(refunded.message.id)).toBe(0);
  for (const { message } of [sold, unsold, refunded]) expect(await opens(message.id, true)).toBe(2);
  // A range or condition gives no access that a plain request doesn't.
  for (const headers of [{ range: 'bytes=0-0' }, { range: 'bytes=-9' }, { 'if-none-match': '*' }]) {
    const parts = await Promise.all(urls.map((url) => fetchFile(app, url, { headers })));
    expect(parts.map(({ status }) => status < 400)).toEqual(
      opened.map(({ status }) => status === 200),
    );
  }
  // URLs that opened it before the refund are refused now.
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
