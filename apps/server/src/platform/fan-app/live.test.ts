import { replaceTags, updateNotes } from '@stagedoor/contract/fans/fans';
import { claimConversation, markRead, setStatus } from '@stagedoor/contract/inbox/conversations';
import {
  getFanHome,
  listOwnMessages,
  reactAsFan,
  readOwnMessages,
  sendOwnMessage,
} from '@stagedoor/contract/platform/fan-app';
import { getCreator, recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { updateAvatar, uploadAvatar } from '@stagedoor/contract/team/creator';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildFan, buildReply, buildStaff, unique } from '../../../test/factories.ts';
import type { FanSocket } from '../../../test/socket-client.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { buildForm, buildPicture } from '../../../test/worlds/catalogue.ts';
import { type SignedInFan, signInFan } from '../../../test/worlds/fan-world.ts';
import { openMarket } from '../../../test/worlds/market.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const market = await openMarket(app);

async function send({ client }: SignedInFan, content = 'Hello', client_id = unique('client')) {
  return (await client.call(sendOwnMessage, { body: { client_id, content } })).body.data;
}
const messageOf = async ({ client }: SignedInFan, id: string) =>
  (await client.call(listOwnMessages)).body.data.find((message) => message.id === id);
/** Toggles a reaction as staff. */
async function reactAsStaff(conversation_id: string, message_id: string) {
  const socket = await app.connectSocket(staff.token);
  socket.socket.emit('toggle_reaction', { conversation_id, message_id, emoji: '🔥' });
  await socket.nextEvent('reaction_toggled', (event) => event.message_id === message_id);
  socket.close();
}
/** Expects the socket to get no event except its own fan's next message. */
async function expectNoEvents(socket: FanSocket, fan: SignedInFan) {
  const { id } = await send(fan);
  await socket.nextEvent('new_message', ({ message }) => message.id === id);
  expect(socket.everything()).toHaveLength(1);
}

test('a fan’s own message is emitted to all of their windows with its client id, and to no other fan', async () => {
  const [me, other] = [await signInFan(app), await signInFan(app)];
  const elsewhere = await signInFan(app, me.fan);
  const windows = [await me.connect(), await elsewhere.connect()];
  const stranger = await other.connect();
  const message = await send(me, 'Hello', 'my-own-id');
  for (const window of windows) {
    expect(await window.nextEvent('new_message')).toEqual({
      message,
      version: 2,
      client_id: 'my-own-id',
    });
  }
  await expectNoEvents(stranger, other);
});

test('the creator’s message is emitted without an id, after the read of the fan’s messages', async () => {
  const me = await signInFan(app);
  await send(me);
  const window = await me.connect();
  const { id } = await buildReply(staff, me.fan.conversation_id, { content: 'Hi' });
  const { message, version, client_id } = await window.nextEvent('new_message');
  expect(message).toEqual(await messageOf(me, id));
  expect([version, client_id]).toEqual([4, null]);
  expect(window.everything().map(({ name }) => name)).toEqual(['messages_read', 'new_message']);
  expect(window.received('messages_read')).toMatchObject([
    { reader: 'creator', up_to_seq: 1, version: 3 },
  ]);
});

test('the fan gets the reads of both sides', async () => {
  const me = await signInFan(app);
  const window = await me.connect();
  const question = await buildReply(staff, me.fan.conversation_id);
  const { body } = await me.client.call(readOwnMessages, {
    body: { up_to_message_id: question.id },
  });
  expect(await window.nextEvent('messages_read')).toEqual({
    reader: 'fan',
    read_at: body.data.read_at,
    up_to_seq: 1,
    version: 3,
  });
  await send(me);
  await staff.client.call(markRead, { params: { id: me.fan.conversation_id }, body: {} });
  expect(await window.nextEvent('messages_read')).toMatchObject({
    reader: 'creator',
    up_to_seq: 2,
  });
});

test('a reaction of either side is emitted as the whole message', async () => {
  const me = await signInFan(app);
  const window = await me.connect();
  const { id } = await send(me);
  await reactAsStaff(me.fan.conversation_id, id);
  const first = await window.nextEvent('message_updated');
  expect(first).toEqual({ message: await messageOf(me, id), version: 3 });
  expect(first.message.reactions).toMatchObject([
    { emoji: '🔥', user_id: first.message.recipient_id },
  ]);
  await me.client.call(reactAsFan, { body: { message_id: id, emoji: '👍' } });
  const second = await window.nextEvent('message_updated');
  expect(second).toEqual({ message: await messageOf(me, id), version: 4 });
  expect(second.message.reactions).toHaveLength(2);
});

