import { claimConversation, markRead } from '@stagedoor/contract/inbox/conversations';
import { mentionOf } from '@stagedoor/contract/messaging/mention-text';
import { readMentions } from '@stagedoor/contract/messaging/mentions';
import {
  createStaffNote,
  deleteStaffNote,
  updateStaffNote,
} from '@stagedoor/contract/messaging/staff-notes';
import { recordPurchase } from '@stagedoor/contract/platform/platform';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { signOut } from '@stagedoor/contract/team/auth';
import {
  getNotificationSettings,
  type NotificationSettings,
  subscribeToPush,
  unsubscribeFromPush,
  updateNotificationSettings,
} from '@stagedoor/contract/team/notifications';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  type Staff,
  unique,
} from '../../../test/factories.ts';
import { onDatabase, untilWaiting } from '../../../test/on-database.ts';
import { startPushService } from '../../../test/servers/push-service.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { buildProduct } from '../../../test/worlds/catalogue.ts';
import { createLogger } from '../../log.ts';

const service = await startPushService();
const PUSH = { rules: { allowLoopback: true }, retries: [0, 0], readFirstMs: 0 };
afterAll(() => service.close());
const app = await sharedApp({ push: PUSH });

const SETTINGS: NotificationSettings = {
  fan_messages: 'all',
  sales: true,
  mentions: true,
  shows_text: false,
  quiet: null,
  time_zone: 'UTC',
};

const save = (staff: Pick<Staff, 'client'>, change: Partial<NotificationSettings> = {}) =>
  staff.client.call(updateNotificationSettings, { body: { ...SETTINGS, ...change } });

/** An admin with a subscribed browser. */
async function subscribed(change: Partial<NotificationSettings> = {}) {
  const staff = await buildStaff(app);
  const browser = service.browser();
  await staff.client.call(subscribeToPush, { body: browser.subscription });
  await save(staff, change);
  return { ...staff, browser };
}

const isSubscribed = async ({ client }: Pick<Staff, 'client'>) =>
  (await client.call(getNotificationSettings)).body.data.is_subscribed;

/** Sends a fan's message and waits until an admin who gets all notifications has theirs; by then all others have theirs too. */
async function settle(fan: Parameters<typeof buildFanMessage>[1]) {
  const witness = await subscribed({ shows_text: true });
  const content = unique('settled');
  await buildFanMessage(app, fan, { content });
  await witness.browser.next('the witness is notified', ({ body }) => body === content);
  await witness.client.call(unsubscribeFromPush);
}

const naming = (people: readonly Pick<Staff, 'admin'>[], text = 'see') =>
  [...people.map(({ admin }) => mentionOf(admin.id)), text].join(' ');

/** Writes a note that mentions these admins. */
async function note(
  author: Staff,
  id: string,
  people: readonly Pick<Staff, 'admin'>[],
  text?: string,
) {
  const body = { client_id: unique('note'), content: naming(people, text) };
  return (await author.client.call(createStaffNote, { params: { id }, body })).body.data;
}

/** Returns the notes whose mention was pushed to a browser. */
const mentionsTo = ({ browser }: Pick<Awaited<ReturnType<typeof subscribed>>, 'browser'>) =>
  browser.received.flatMap(({ payload }) => (payload.kind === 'mention' ? [payload.note_id] : []));

test('settings are per admin; by default they cover claimed conversations and hide texts', async () => {
  const [one, other] = [await buildStaff(app), await buildStaff(app)];
  const { body } = await one.client.call(getNotificationSettings);
  expect(body.data).toMatchObject({
    fan_messages: 'mine',
    sales: true,
    mentions: true,
    shows_text: false,
    quiet: null,
    is_subscribed: false,
  });
  expect(Buffer.from(body.data.push_key, 'base64url')).toHaveLength(65);
  const changed = { ...SETTINGS, quiet: { from: 1_320, to: 480 }, time_zone: 'Europe/Lisbon' };
  await one.client.call(updateNotificationSettings, { body: changed });
  expect((await one.client.call(getNotificationSettings)).body.data).toMatchObject(changed);
  expect((await other.client.call(getNotificationSettings)).body.data.fan_messages).toBe('mine');
});

