import { createHmac } from 'node:crypto';
import { createInvites } from '@stagedoor/contract/fans/invites';
import { markRead } from '@stagedoor/contract/inbox/conversations';
import {
  eraseFan,
  listFanMessages,
  postFanReaction,
  postFanRead,
} from '@stagedoor/contract/platform/platform';
import { type WebhookType, webhookData } from '@stagedoor/contract/platform/webhooks';
import { getCreatorProfile, updateAvatar, uploadAvatar } from '@stagedoor/contract/team/creator';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import {
  buildConversation,
  buildFan,
  buildFanMessage,
  buildReply,
  buildStaff,
  unique,
} from '../../../test/factories.ts';
import { QUICK, startWebhookReceiver } from '../../../test/servers/webhook-receiver.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import {
  buildBundle,
  buildForm,
  buildOffer,
  buildPicture,
} from '../../../test/worlds/catalogue.ts';
import { openMarket } from '../../../test/worlds/market.ts';

const receiver = await startWebhookReceiver();
const { url, secret } = receiver;
afterAll(() => receiver.close());
const app = await sharedApp({ webhook: { url, secret, timing: QUICK } });
const staff = await buildStaff(app, { role: 'manager' });

/** Returns the first event of a type in a conversation. */
const eventIn = async (type: WebhookType, conversationId: string) =>
  (
    await receiver.next(type, ({ event }) => {
      const { data } = event;
      return (
        event.type === type && 'conversation_id' in data && data.conversation_id === conversationId
      );
    })
  ).event;

const eventsIn = async (conversationId: string) =>
  (
    await app.db.kysely
      .selectFrom('webhook_events')
      .select(['type', 'ref', 'state'])
      .where('conversation_id', '=', conversationId)
      .orderBy('place')
      .execute()
  ).map(({ type }) => type);

test('a delivery is signed as in Standard Webhooks, over its id, time and body', async () => {
  const { id, fan } = await buildConversation(app);
  const message = await buildReply(staff, id, { content: 'Hello Ana ❤️' });
  const delivery = await receiver.next('the message', ({ event }) => {
    return event.type === 'message.created' && event.data.message.id === message.id;
  });
  const { headers, text } = delivery;
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Stagedoor-Webhooks/1',
    'webhook-id': expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
  });
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  expect(receiver.forged).toEqual([]);
  const { data } = delivery.event as Extract<typeof delivery.event, { type: 'message.created' }>;
  expect(webhookData['message.created'].parse(data)).toMatchObject({
    fan: fan.external_id,
    conversation_id: id,
    message: { content: 'Hello Ana ❤️' },
  });
});

test('a reply delivers the read of the fan’s messages first, then the message as the fan sees it', async () => {
  const { id, fan, messages } = await buildConversation(app, { messages: ['One', 'Two'] });
  const reply = await buildReply(staff, id, { content: 'Hi!' });
  await eventIn('message.created', id);
  const [read, created] = receiver.acceptedOf(id).map(({ event }) => event);
  expect(read).toMatchObject({
    type: 'message.read',
    data: { fan: fan.external_id, conversation_id: id, up_to_message_id: messages[1]?.id },
  });
  const own = await app.platform.call(listFanMessages, {
    params: { fan: fan.external_id },
    query: { limit: 1 },
  });
  expect(created).toMatchObject({
    type: 'message.created',
    data: { fan: fan.external_id, conversation_id: id, message: own.body.data[0] },
  });
  expect(created?.timestamp.slice(0, 19)).toBe(reply.created_at.slice(0, 19));
});

