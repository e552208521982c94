import {
  listMessages,
  REACTION_EMOJI,
  type Reaction,
  unsendMessage,
} from '@stagedoor/contract/messaging/messages';
import { postFanReaction } from '@stagedoor/contract/platform/platform';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  type Staff,
} from '../../../test/factories.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

const reactionsOf = async (id: string) =>
  (await staff.client.call(listMessages, { params: { id } })).body.data[0]?.reactions ?? [];

const shown = (reactions: readonly Reaction[]) =>
  reactions.map(({ user_id, emoji }) => `${user_id} ${emoji}`).toSorted();

/** A conversation with one message, and a staff member who can react to it. */
async function arrange(who: Staff = staff) {
  const conversation = await buildConversation(app);
  const socket = await app.connectSocket(who.token);
  const message_id = conversation.messages[0]?.id ?? '';
  const toggle = async (emoji: Reaction['emoji']) => {
    socket.socket.emit('toggle_reaction', { conversation_id: conversation.id, message_id, emoji });
    return socket.nextEvent(
      'reaction_toggled',
      (event) => event.message_id === message_id && event.user_id === who.admin.id,
    );
  };
  return { ...conversation, socket, message_id, toggle };
}

test('a reaction is added, replaced by another and removed by itself, and every admin gets the event', async () => {
  const { id, message_id, toggle } = await arrange();
  const teammate = await app.connectSocket((await buildStaff(app)).token);
  const added = await toggle('🔥');
  expect(added).toMatchObject({
    action: 'added',
    conversation_id: id,
    message_id,
    user_id: staff.admin.id,
  });
  expect(added.reaction).toMatchObject({ emoji: '🔥', message_id, user_id: staff.admin.id });
  expect(await reactionsOf(id)).toEqual([added.reaction]);

  const replaced = await toggle('❤️');
  expect(replaced).toMatchObject({ action: 'added', version: added.version + 1 });
  expect(await reactionsOf(id)).toEqual([replaced.reaction]);

  const removed = await toggle('❤️');
  expect(removed).toMatchObject({ action: 'removed', reaction: replaced.reaction });
  expect(await reactionsOf(id)).toEqual([]);

  for (const event of [added, replaced, removed]) {
    expect(await teammate.nextEvent('reaction_toggled')).toEqual(event);
  }
});

test('ids sent in upper case are emitted in lower case', async () => {
  const { id, message_id, socket } = await arrange();
  socket.socket.emit('toggle_reaction', {
    conversation_id: id.toUpperCase(),
    message_id: message_id.toUpperCase(),
    emoji: '🔥',
  });
  const event = await socket.nextEvent('reaction_toggled');
  expect(event).toMatchObject({ conversation_id: id, message_id, reaction: { message_id } });
});

test('each person has one reaction and can’t change another’s', async () => {
  const teammate = await buildStaff(app);
  const { id, fan, message_id, toggle } = await arrange();
  const other = await app.connectSocket(teammate.token);
  await toggle('🔥');
  other.socket.emit('toggle_reaction', { conversation_id: id, message_id, emoji: '🔥' });
  await other.nextEvent('reaction_toggled', ({ user_id }) => user_id === teammate.admin.id);
  const { body } = await app.platform.call(postFanReaction, {
    params: { fan: fan.external_id },
    body: { message_id, emoji: '🔥' },
  });
  expect(body.data).toMatchObject({ action: 'added', reaction: { user_id: fan.id, emoji: '🔥' } });
  await toggle('🔥');
  expect(shown(await reactionsOf(id))).toEqual(
    [`${teammate.admin.id} 🔥`, `${fan.id} 🔥`].toSorted(),
  );
});

test('only the fourteen emoji are accepted as reactions', async () => {
  expect(REACTION_EMOJI).toHaveLength(14);
  const { id, message_id, socket, toggle } = await arrange();
  for (const emoji of REACTION_EMOJI) expect((await toggle(emoji)).reaction.emoji).toBe(emoji);
  for (const emoji of ['👎', '❤', '', 'x', '🔥🔥']) {
    socket.socket.emit('toggle_reaction', {
      conversation_id: id,
      message_id,
      emoji: emoji as '🔥',
    });
    expect(await socket.nextEvent('message_error')).toMatchObject({
      code: 'invalid_request',
      message_id,
    });
  }
  expect((await reactionsOf(id)).map(({ emoji }) => emoji)).toEqual(['🎉']);
});