test('a purchase unlocks and a refund locks the product live', async () => {
  const { conversation, message, sale } = await market.buildDeal();
  const me = await signInFan(app, conversation.fan);
  const window = await me.connect();
  await app.platform.call(recordPurchase, { body: sale });
  const bought = await window.nextEvent('message_updated');
  expect(bought.message).toEqual(await messageOf(me, message.id));
  expect(bought.message.attachments).toMatchObject([{ locked: false, url: expect.any(String) }]);
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  const refunded = await window.nextEvent('message_updated');
  expect(refunded.message.attachments).toMatchObject([{ locked: true, url: null, filename: null }]);
  expect(refunded.version).toBe(bought.version + 1);
});

test('a new picture of the creator is emitted to every fan', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const { id: userId } = (await app.platform.call(getCreator)).body.data;
  const fans = [await signInFan(app), await signInFan(app)];
  const windows = await Promise.all(fans.map((fan) => fan.connect()));
  const post = async (path: string, body: unknown) => {
    const headers = { cookie: manager.avatarCookie };
    return JSON.parse((await app.anonymous.raw('POST', path, { body, headers })).text);
  };
  const avatar = { data: await buildPicture(), filename: 'me.png' };
  const uploaded = await post(uploadAvatar.path, buildForm({ userId, avatar }));
  await post(updateAvatar.path, { userId, avatarUrl: uploaded.avatar.s3_key });
  for (const [index, window] of windows.entries()) {
    const { creator } = await window.nextEvent('creator_updated');
    expect(creator).toMatchObject({ id: userId, avatar_url: uploaded.avatar.url });
    const { body } = await (fans[index] as SignedInFan).client.call(getFanHome);
    expect(body.data.creator).toEqual(creator);
  }
});

test('internal changes of staff are emitted to no fan', async () => {
  const me = await signInFan(app);
  const window = await me.connect();
  const params = { id: me.fan.conversation_id };
  await staff.client.call(updateNotes, { params, body: { notes: 'x' } });
  await staff.client.call(replaceTags, { params, body: { tags: [{ label: 'VIP' }] } });
  await staff.client.call(claimConversation, { params });
  await staff.client.call(setStatus, { params, body: { status: 'archived' } });
  await buildFan(app);
  await expectNoEvents(window, me);
});

test('events that a dead process did not emit are emitted to the fan from the outbox, unchanged', async () => {
  const own = await startTestApp();
  const writer = await buildStaff(own);
  const me = await signInFan(own);
  // Keeps copies of the outbox rows, which are deleted once they are emitted.
  await sql`create table kept as select event, payload from outbox where false`.execute(
    own.db.kysely,
  );
  await sql`create function keep() returns trigger language plpgsql as $$
    begin insert into kept values (new.event, new.payload); return null; end $$`.execute(
    own.db.kysely,
  );
  await sql`create trigger keep after insert on outbox for each row when (new.created_at > now() - interval '1 s')
    execute function keep()`.execute(own.db.kysely);
  const window = await me.connect();
  const { id } = await send(me);
  await buildReply(writer, me.fan.conversation_id);
  await me.client.call(reactAsFan, { body: { message_id: id, emoji: '👍' } });
  await window.nextEvent('message_updated');
  const received = new Map(window.everything().map(({ name, payload }) => [name, payload]));
  expect([...received.keys()]).toEqual(['new_message', 'messages_read', 'message_updated']);
  const ids = window.received('new_message').map(({ client_id }) => client_id);
  window.close();

  const again = await me.connect();
  await sql`insert into outbox (event, payload, created_at)
    select event, payload, now() - interval '5 s' from kept`.execute(own.db.kysely);
  await again.nextEvent('message_updated');
  expect(again.received('new_message').map(({ client_id }) => client_id)).toEqual(ids);
  expect(again.received('messages_read')).toEqual([received.get('messages_read')]);
  expect(again.received('message_updated')).toEqual([received.get('message_updated')]);
  await until('the outbox is empty', async () => {
    const left = await own.db.kysely.selectFrom('outbox').select('id').execute();
    return left.length === 0;
  });
  await own.close();
});
