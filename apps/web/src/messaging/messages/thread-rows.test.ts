import { describe, expect, it } from 'vitest';
import { clockTime } from '../../lib/text/times.ts';
import {
  at,
  buildAttachment,
  buildMessage,
  buildPending,
  buildReply,
} from '../../testing/build-message.ts';
import { fanTime } from '../conversation/fan-time.ts';
import { threadOf } from './cache.ts';
import { quotePreview, replyTargetOf } from './message-text.ts';
import { EMPTY_OUTBOX, type Outbox } from './outbox.ts';
import { firstUnread, isSameRow, type MessageRow, threadRows } from './thread-rows.ts';

const NOW = Date.parse(at(0));
const local = (daysAgo: number, hour = 12) => {
  const day = new Date(NOW);
  day.setDate(day.getDate() - daysAgo);
  day.setHours(hour, 0, 0, 0);
  return day.toISOString();
};

const messagesOf = (data: ReturnType<typeof buildMessage>[]) =>
  threadOf({ data, has_more: false, version: 1 }).messages;
const rowsOf = (
  data: ReturnType<typeof buildMessage>[],
  more: Partial<Parameters<typeof threadRows>[0]> = {},
) =>
  threadRows({
    messages: messagesOf(data),
    hasMore: false,
    outbox: EMPTY_OUTBOX,
    firstUnreadId: null,
    myId: 'admin',
    ...more,
  });

