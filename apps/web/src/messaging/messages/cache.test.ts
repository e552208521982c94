import type { MessagePage } from '@stagedoor/contract/messaging/messages';
import { describe, expect, it } from 'vitest';
import {
  at,
  buildAttachment,
  buildMessage,
  buildReply,
  FAN_ID,
} from '../../testing/build-message.ts';
import {
  addMessage,
  addOlderPage,
  applyFanRead,
  applyMessageRead,
  applyOwnership,
  applyReaction,
  mergePages,
  newestSeq,
  threadOf,
} from './cache.ts';

const page = (seqs: number[], version: number, has_more = false): MessagePage => ({
  data: seqs.map((seq) => buildMessage({ seq })),
  has_more,
  version,
});

const seqsOf = (thread: { messages: readonly { seq: number }[] }) =>
  thread.messages.map(({ seq }) => seq);

const reaction = (emoji: '👍' | '🔥', version: number, action: 'added' | 'removed' = 'added') => ({
  action,
  message_id: 'm1',
  conversation_id: 'c1',
  user_id: FAN_ID,
  reaction: { id: `r${version}`, user_id: FAN_ID, emoji, message_id: 'm1' },
  version,
});

describe('a new message', () => {
  it('is inserted by seq, in any order of arrival', () => {
    const thread = [4, 3, 5].reduce(
      (t, seq) => addMessage(t, buildMessage({ seq }), seq),
      threadOf(page([1, 2], 2)),
    );
    expect(seqsOf(thread)).toEqual([1, 2, 3, 4, 5]);
    expect(newestSeq(thread)).toBe(5);
    expect(thread.version).toBe(5);
  });

  it('is shown once when its event is duplicated', () => {
    const once = addMessage(threadOf(page([1], 1)), buildMessage({ seq: 2 }), 2);
    expect(seqsOf(addMessage(once, buildMessage({ seq: 2 }), 2))).toEqual([1, 2]);
  });

  it('is shown once when its confirmation follows its event, and keeps the event’s data', () => {
    const event = addMessage(threadOf(page([1], 1)), buildReply({ seq: 2, read_at: at(9) }), 2);
    const confirmed = addMessage(event, buildReply({ seq: 2 }));
    expect(seqsOf(confirmed)).toEqual([1, 2]);
    expect(confirmed.messages[1]?.read_at).toBe(at(9));
  });

  it('replaces an earlier confirmation', () => {
    const confirmed = addMessage(threadOf(page([1], 1)), buildReply({ seq: 2 }));
    const event = addMessage(confirmed, buildReply({ seq: 2, content: 'As stored' }), 2);
    expect(event.messages[1]).toMatchObject({ content: 'As stored', version: 2 });
  });

  it('is ignored when it is older than the loaded messages', () => {
    expect(
      seqsOf(addMessage(threadOf(page([5, 6], 6, true)), buildMessage({ seq: 2 }), 6)),
    ).toEqual([5, 6]);
  });

  it('can be the first of an empty conversation', () => {
    expect(seqsOf(addMessage(threadOf(page([], 1)), buildMessage({ seq: 1 }), 2))).toEqual([1]);
  });
});

describe('a reaction', () => {
  it('replaces the earlier reaction of the same user', () => {
    const first = applyReaction(threadOf(page([1], 1)), reaction('👍', 2));
    const second = applyReaction(first, reaction('🔥', 3));
    expect(second.messages[0]?.reactions.map(({ emoji }) => emoji)).toEqual(['🔥']);
  });

  it('is removed by its removal event', () => {
    const added = applyReaction(threadOf(page([1], 1)), reaction('👍', 2));
    expect(applyReaction(added, reaction('👍', 3, 'removed')).messages[0]?.reactions).toEqual([]);
  });

  it('stays removed when the older addition arrives late', () => {
    const removed = applyReaction(threadOf(page([1], 1)), reaction('👍', 3, 'removed'));
    expect(applyReaction(removed, reaction('👍', 2)).messages[0]?.reactions).toEqual([]);
  });

  it('does not affect other users’ reactions', () => {
    const other = { id: 'r', user_id: 'admin', emoji: '💯' as const, message_id: 'm1' };
    const thread = threadOf({
      data: [buildMessage({ seq: 1, reactions: [other] })],
      has_more: false,
      version: 1,
    });
    expect(applyReaction(thread, reaction('👍', 2)).messages[0]?.reactions).toHaveLength(2);
  });
});