test('a fan’s message is pushed, encrypted, without its text', async () => {
  const { browser } = await subscribed();
  const name = unique('Zoe');
  const { id, fan } = await buildConversation(app, { fan: { first_name: name }, messages: [] });
  const content = unique('a secret');
  await buildFanMessage(app, fan, { content });
  const payload = await browser.next('a push', ({ conversation_id }) => conversation_id === id);
  expect(payload).toEqual({
    kind: 'message',
    conversation_id: id,
    title: name,
    body: 'New message',
  });
  expect(service.bodies.some((body) => body.includes(name))).toBe(false);
  expect(service.wrong).toEqual([]);
});

test('an admin who enabled texts sees the text, cut to one line', async () => {
  const { browser } = await subscribed({ shows_text: true });
  const { id, fan } = await buildConversation(app, { messages: [] });
  await buildFanMessage(app, fan, { content: `Hello ${'😀'.repeat(200)}` });
  const { body } = await browser.next('a push', (payload) => payload.conversation_id === id);
  expect(body).toBe(`Hello ${'😀'.repeat(114)}…`);
});

test('an admin can be notified of only their claimed conversations, or of none', async () => {
  const mine = await subscribed({ fan_messages: 'mine' });
  const none = await subscribed({ fan_messages: 'none' });
  const [claimed, other] = [await buildConversation(app), await buildConversation(app)];
  await mine.client.call(claimConversation, { params: { id: claimed.id } });
  await none.client.call(updateNotificationSettings, {
    body: { ...SETTINGS, fan_messages: 'none' },
  });
  await buildFanMessage(app, other.fan);
  await buildFanMessage(app, claimed.fan);
  await mine.browser.next('a push', ({ conversation_id }) => conversation_id === claimed.id);
  await settle(other.fan);
  expect(mine.browser.received.map(({ payload }) => payload.conversation_id)).not.toContain(
    other.id,
  );
  expect(none.browser.received).toEqual([]);
});

test('staff messages cause no notification', async () => {
  const { browser } = await subscribed();
  const writer = await buildStaff(app);
  const { id } = await buildConversation(app, { messages: [] });
  await buildReply(writer, id, { content: 'Hi' });
  const other = await buildConversation(app, { messages: [] });
  await settle(other.fan);
  expect(browser.received.map(({ payload }) => payload.conversation_id)).not.toContain(id);
});

test('a sale is pushed to admins who enabled sales', async () => {
  const [seller, quiet] = [await subscribed(), await subscribed({ sales: false })];
  const manager = await buildStaff(app, { role: 'manager' });
  const product = await buildProduct(manager);
  const { id, fan } = await buildConversation(app, { fan: { first_name: 'Ana' }, messages: [] });
  const message = await buildReply(manager, id, {
    attachments: [{ product_id: product.id, price: 12.5, is_paid: true }],
  });
  await app.platform.call(recordPurchase, {
    body: {
      fan: fan.external_id,
      message_id: message.id,
      attachment_id: message.attachments[0]?.id ?? '',
      amount: 12.5,
      payment_reference: unique('payment'),
    },
  });
  const sale = await seller.browser.next('a push', ({ kind }) => kind === 'sale');
  expect(sale).toEqual({
    kind: 'sale',
    conversation_id: id,
    title: 'Ana',
    body: 'Bought for $12.50',
  });
  await settle(fan);
  expect(quiet.browser.received.map(({ payload }) => payload.kind)).not.toContain('sale');
});

test('a mention is pushed only to the mentioned admin, without the note’s text', async () => {
  const [author, named, bystander] = [await subscribed(), await subscribed(), await subscribed()];
  const { id, fan } = await buildConversation(app, { fan: { first_name: 'Mia' }, messages: [] });
  const secret = unique('a secret');
  const { id: note_id } = await note(author, id, [author, named], secret);
  const payload = await named.browser.next('a push', ({ kind }) => kind === 'mention');
  expect(payload).toEqual({
    kind: 'mention',
    conversation_id: id,
    note_id,
    title: 'Mia',
    body: 'You were mentioned in a note',
  });
  await settle(fan);
  expect([author, named, bystander].map(mentionsTo)).toEqual([[], [note_id], []]);
  expect(service.wrong).toEqual([]);
});