test('reads and reactions of staff are delivered, the fan’s own are not', async () => {
  const { id, fan, messages } = await buildConversation(app);
  const first = messages[0]?.id ?? '';
  const client = await app.connectSocket(staff.token);
  await staff.client.call(markRead, { params: { id }, body: {} });
  const toggle = () =>
    client.socket.emit('toggle_reaction', { conversation_id: id, message_id: first, emoji: '🔥' });
  toggle();
  await until('one', async () => (await eventsIn(id)).length === 2);
  toggle();
  await until('two', async () => (await eventsIn(id)).length === 3);
  const reply = await buildReply(staff, id);
  const params = { fan: fan.external_id };
  await app.platform.call(postFanRead, { params, body: { up_to_message_id: reply.id } });
  await app.platform.call(postFanReaction, { params, body: { message_id: reply.id, emoji: '😂' } });
  await buildFanMessage(app, fan);
  expect(await eventsIn(id)).toEqual([
    'message.read',
    'reaction.toggled',
    'reaction.toggled',
    'message.created',
  ]);
  await eventIn('message.created', id);
  const received = receiver.acceptedOf(id).map(({ event }) => event.data);
  expect(received[1]).toEqual({
    fan: fan.external_id,
    conversation_id: id,
    message_id: first,
    action: 'added',
    emoji: '🔥',
  });
  expect(received[2]).toMatchObject({ action: 'removed', emoji: '🔥' });
  client.close();
});

test('a reaction of several admins is one reaction of the creator', async () => {
  const { id, messages } = await buildConversation(app);
  const message_id = messages[0]?.id ?? '';
  const client = await app.connectSocket(staff.token);
  const teammate = await buildStaff(app);
  const teammateClient = await app.connectSocket(teammate.token);
  const toggle = async (own: typeof client, { admin }: typeof teammate, emoji: '🔥' | '👍') => {
    own.socket.emit('toggle_reaction', { conversation_id: id, message_id, emoji });
    await own.nextEvent('reaction_toggled', (event) => event.user_id === admin.id);
  };
  await toggle(client, staff, '👍');
  await toggle(teammateClient, teammate, '👍');
  await toggle(teammateClient, teammate, '🔥');
  await toggle(client, staff, '🔥');
  await toggle(teammateClient, teammate, '🔥');
  await toggle(client, staff, '🔥');
  const refs = await app.db.kysely
    .selectFrom('webhook_events')
    .select('ref')
    .where('conversation_id', '=', id)
    .orderBy('place')
    .execute();
  expect(refs.map(({ ref }) => ref)).toEqual(
    [
      { action: 'added', emoji: '👍' },
      { action: 'added', emoji: '🔥' },
      { action: 'removed', emoji: '👍' },
      { action: 'removed', emoji: '🔥' },
    ].map((change) => ({ message_id, ...change })),
  );
  client.close();
  teammateClient.close();
});

