import type { ServerEvent } from '@stagedoor/contract/realtime';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff, type Staff, unique } from '../../../test/factories.ts';
import type { StaffSocket } from '../../../test/socket-client.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { signInFan } from '../../../test/worlds/fan-world.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const witness = await app.connectSocket((await buildStaff(app)).token);

type Seat = ServerEvent<'presence'>['seats'][number];

/** Returns the next presence event about an admin that the witness receives. */
async function eventFor(
  { admin }: Staff,
  matches: (seat: Seat) => boolean = () => true,
): Promise<Seat> {
  const find = (event: ServerEvent<'presence'>) =>
    event.seats.find((seat) => seat.member.id === admin.id && matches(seat));
  const event = await witness.nextEvent(
    'presence',
    (each) => !each.whole && find(each) !== undefined,
  );
  return find(event) as Seat;
}

/** Sends an event that is refused. By then, all earlier events of the socket have been handled. */
async function fence({ socket, nextEvent }: StaffSocket): Promise<void> {
  const tempId = unique('temp');
  socket.emit('send_message', { conversation_id: 'nowhere', content: 'x', tempId });
  await nextEvent('message_error', (error) => error.tempId === tempId);
}

test('opening, typing and leaving are broadcast to teammates, with codename and color', async () => {
  const { id } = await buildConversation(app);
  const { socket } = await app.connectSocket(staff.token);
  const conversation = { conversation_id: id };
  const { codename, display_color } = staff.admin;
  const member = { id: staff.admin.id, codename, display_color };
  socket.emit('join_conversation', conversation);
  const joined = await eventFor(staff);
  expect(joined).toEqual({ seat: joined.seat, member, conversation_id: id, typing: false });
  socket.emit('typing_start', conversation);
  expect(await eventFor(staff)).toEqual({ ...joined, typing: true });
  socket.emit('typing_stop', conversation);
  expect(await eventFor(staff)).toEqual(joined);
  socket.emit('leave_conversation', conversation);
  expect(await eventFor(staff)).toEqual({ ...joined, conversation_id: null });
});

test('a browser has one conversation open; opening another replaces it', async () => {
  const [one, two] = [await buildConversation(app), await buildConversation(app)];
  const teammate = await buildStaff(app);
  const live = await app.connectSocket(teammate.token);
  live.socket.emit('join_conversation', { conversation_id: one.id });
  const first = await eventFor(teammate);
  live.socket.emit('join_conversation', { conversation_id: two.id });
  expect(await eventFor(teammate)).toEqual({ ...first, conversation_id: two.id });
  // A late event for the previous conversation.
  live.socket.emit('leave_conversation', { conversation_id: one.id });
  live.socket.emit('typing_stop', { conversation_id: one.id });
  await fence(live);
  const newcomer = await app.connectSocket(staff.token);
  const { seats } = await newcomer.nextEvent('presence', ({ whole }) => whole);
  expect(seats).toContainEqual({ ...first, conversation_id: two.id });
});

test('with rapid changes, the last event counts', async () => {
  const [one, two] = [await buildConversation(app), await buildConversation(app)];
  const teammate = await buildStaff(app);
  const { socket } = await app.connectSocket(teammate.token);
  for (let times = 0; times < 10; times++) {
    socket.emit('join_conversation', { conversation_id: one.id });
    socket.emit('leave_conversation', { conversation_id: one.id });
  }
  socket.emit('join_conversation', { conversation_id: two.id });
  const last = await eventFor(teammate, (seat) => seat.conversation_id === two.id);
  const newcomer = await app.connectSocket(staff.token);
  const { seats } = await newcomer.nextEvent('presence', ({ whole }) => whole);
  expect(seats.filter(({ member }) => member.id === teammate.admin.id)).toEqual([last]);
});

test('a disconnected admin has left', async () => {
  const { id } = await buildConversation(app);
  const teammate = await buildStaff(app);
  const { socket } = await app.connectSocket(teammate.token);
  socket.emit('join_conversation', { conversation_id: id });
  const { seat } = await eventFor(teammate);
  socket.disconnect();
  expect(await eventFor(teammate)).toMatchObject({ seat, conversation_id: null });
});

test('a new connection receives all seats', async () => {
  const { id } = await buildConversation(app);
  const teammate = await buildStaff(app);
  const { socket } = await app.connectSocket(teammate.token);
  socket.emit('typing_start', { conversation_id: id });
  const typing = await eventFor(teammate, (seat) => seat.typing);
  const newcomer = await app.connectSocket(staff.token);
  const { seats } = await newcomer.nextEvent('presence', ({ whole }) => whole);
  expect(seats).toContainEqual(typing);
});

test('typing ends without an explicit stop', async () => {
  const { id } = await buildConversation(app);
  const teammate = await buildStaff(app);
  const { socket } = await app.connectSocket(teammate.token);
  socket.emit('typing_start', { conversation_id: id });
  await eventFor(teammate, (seat) => seat.typing);
  await expect
    .poll(
      () =>
        witness
          .received('presence')
          .flatMap(({ seats }) => seats)
          .findLast(({ member }) => member.id === teammate.admin.id)?.typing,
    )
    .toBe(false);
});

test('opening an unknown conversation is refused and not broadcast', async () => {
  const live = await app.connectSocket(staff.token);
  for (const conversation_id of [crypto.randomUUID(), 'nonsense']) {
    live.socket.emit('join_conversation', { conversation_id });
    expect(await live.nextEvent('message_error')).toMatchObject({
      code: 'conversation_not_found',
      conversation_id,
    });
  }
  const received = witness.received('presence').flatMap(({ seats }) => seats);
  expect(received.map(({ conversation_id }) => conversation_id)).not.toContain('nonsense');
});

test('too many presence events are refused', async () => {
  const { id } = await buildConversation(app);
  const live = await app.connectSocket(staff.token);
  for (let times = 0; times < 61; times++)
    live.socket.emit('leave_conversation', { conversation_id: id });
  expect(await live.nextEvent('message_error')).toMatchObject({
    code: 'rate_limited',
    conversation_id: id,
  });
});

test('fans receive no presence events', async () => {
  const fan = await signInFan(app);
  const window = await app.connectFanSocket(fan.token);
  const conversation = { conversation_id: fan.fan.conversation_id };
  const teammate = await buildStaff(app);
  const live = await app.connectSocket(teammate.token);
  live.socket.emit('join_conversation', conversation);
  live.socket.emit('typing_start', conversation);
  await eventFor(teammate, (seat) => seat.typing);
  live.socket.emit('send_message', { ...conversation, content: 'fence', tempId: unique('temp') });
  await window.nextEvent('new_message');
  expect(window.everything().map(({ name }) => name)).toEqual(['new_message']);
});