test('a reaction needs the message’s own conversation', async () => {
  const { message_id, socket, id } = await arrange();
  const other = await buildConversation(app);
  const wrong: [conversationId: string, messageId: string, code: string][] = [
    [other.id, message_id, 'message_not_found'],
    [id, crypto.randomUUID(), 'message_not_found'],
    [id, 'nonsense', 'message_not_found'],
    [crypto.randomUUID(), message_id, 'conversation_not_found'],
    ['nonsense', message_id, 'conversation_not_found'],
  ];
  for (const [conversation_id, messageId, code] of wrong) {
    socket.socket.emit('toggle_reaction', { conversation_id, message_id: messageId, emoji: '🔥' });
    expect(await socket.nextEvent('message_error')).toMatchObject({ code, message_id: messageId });
  }
  expect(await reactionsOf(id)).toEqual([]);
});

test('without message privileges a reaction is refused, and only the sender is notified', async () => {
  const reader = await buildStaff(app, { can_manage_messages: false });
  const { id, fan, message_id, socket } = await arrange(reader);
  const witness = await app.connectSocket(staff.token);
  socket.socket.emit('toggle_reaction', { conversation_id: id, message_id, emoji: '🔥' });
  expect(await socket.nextEvent('message_error')).toMatchObject({
    code: 'message_privilege_required',
    message_id,
  });
  await buildFanMessage(app, fan);
  await witness.nextEvent('new_message', (event) => event.conversation_id === id);
  expect(witness.received('message_error')).toEqual([]);
  expect(witness.received('reaction_toggled')).toEqual([]);
});

test('concurrent reactions of one person leave one or none, as the last event says', async () => {
  for (let round = 0; round < 10; round++) {
    const { id, message_id, socket } = await arrange();
    for (const emoji of ['🔥', '❤️', '🔥', '👍', '🔥', '❤️'] as const) {
      socket.socket.emit('toggle_reaction', { conversation_id: id, message_id, emoji });
    }
    const events = [];
    for (let count = 0; count < 6; count++) events.push(await socket.nextEvent('reaction_toggled'));
    const last = events.toSorted((a, b) => a.version - b.version).at(-1);
    const expected = last?.action === 'added' ? [last.reaction] : [];
    expect(await reactionsOf(id)).toEqual(expected);
    socket.close();
  }
});

test('a fan toggles, replaces and removes their own reaction', async () => {
  const { id, fan, message_id } = await arrange();
  const react = async (emoji: Reaction['emoji']) => {
    const params = { fan: fan.external_id };
    return (await app.platform.call(postFanReaction, { params, body: { message_id, emoji } })).body
      .data;
  };
  expect((await react('👍')).action).toBe('added');
  expect((await react('😂')).action).toBe('added');
  expect(shown(await reactionsOf(id))).toEqual([`${fan.id} 😂`]);
  expect((await react('😂')).action).toBe('removed');
  expect(await reactionsOf(id)).toEqual([]);
});

test('a reaction that waits while its message is unsent is refused', async () => {
  const { id, fan } = await buildConversation(app);
  const { id: message_id } = await buildReply(staff, id);
  const lock = `select from conversations where id = '${id}' for update`;
  const { unsent, reacted } = await whileLocked(app.databaseUrl, lock, async () => {
    const unsent = staff.client.call(unsendMessage, { params: { id: message_id } });
    await untilWaiting(app, 1);
    const reacted = app.platform.refused(postFanReaction, {
      params: { fan: fan.external_id },
      body: { message_id, emoji: '🔥' },
    });
    await untilWaiting(app, 2);
    return { unsent, reacted };
  });
  await unsent;
  expect(await reacted).toMatchObject({ status: 404, code: 'message_not_found' });
});