test('unpaid attachments are locked in the body, and their preview URL works', async () => {
  const { conversation, message } = await (await openMarket(app)).buildDeal();
  const event = await eventIn('message.created', conversation.id);
  if (event.type !== 'message.created') throw new Error('another event');
  const [attachment] = event.data.message.attachments;
  expect(event.data.message.id).toBe(message.id);
  expect(attachment).toMatchObject({ locked: true, url: null, filename: null });
  expect(attachment?.preview_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/media\//);
  expect((await fetch(attachment?.preview_url ?? '')).status).toBe(200);
});

test('the files of a bundle and their previews have complete URLs that work', async () => {
  const { id } = await buildConversation(app);
  const files = [
    { data: await buildPicture(), filename: 'free.png', free: true },
    { data: await buildPicture(), filename: 'paid.png' },
  ];
  await buildOffer(staff, id, [await buildBundle(staff, files)], 5);
  const event = await eventIn('message.created', id);
  if (event.type !== 'message.created') throw new Error('not the message');
  const media = event.data.message.attachments[0]?.media ?? [];
  expect(media.map(({ url: file }) => file === null)).toEqual([false, true]);
  const urls = media.flatMap(({ url: file, preview_url }) => [
    preview_url,
    ...(file ? [file] : []),
  ]);
  for (const each of urls) expect((await fetch(each)).status).toBe(200);
});

test('invitations and the creator’s picture are delivered', async () => {
  const email = `${unique('guest')}@fans.example`;
  const { body } = await staff.client.call(createInvites, { body: { emails: [email] } });
  const invited = await receiver.next('the invitation', ({ event }) => {
    return event.type === 'invite.created' && event.data.email === email;
  });
  expect(webhookData['invite.created'].parse(invited.event.data)).toMatchObject({
    invite_id: body.success[0]?.id,
    benefit_type: '1_month_free',
  });

  const creator = (await staff.client.call(getCreatorProfile)).body.data;
  const headers = { cookie: staff.avatarCookie };
  const form = buildForm({ userId: creator.id, avatar: { data: await buildPicture() } });
  const upload = await app.anonymous.raw('POST', uploadAvatar.path, { body: form, headers });
  const { s3_key } = (JSON.parse(upload.text) as { avatar: { s3_key: string } }).avatar;
  await app.anonymous.raw('POST', updateAvatar.path, {
    body: { userId: creator.id, avatarUrl: s3_key },
    headers,
  });
  const updated = await receiver.next(
    'the picture',
    ({ event }) => event.type === 'creator.updated',
  );
  const received = webhookData['creator.updated'].parse(updated.event.data);
  expect(received).toMatchObject({ id: creator.id, display_name: creator.display_name });
  expect((await fetch(received.avatar_url ?? '')).status).toBe(200);
});

test('nothing of an erased fan remains, and their waiting events block nothing', async () => {
  const { id, fan } = await buildConversation(app);
  receiver.react = ({ event }) =>
    'fan' in event.data && event.data.fan === fan.external_id ? 500 : 204;
  const reply = await buildReply(staff, id);
  await until('a failed try', async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from webhook_attempts a
      join webhook_events e on e.id = a.event where e.conversation_id = ${id}`.execute(
      app.db.kysely,
    );
    return (rows[0]?.n ?? 0) > 1;
  });
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  for (const table of ['webhook_events', 'webhook_attempts', 'webhook_lanes']) {
    for (const trace of [id, reply.id, fan.id, fan.external_id]) {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from ${sql.table(table)} t where t::text like ${`%${trace}%`}`.execute(
        app.db.kysely,
      );
      expect(rows[0]?.n, `${table} ${trace}`).toBe(0);
    }
  }
  const states = await sql<{ state: string }>`
    select distinct state from webhook_events where lane = 'erased'`.execute(app.db.kysely);
  expect(states.rows).toEqual([{ state: 'failed' }]);
  receiver.react = () => 204;
  const other = await buildFan(app);
  await buildReply(staff, other.conversation_id);
  await eventIn('message.created', other.conversation_id);
});

test.each([
  ['bare base64', Buffer.from('sixteen bytes...').toString('base64'), undefined],
  ['any other text', 'not base64, but a fine secret: ü', 'raw'],
])('%s is accepted as a secret too', async (_what, own, format) => {
  const verifier =
    format === 'raw' ? new Webhook(Buffer.from(own), { format: 'raw' }) : new Webhook(own);
  const other = await startWebhookReceiver(own, verifier);
  const address = new URL(other.url);
  address.username = 'stage';
  address.password = 'd%40or';
  const where = { url: address.href, secret: own, timing: QUICK };
  const quiet = await startTestApp({ webhook: where });
  const { id } = await buildConversation(quiet);
  await buildReply(await buildStaff(quiet), id);
  const { headers } = await other.next(
    'the message',
    ({ event }) => event.type === 'message.created',
  );
  expect(headers.authorization).toBe(`Basic ${Buffer.from('stage:d@or').toString('base64')}`);
  expect(other.forged).toEqual([]);
  await quiet.close();
  await other.close();
});

test('without an address nothing is queued', async () => {
  const deaf = await startTestApp();
  const { client } = await buildStaff(deaf, { role: 'manager' });
  const { id } = await buildConversation(deaf);
  await buildReply({ client }, id);
  await client.call(createInvites, { body: { emails: [`${unique('guest')}@fans.example`] } });
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from webhook_events`.execute(
    deaf.db.kysely,
  );
  expect(rows[0]?.n).toBe(0);
  await deaf.close();
});