describe('a read event', () => {
  const thread = threadOf({
    data: [
      buildMessage({ seq: 1, read_at: at(1) }),
      buildMessage({ seq: 2 }),
      buildReply({ seq: 3 }),
      buildMessage({ seq: 4 }),
    ],
    has_more: false,
    version: 4,
  });
  const readTimes = (t: typeof thread) => t.messages.map(({ read_at }) => read_at);

  it('by staff marks the fan’s messages up to its seq as read', () => {
    const read = applyMessageRead(thread, { up_to_seq: 3, read_at: at(20), version: 5 });
    expect(readTimes(read)).toEqual([at(1), at(20), null, null]);
  });

  it('by the fan marks the creator’s messages as read', () => {
    const read = applyFanRead(thread, { up_to_seq: 3, read_at: at(20), version: 5 });
    expect(readTimes(read)).toEqual([at(1), null, at(20), null]);
  });

  it('without a time uses the current time', () => {
    const read = applyMessageRead(thread, { up_to_seq: 4, version: 5 }, () => at(30));
    expect(readTimes(read)).toEqual([at(1), at(30), null, at(30)]);
  });

  it('that is older than the fetched page changes nothing', () => {
    expect(
      readTimes(applyMessageRead(thread, { up_to_seq: 4, read_at: at(20), version: 4 })),
    ).toEqual(readTimes(thread));
  });
});

describe('an older page', () => {
  it('is added before the loaded messages', () => {
    const thread = addOlderPage(threadOf(page([3, 4], 4, true)), 'm3', page([1, 2], 4));
    expect(seqsOf(thread)).toEqual([1, 2, 3, 4]);
    expect(thread.has_more).toBe(false);
  });

  it('is ignored when another one was added meanwhile', () => {
    const thread = addOlderPage(threadOf(page([3, 4], 4, true)), 'm3', page([1, 2], 4));
    expect(addOlderPage(thread, 'm3', page([1, 2], 4))).toBe(thread);
  });
});

describe('a refetch', () => {
  it('adds missed messages and drops nothing newer', () => {
    const thread = addMessage(threadOf(page([1, 2], 2)), buildMessage({ seq: 5 }), 5);
    expect(seqsOf(mergePages(thread, [page([1, 2, 3, 4], 4)]))).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps the changes of later events', () => {
    const thread = applyReaction(threadOf(page([1], 1)), reaction('👍', 3));
    expect(mergePages(thread, [page([1], 2)]).messages[0]?.reactions).toHaveLength(1);
    expect(mergePages(thread, [page([1], 3)]).messages[0]?.reactions).toHaveLength(0);
  });

  it('joins several pages', () => {
    const thread = threadOf(page([9], 9, true));
    const merged = mergePages(thread, [page([7, 8, 9], 9, true), page([4, 5, 6], 9, false)]);
    expect(seqsOf(merged)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(merged.has_more).toBe(false);
  });

  it('keeps older messages that were loaded meanwhile, unless they are outdated or there is a gap', () => {
    const whole = addOlderPage(threadOf(page([4, 5], 9, true)), 'm4', page([1, 2, 3], 9));
    const merged = mergePages(whole, [page([4, 5, 6], 9, true)], 4);
    expect(seqsOf(merged)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(merged.has_more).toBe(false);
    const newer = mergePages(whole, [page([4, 5, 6], 10, true)], 4);
    expect(seqsOf(newer)).toEqual([4, 5, 6]);
    expect(newer.has_more).toBe(true);
    expect(seqsOf(mergePages(whole, [page([5, 6], 9, true)], 4))).toEqual([5, 6]);
  });
});

describe('a purchase', () => {
  const offer = (seq: number, ...products: string[]) =>
    buildReply({
      seq,
      attachments: products.map((product_id) => buildAttachment({ product_id, is_paid: true })),
    });
  const data = [offer(1, 'p1', 'p2'), offer(2, 'p2')];
  const thread = threadOf({ data, has_more: false, version: 2 });
  const event = {
    conversation_id: 'c1',
    message_id: 'm1',
    attachment_id: 'a2',
    product_id: 'p2',
    amount: 9.99,
  };
  const boughtAt = (held: typeof thread) =>
    held.messages.map(({ attachments }) => attachments.map(({ purchased_at }) => purchased_at));
  const none = [[null, null], [null]];

  it('marks every offer of the product and nothing else', () => {
    const bought = applyOwnership(thread, { ...event, purchased_at: at(5), version: 3 });
    expect(boughtAt(bought)).toEqual([[null, at(5)], [at(5)]]);
    expect(bought.version).toBe(3);
  });

  it('is undone by its refund, unless another payment remains', () => {
    const bought = applyOwnership(thread, { ...event, purchased_at: at(5), version: 3 });
    const refunded = { ...event, version: 4 };
    expect(boughtAt(applyOwnership(bought, { ...refunded, purchased_at: null }))).toEqual(none);
    expect(boughtAt(applyOwnership(bought, { ...refunded, purchased_at: at(6) }))).toEqual([
      [null, at(6)],
      [at(6)],
    ]);
  });

  it('that is older than its refund changes nothing', () => {
    const refunded = applyOwnership(thread, { ...event, purchased_at: null, version: 4 });
    const late = applyOwnership(refunded, { ...event, purchased_at: at(5), version: 3 });
    expect(boughtAt(late)).toEqual(none);
    expect(late.version).toBe(4);
  });
});