test('an admin who enabled texts sees the note’s text with codenames', async () => {
  const named = await subscribed({ shows_text: true });
  const [author, other] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app, { messages: [] });
  await note(author, id, [named, other], 'take over');
  const { body } = await named.browser.next('a push', ({ kind }) => kind === 'mention');
  expect(body).toBe(
    `${author.admin.codename}: @${named.admin.codename} @${other.admin.codename} take over`,
  );
});

test('an admin who disabled mentions, has quiet hours or was removed gets no mention', async () => {
  const people = [
    await subscribed({ mentions: false }),
    await subscribed({ quiet: { from: 0, to: 0 } }),
    await subscribed(),
  ] as const;
  const [owner, author] = [await buildStaff(app, { role: 'creator' }), await buildStaff(app)];
  await owner.client.call(removeAdmin, { params: { id: people[2].admin.id } });
  const { id, fan } = await buildConversation(app, { messages: [] });
  await note(author, id, people);
  await settle(fan);
  expect(people.map(mentionsTo)).toEqual([[], [], []]);
});

test('an edited note notifies newly mentioned admins, each once', async () => {
  const [one, two] = [await subscribed(), await subscribed()];
  const author = await buildStaff(app);
  const { id, fan } = await buildConversation(app, { messages: [] });
  const { id: noteId } = await note(author, id, [one]);
  await one.browser.next('a push', ({ kind }) => kind === 'mention');
  for (const text of ['now both', 'with other words']) {
    const body = { content: naming([one, two], text) };
    await author.client.call(updateStaffNote, { params: { id, noteId }, body });
    await two.browser.next('a push', ({ kind }) => kind === 'mention');
  }
  await settle(fan);
  expect([one, two].map(mentionsTo)).toEqual([[noteId], [noteId]]);
});

test('a mention that was read or removed is not pushed, and of several the newest is pushed', async () => {
  const own = await startTestApp({
    push: { rules: { allowLoopback: true }, retries: [], readFirstMs: 5_000 },
  });
  const [author, staff] = [await buildStaff(own), await buildStaff(own)];
  const browser = service.browser();
  await staff.client.call(subscribeToPush, { body: browser.subscription });
  const newConversation = async () => (await buildConversation(own, { messages: [] })).id;
  const [seen, gone, changed, several] = [
    await newConversation(),
    await newConversation(),
    await newConversation(),
    await newConversation(),
  ];
  const { id: seenNote } = await note(author, seen, [staff]);
  await staff.client.call(readMentions, { body: { note_ids: [seenNote] } });
  const { id: goneNote } = await note(author, gone, [staff]);
  await author.client.call(deleteStaffNote, { params: { id: gone, noteId: goneNote } });
  const { id: changedNote } = await note(author, changed, [staff]);
  const params = { id: changed, noteId: changedNote };
  await author.client.call(updateStaffNote, { params, body: { content: 'Never mind' } });
  await note(author, several, [staff]);
  const { id: newest } = await note(author, several, [staff]);
  await browser.next('a push', ({ note_id }) => note_id === newest);
  expect(mentionsTo({ browser })).toEqual([newest]);
  await own.close();
});

test('of several mentions, the newest existing one is pushed', async () => {
  const own = await startTestApp({
    push: { rules: { allowLoopback: true }, retries: [], readFirstMs: 5_000 },
  });
  const [author, staff] = [await buildStaff(own), await buildStaff(own)];
  const browser = service.browser();
  await staff.client.call(subscribeToPush, { body: browser.subscription });
  const { id } = await buildConversation(own, { messages: [] });
  const { id: kept } = await note(author, id, [staff]);
  const { id: noteId } = await note(author, id, [staff]);
  await author.client.call(deleteStaffNote, { params: { id, noteId } });
  await browser.next('a push', ({ note_id }) => note_id === kept);
  expect(mentionsTo({ browser })).toEqual([kept]);
  await own.close();
});