describe('the rows of a thread', () => {
  it('have a separator for each day', () => {
    const rows = rowsOf([
      buildMessage({ seq: 1, created_at: local(1) }),
      buildMessage({ seq: 2, created_at: local(0, 9) }),
      buildMessage({ seq: 3, created_at: local(0, 10) }),
    ]);
    expect(rows.map(({ kind }) => kind)).toEqual(['day', 'message', 'day', 'message', 'message']);
  });

  it('leave out the oldest row while older messages exist, so that rows do not change when they load', () => {
    const data = [1, 2, 3, 4, 5].map((seq) => buildMessage({ seq, created_at: at(seq) }));
    const before = rowsOf(data.slice(2), { hasMore: true });
    expect(before.map(({ key }) => key)).toEqual(['m4', 'm5']);
    expect(rowsOf(data, { hasMore: true }).slice(-2)).toEqual(before);
    const nextDay = [
      buildMessage({ seq: 2, created_at: local(1) }),
      buildMessage({ seq: 3, created_at: local(0) }),
    ];
    expect(rowsOf(nextDay, { hasMore: true }).map(({ kind }) => kind)).toEqual(['day', 'message']);
  });

  it('stay the same when a message is added, except the previous one in its group', () => {
    const messages = messagesOf([1, 2, 3].map((seq) => buildMessage({ seq, created_at: at(seq) })));
    const shown = (count: number) =>
      rowsOf([], { messages: messages.slice(0, count) }).filter(
        (row): row is MessageRow => row.kind === 'message',
      );
    const after = shown(3);
    expect(shown(2).map((row, index) => isSameRow(row, after[index] as MessageRow))).toEqual([
      true,
      false,
    ]);
  });

  it('mark the first unread message', () => {
    const rows = rowsOf([buildMessage({ seq: 1 }), buildMessage({ seq: 2 })], {
      firstUnreadId: 'm2',
    });
    expect(rows.map(({ kind }) => kind)).toEqual(['day', 'message', 'new', 'message']);
  });

  it('group messages that one author wrote within minutes', () => {
    const rows = rowsOf([
      buildMessage({ seq: 1, created_at: at(0) }),
      buildMessage({ seq: 2, created_at: at(60) }),
      buildReply({ seq: 3, created_at: at(70) }),
      buildReply({ seq: 4, created_at: at(700) }),
    ]);
    const groups = rows.flatMap((row) =>
      'startsGroup' in row ? [[row.startsGroup, row.endsGroup]] : [],
    );
    expect(groups).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [true, true],
    ]);
  });

  it('keep an unconfirmed message last, and keep its key when it is confirmed', () => {
    const pending = rowsOf([buildMessage({ seq: 1 })], {
      outbox: { pending: [buildPending()], tempIds: {} },
    });
    const confirmed = rowsOf([buildMessage({ seq: 1 }), buildReply({ seq: 2 })], {
      outbox: { pending: [], tempIds: { m2: 'temp-1' } },
    });
    expect(pending.at(-1)).toMatchObject({ kind: 'pending', key: 'temp-1' });
    expect(confirmed.at(-1)).toMatchObject({ kind: 'message', key: 'temp-1' });
  });

  it('show a purchase once, at its time, after the last message that offered it', () => {
    const card = (price: number) =>
      buildAttachment({ product_id: 'p', title: 'Set', price, purchased_at: local(0, 10) });
    const data = [
      buildMessage({ seq: 1, created_at: local(0, 8), attachments: [card(5)] }),
      buildMessage({ seq: 2, created_at: local(0, 9), attachments: [card(4)] }),
      buildMessage({ seq: 3, created_at: local(0, 11), attachments: [card(6)] }),
    ];
    const rows = rowsOf(data);
    expect(rows.map(({ kind }) => kind).slice(1)).toEqual([
      'message',
      'message',
      'purchase',
      'message',
    ]);
    expect(rows[3]).toMatchObject({ purchase: { title: 'Set', price: 4 } });
    // Newer messages that are not loaded may come before it.
    expect(rowsOf(data.slice(0, 2), { hasNewer: true })).toHaveLength(3);
  });

  it('show tips by time, unless newer messages may come before them', () => {
    const data = [
      buildMessage({ seq: 1, created_at: local(0, 8) }),
      buildMessage({ seq: 2, created_at: local(0, 10) }),
    ];
    const tips = [9, 11].map((hour) => ({
      id: `t${hour}`,
      amount: 5,
      message: null,
      tipped_at: local(0, hour),
    }));
    const keysOf = (hasNewer: boolean) => rowsOf(data, { tips, hasNewer }).map(({ key }) => key);
    expect(keysOf(false).slice(1)).toEqual(['m1', 'tip t9', 'm2', 'tip t11']);
    expect(keysOf(true).slice(1)).toEqual(['m1', 'tip t9', 'm2']);
  });

  it('show staff notes by time, which split groups and are never unread', () => {
    const note = (id: string, created_at: string) => ({
      id,
      conversation_id: 'c1',
      content: id,
      author: { id: 'admin', codename: 'Mango', display_color: '#7024ab' },
      mentions: [],
      created_at,
      edited_at: null,
      version: 1,
    });
    const rows = rowsOf(
      [
        buildMessage({ seq: 1, created_at: local(1) }),
        buildMessage({ seq: 2, created_at: local(0, 9) }),
        buildMessage({
          seq: 3,
          created_at: new Date(Date.parse(local(0, 9)) + 1_000).toISOString(),
        }),
      ],
      { notes: [note('n1', local(0, 8)), note('n2', local(0, 9)), note('n3', local(0, 11))] },
    );
    expect(rows.map(({ key }) => key.replace(/^day .*/, 'day'))).toEqual([
      'day',
      'm1',
      'day',
      'note n1',
      'm2',
      'note n2',
      'm3',
      'note n3',
    ]);
    expect(rows.flatMap((row) => ('startsGroup' in row ? [row.startsGroup] : []))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('find the fan’s first unread message', () => {
    const messages = messagesOf([
      buildMessage({ seq: 1 }),
      buildReply({ seq: 2 }),
      buildMessage({ seq: 3 }),
    ]);
    const of = (unread: number, has_more = false) => firstUnread({ messages, has_more }, unread);
    expect([0, 1, 2, 9].map((unread) => of(unread))).toEqual([null, 'm3', 'm1', 'm1']);
    expect(of(9, true)).toBe('m3');
    expect(firstUnread({ messages: [], has_more: false }, 2)).toBeNull();
  });

  it('show a pending message once when a fetch already returns it', () => {
    const message = buildPending({ content: 'Again', lastSeenId: 'm2' });
    const outbox: Outbox = { pending: [message], tempIds: {} };
    const before = [buildReply({ seq: 1, content: 'Again' }), buildMessage({ seq: 2 })];
    const shown = (data: typeof before, more = outbox) =>
      rowsOf(data, { outbox: more }).flatMap(({ kind, key }) => (kind === 'day' ? [] : [key]));
    // An earlier message with the same text is a different message.
    expect(shown(before)).toEqual(['m1', 'm2', 'temp-1']);
    const stored = [...before, buildReply({ seq: 3, content: 'Again' })];
    expect(shown(stored)).toEqual(['m1', 'm2', 'temp-1']);
    expect(shown(stored, { pending: [], tempIds: { m3: 'temp-1' } })).toEqual(shown(stored));
    const teammate = { id: 'other', codename: 'Kiwi', display_color: '#7024ab' };
    const others = [...before, buildReply({ seq: 3, content: 'Again', author: teammate })];
    expect(shown(others)).toEqual(['m1', 'm2', 'm3', 'temp-1']);
  });
});

describe('a quote', () => {
  it('is truncated to 50 characters', () => {
    expect(quotePreview(buildMessage({ seq: 1, content: 'x'.repeat(50) }))).toBe('x'.repeat(50));
    expect(quotePreview(buildMessage({ seq: 1, content: '😍'.repeat(51) }))).toBe(
      `${'😍'.repeat(50)}...`,
    );
  });

  it('has a label for an attachment', () => {
    const of = (type: 'image' | 'video' | 'audio' | 'file', content: string) =>
      quotePreview(buildMessage({ seq: 1, content, attachments: [buildAttachment({ type })] }));
    expect([
      of('image', ' '),
      of('video', '[Attachment]'),
      of('audio', ''),
      of('file', ''),
    ]).toEqual(['📷 Photo', '🎥 Video', '🎵 Audio', '📎 Attachment']);
    expect(of('image', 'Look')).toBe('Look');
  });

  it('includes the quoted author', () => {
    expect(replyTargetOf(buildMessage({ seq: 1 }), 'Ana')).toEqual({
      id: 'm1',
      sender: 'Ana',
      preview: 'Message 1',
    });
    expect(replyTargetOf(buildReply({ seq: 2 }), 'Ana').sender).toBe('Creator');
  });
});

describe('the fan’s local time', () => {
  const time = (iso: string, zone = 'Europe/Lisbon') => fanTime(zone, Date.parse(iso));

  it('shows the time, the city and whether it is night', () => {
    expect(time('2026-11-21T02:14:00.000Z')).toEqual({
      clock: '02:14',
      city: 'Lisbon',
      isNight: true,
    });
    expect(time('2026-11-21T13:00:00.000Z', 'America/New_York')).toEqual({
      clock: '08:00',
      city: 'New York',
      isNight: false,
    });
    expect(time('2026-11-21T22:00:00.000Z')?.isNight).toBe(true);
    expect(time('2026-11-21T21:59:00.000Z')?.isNight).toBe(false);
  });

  it('is unknown in an unknown time zone', () => {
    expect(time('2026-11-21T02:14:00.000Z', 'Nowhere/Else')).toBeNull();
  });

  it('uses 24 hours', () => {
    expect(clockTime(local(0, 0))).toBe('00:00');
  });
});
