import type { FanVisibleMessage, ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addPending,
  confirmPending,
  EMPTY_OUTBOX,
  type Outbox,
  type PendingMessage,
} from '../composer/state.ts';
import {
  applyDeleted,
  applyKept,
  applyMessage,
  applyNewestPage,
  applyPage,
  applyRead,
  EMPTY_THREAD,
  pressReaction,
  settleReaction,
  shownOf,
  type ThreadState,
} from './state.ts';

const FAN = 'fan';
const CREATOR = 'creator';

/** Something a client receives, and its effect on the client's state. */
type Update = (held: Client) => Client;
interface Client {
  thread: ThreadState;
  outbox: Outbox;
}

const onThread =
  (change: (thread: ThreadState) => ThreadState): Update =>
  (held) => ({ ...held, thread: change(held.thread) });

function build(seq: number, sender: string): FanVisibleMessage {
  return {
    id: `m${seq}`,
    conversation_id: 'c',
    seq,
    sender_id: sender,
    recipient_id: sender === FAN ? CREATOR : FAN,
    content: `text ${seq}`,
    attachments: [],
    created_at: '2026-11-21T10:00:00.000Z',
    read_at: null,
    reply_to_message_id: null,
    reply_to: null,
    reactions: [],
  };
}

const pendingOf = (seq: number): PendingMessage => ({
  clientId: `temp-${seq}`,
  content: `text ${seq}`,
  replyTo: null,
  files: [],
  attachments: [],
  created_at: '2026-11-21T10:00:00.000Z',
  status: 'sending',
  error: null,
  progress: 0,
});

/**
 * A model of the server, with everything it has sent over time.
 * @param remaining the `seq` of each old message that is left after a purge @param count the number of messages before the purge
 */
function createServer(remaining: readonly number[], count: number) {
  let version = 10;
  let seq = count;
  let messages = remaining.map((each) => build(each, CREATOR));
  const updates: Update[] = [];
  const unsent = new Set<string>();
  /** A page of messages, some of which may be unsent. */
  const pageOf = (some: readonly FanVisibleMessage[], has_more = false) => ({
    has_more,
    data: some.filter(({ id }) => !unsent.has(id)),
    unsent: some.filter(({ id }) => unsent.has(id)).map(({ id, seq }) => ({ id, seq })),
    version,
  });
  const page = () => {
    const shown = pageOf(messages.slice(-4), messages.length > 4);
    const older = pageOf(messages.slice(0, -2));
    const before = messages.at(-2)?.seq;
    updates.push(onThread((thread) => applyNewestPage(thread, shown)));
    updates.push(onThread((thread) => applyPage(thread, older, before)));
  };
  const change = (index: number, to: (message: FanVisibleMessage) => FanVisibleMessage) => {
    const target = messages[index % Math.max(messages.length, 1)];
    if (!target || unsent.has(target.id)) return;
    version += 1;
    const message = to(target);
    const at = version;
    messages = messages.map((held) => (held.id === message.id ? message : held));
    updates.push(onThread((thread) => applyMessage(thread, message, at)));
  };
  return {
    updates,
    messages: () => pageOf(messages).data,
    unsend(index: number) {
      const target = messages[index % Math.max(messages.length, 1)];
      if (!target || target.sender_id === FAN || target.read_at !== null || unsent.has(target.id))
        return;
      version += 1;
      unsent.add(target.id);
      const { id, seq, conversation_id } = target;
      const deleted = { conversation_id, message_id: id, seq, version };
      updates.push(onThread((thread) => applyDeleted(thread, deleted)));
    },
    write(sender: string) {
      version += 1;
      seq += 1;
      const message = build(seq, sender);
      const at = version;
      messages = [...messages, message];
      const clientId = `temp-${message.seq}`;
      const confirmed: Update = ({ thread, outbox }) => ({
        thread,
        outbox: confirmPending(outbox, clientId, message.id),
      });
      updates.push((held) =>
        confirmed({ ...held, thread: applyMessage(held.thread, message, at) }),
      );
      // The response to the send, which has no version.
      if (sender === FAN)
        updates.push((held) =>
          confirmed({ ...held, thread: applyMessage(held.thread, message, null) }),
        );
      return { sender, clientId, seq: message.seq };
    },
    read(reader: 'fan' | 'creator', upTo: number) {
      const upToSeq = Math.min(upTo, seq);
      version += 1;
      const read_at = new Date(Date.UTC(2026, 10, 21) + version).toISOString();
      const author = reader === 'fan' ? CREATOR : FAN;
      messages = messages.map((held) =>
        held.sender_id === author && held.seq <= upToSeq && held.read_at === null
          ? { ...held, read_at }
          : held,
      );
      const read = { reader, read_at, up_to_seq: upToSeq, version };
      updates.push(onThread((thread) => applyRead(thread, read)));
    },
    react(index: number, emoji: ReactionEmoji) {
      change(index, (held) => {
        const others = held.reactions.filter(({ user_id }) => user_id !== CREATOR);
        const reaction = { id: `r${version}`, user_id: CREATOR, emoji, message_id: held.id };
        return { ...held, reactions: [...others, reaction] };
      });
    },
    page,
    newestPage: () => pageOf(messages),
  };
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), byFan: fc.boolean() }),
  fc.record({ kind: fc.constant('read' as const), byFan: fc.boolean(), upTo: fc.nat(12) }),
  fc.record({
    kind: fc.constant('react' as const),
    index: fc.nat(12),
    emoji: fc.constantFrom<ReactionEmoji>('❤️', '🔥'),
  }),
  fc.record({ kind: fc.constant('unsend' as const), index: fc.nat(12) }),
  fc.record({ kind: fc.constant('page' as const) }),
);