test('a notification that is due while the database fails is pushed afterwards', async () => {
  const failures: string[] = [];
  const own = await startTestApp({
    push: PUSH,
    log: createLogger('error', { write: (line) => void failures.push(line) }),
  });
  const staff = await buildStaff(own);
  const browser = service.browser();
  await staff.client.call(subscribeToPush, { body: browser.subscription });
  await save(staff);
  await sql`alter table push_subscriptions rename to subscriptions_away`.execute(own.db.kysely);
  const { id } = await buildConversation(own);
  await until('the failure', () => failures.some((line) => line.includes('push_subscriptions')));
  await sql`alter table subscriptions_away rename to push_subscriptions`.execute(own.db.kysely);
  await browser.next('a push', ({ conversation_id }) => conversation_id === id);
  await own.close();
});

test('in quiet hours nothing is pushed', async () => {
  const { browser } = await subscribed({ quiet: { from: 0, to: 0 } });
  const { fan } = await buildConversation(app);
  await settle(fan);
  expect(browser.received).toEqual([]);
});

test('a message that was read in time is not pushed', async () => {
  const own = await startTestApp({
    push: { rules: { allowLoopback: true }, retries: [], readFirstMs: 5_000 },
  });
  const staff = await buildStaff(own);
  const browser = service.browser();
  await staff.client.call(subscribeToPush, { body: browser.subscription });
  await save(staff);
  const read = await buildConversation(own);
  await staff.client.call(markRead, { params: { id: read.id } });
  const unread = await buildConversation(own);
  await browser.next('a push', ({ conversation_id }) => conversation_id === unread.id);
  expect(browser.received).toHaveLength(1);
  await own.close();
});

test('an ended session gets no pushes, whether it was signed out, expired or its admin removed', async () => {
  const [left, expired, removed] = [await subscribed(), await subscribed(), await subscribed()];
  await left.client.call(signOut);
  await sql`update sessions set last_used_at = now() - interval '13 hours'
    where admin_id = ${expired.admin.id}`.execute(app.db.kysely);
  const owner = await buildStaff(app, { role: 'creator' });
  await owner.client.call(removeAdmin, { params: { id: removed.admin.id } });
  const { fan } = await buildConversation(app);
  await settle(fan);
  for (const { browser } of [left, expired, removed]) expect(browser.received).toEqual([]);
});

test('an unsubscribed browser gets no pushes', async () => {
  const staff = await subscribed();
  await staff.client.call(unsubscribeFromPush);
  expect(await isSubscribed(staff)).toBe(false);
  const { fan } = await buildConversation(app);
  await settle(fan);
  expect(staff.browser.received).toEqual([]);
});

test('a browser in which another admin signed in belongs to that admin', async () => {
  const first = await subscribed();
  const second = await buildStaff(app);
  await second.client.call(subscribeToPush, { body: first.browser.subscription });
  expect(await isSubscribed(first)).toBe(false);
  expect(await isSubscribed(second)).toBe(true);
});

test.each([401, 403, 404, 410])(
  'a subscription that its push service no longer accepts (%i) is deleted',
  async (status) => {
    const staff = await subscribed();
    service.answer = (browser) => (browser === staff.browser ? status : 201);
    await buildConversation(app);
    await until('the subscription is gone', async () => !(await isSubscribed(staff)));
    service.answer = () => 201;
  },
);

test('a temporary failure is retried a limited number of times; a refusal is not retried', async () => {
  const [busy, refused] = [await subscribed(), await subscribed()];
  const tries = new Map<unknown, number>();
  service.answer = (browser) => {
    const count = (tries.get(browser) ?? 0) + 1;
    tries.set(browser, count);
    if (browser === refused.browser) return 400;
    return browser === busy.browser && count < 3 ? 503 : 201;
  };
  const { id, fan } = await buildConversation(app);
  await busy.browser.next('the third try', ({ conversation_id }) => conversation_id === id);
  expect(tries.get(busy.browser)).toBe(3);
  expect(tries.get(refused.browser)).toBe(1);
  tries.clear();
  service.answer = (browser) => {
    tries.set(browser, (tries.get(browser) ?? 0) + 1);
    return browser === busy.browser ? 503 : 201;
  };
  await buildFanMessage(app, fan);
  await until('three tries', () => tries.get(busy.browser) === 3 || undefined);
  await settle(fan);
  expect(await isSubscribed(busy)).toBe(true);
  service.answer = () => 201;
});

test.each([
  ['asks for patience', 429],
  ['does not answer', 0],
])('a push service that %s doesn’t delay the others', async (_what, status) => {
  const [slow, own] = [await startPushService(), await startTestApp({ push: PUSH })];
  slow.answer = () => status;
  const endpoints = Array.from({ length: 20 }, () => slow.browser().subscription);
  for (const subscription of endpoints) {
    const { client } = await buildStaff(own);
    await client.call(subscribeToPush, { body: subscription });
    await save({ client });
  }
  await buildConversation(own);
  // Its pushes keep it busy for about as long as this test waits for the other browser.
  await until('the slow one is busy', () => slow.requests >= 4);
  const staff = await buildStaff(own);
  const browser = service.browser();
  await staff.client.call(subscribeToPush, { body: browser.subscription });
  await save(staff);
  const { id } = await buildConversation(own);
  await browser.next('a push', ({ conversation_id }) => conversation_id === id);
  await own.close();
  await slow.close();
});

test('a burst of messages from one fan causes one notification', async () => {
  const own = await startTestApp({
    push: { rules: { allowLoopback: true }, retries: [], readFirstMs: 5_000 },
  });
  const staff = await buildStaff(own);
  const browser = service.browser();
  await staff.client.call(subscribeToPush, { body: browser.subscription });
  await save(staff, { shows_text: true });
  await buildConversation(own, { messages: ['one', 'two', 'three'] });
  await browser.next('a push', ({ body }) => body === 'three');
  expect(browser.received.map(({ payload }) => payload.body)).toEqual(['three']);
  await own.close();
});

test.each([
  ['this machine', 'https://127.0.0.1/x'],
  ['a private network', 'https://192.168.0.1/x'],
  ['no https', 'http://fcm.googleapis.com/x'],
  ['no browser’s push service', 'https://push.example.com/x'],
  ['no address', 'nonsense'],
])('an address of %s is refused', async (_what, endpoint) => {
  const { client } = await buildStaff(app);
  const { keys } = service.browser().subscription;
  const refusal = await client.refused(subscribeToPush, { body: { endpoint, keys } });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('invalid keys are refused', async () => {
  const { client } = await buildStaff(app);
  const { endpoint, keys } = service.browser().subscription;
  for (const wrong of [{ p256dh: 'A'.repeat(87) }, { p256dh: 'short' }, { auth: 'short' }]) {
    const body = { endpoint, keys: { ...keys, ...wrong } };
    const refusal = await client.refused(subscribeToPush, { body });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  }
});

test('subscribing locks the session before other subscriptions, as the removal of an admin does', async () => {
  const staff = await subscribed();
  const again = app.staff(await app.insertSession(staff.admin.id));
  await onDatabase({ connectionString: app.databaseUrl }, async (client) => {
    await client.query('begin');
    await client.query(`select from sessions where admin_id = '${staff.admin.id}' for update`);
    const subscribing = again.call(subscribeToPush, { body: staff.browser.subscription });
    await untilWaiting(app, 1);
    const own = `select from push_subscriptions where endpoint = '${staff.browser.subscription.endpoint}'`;
    expect((await client.query(`${own} for update nowait`)).rowCount).toBe(1);
    await client.query('commit');
    await subscribing;
  });
  expect(await isSubscribed(staff)).toBe(false);
  expect(await isSubscribed({ client: again })).toBe(true);
});