test('pages, events and responses, in any order and number, lead to the state of a fresh fetch', () => {
  fc.assert(
    fc.property(
      fc.subarray([1, 2, 3, 4, 5, 6, 7]),
      fc.constantFrom(0, 7),
      fc.array(step, { minLength: 1, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      fc.boolean(),
      (remaining, count, steps, randoms, isFetchedLast) => {
        const server = createServer(count === 0 ? [] : remaining, count);
        let client: Client = { thread: EMPTY_THREAD, outbox: EMPTY_OUTBOX };
        server.page();
        for (const each of steps) {
          if (each.kind === 'write') {
            const { sender, seq } = server.write(each.byFan ? FAN : CREATOR);
            if (sender === FAN)
              client = { ...client, outbox: addPending(client.outbox, pendingOf(seq)) };
          } else if (each.kind === 'read') {
            server.read(each.byFan ? 'fan' : 'creator', each.upTo);
          } else if (each.kind === 'react') server.react(each.index, each.emoji);
          else if (each.kind === 'unsend') server.unsend(each.index);
          else server.page();
        }
        const truth = server.messages();
        const next = () => randoms.next().value ?? 0;
        const order = server.updates
          .flatMap((update) => (next() % 3 === 0 ? [update, update] : [update]))
          .map((update) => ({ update, at: next() }))
          .sort((a, b) => a.at - b.at);
        const kept = truth.slice(-2).map((held) => ({ ...held, content: 'kept' }));
        client = { ...client, thread: applyKept(client.thread, kept) };
        const fresh = onThread((thread) => applyNewestPage(thread, server.newestPage()));
        if (!isFetchedLast) client = fresh(client);
        for (const { update } of order) client = update(client);
        if (isFetchedLast) client = fresh(client);

        const shown = shownOf(client.thread, FAN);
        expect(shown.messages).toEqual(truth);
        expect(shown.hasMore).toBe(false);
        expect(shown.hasGap).toBe(false);
        expect(client.outbox.pending).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

test('messages connected to the newest page are shown; messages beyond a gap are held back', () => {
  const of = (...seqs: number[]) => ({
    data: seqs.map((seq) => build(seq, CREATOR)),
    unsent: [],
    has_more: seqs[0] !== 1,
    version: 5,
  });
  const seqs = (thread: ThreadState) => shownOf(thread, FAN).messages.map(({ seq }) => seq);
  let thread = applyNewestPage(EMPTY_THREAD, of(4, 5, 6));
  expect(seqs(thread)).toEqual([4, 5, 6]);
  expect(shownOf(thread, FAN).hasMore).toBe(true);

  thread = applyMessage(thread, build(9, CREATOR), 8);
  expect(seqs(thread)).toEqual([4, 5, 6]);
  expect(shownOf(thread, FAN).hasGap).toBe(true);

  thread = applyPage(thread, of(1, 2, 3));
  expect(seqs(thread)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(shownOf(thread, FAN).hasMore).toBe(false);

  thread = applyNewestPage(thread, of(7, 8, 9));
  expect(seqs(thread)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(shownOf(thread, FAN).hasGap).toBe(false);
});

test('a pressed reaction shows at once, stays until the server confirms it, and disappears when refused', () => {
  const start = applyNewestPage(EMPTY_THREAD, {
    data: [build(1, CREATOR)],
    unsent: [],
    has_more: false,
    version: 5,
  });
  const emojiOf = (thread: ThreadState) =>
    shownOf(thread, FAN).messages[0]?.reactions.map(({ emoji }) => emoji);
  const reaction = { id: 'r', user_id: FAN, emoji: '🔥', message_id: 'm1' } as const;
  const updated = { ...build(1, CREATOR), reactions: [reaction] };

  const pressed = pressReaction(start, 'm1', '🔥', FAN);
  expect(emojiOf(pressed)).toEqual(['🔥']);
  expect(emojiOf(settleReaction(pressed, 'm1', false))).toEqual([]);

  const stored = settleReaction(pressed, 'm1', true);
  expect(emojiOf(stored)).toEqual(['🔥']);
  const shown = applyMessage(stored, updated, 6);
  expect(emojiOf(shown)).toEqual(['🔥']);
  expect(shown.ownReactions.size).toBe(0);

  const confirmedLast = settleReaction(applyMessage(pressed, updated, 6), 'm1', true);
  expect(confirmedLast.ownReactions.size).toBe(0);
  expect(emojiOf(confirmedLast)).toEqual(['🔥']);
  expect(emojiOf(pressReaction(confirmedLast, 'm1', '🔥', FAN))).toEqual([]);
});
