import type { FanVisibleMessage } from '@stagedoor/contract/messaging/messages';
import { expect, test } from 'vitest';
import { EMPTY_OUTBOX, type PendingMessage } from '../composer/state.ts';
import { isEmojiOnly, previewOf, textOnly } from './message-text.ts';
import { firstUnread, partsOf, rowsOf } from './rows.ts';

const build = (seq: number, overrides: Partial<FanVisibleMessage> = {}): FanVisibleMessage => ({
  id: `m${seq}`,
  conversation_id: 'c',
  seq,
  sender_id: 'creator',
  recipient_id: 'fan',
  content: `text ${seq}`,
  attachments: [],
  created_at: new Date(Date.UTC(2026, 10, 21, 10, seq)).toISOString(),
  read_at: null,
  reply_to_message_id: null,
  reply_to: null,
  reactions: [],
  ...overrides,
});

const photo: FanVisibleMessage['attachments'][number] = {
  id: 'a',
  type: 'image',
  url: '/media/secret',
  thumbnail_url: '/media/small',
  filename: 'beach.jpg',
  size: 1,
  mime_type: 'image/jpeg',
  width: 1,
  height: 1,
  is_paid: false,
  product_id: null,
  price: null,
  title: null,
  description: null,
  preview_url: null,
  locked: false,
};

const pending = { clientId: 'temp-1', created_at: build(9).created_at } as PendingMessage;
const NONE = { messages: [], tips: [], hasMore: false, fanId: 'fan', unreadFrom: null };
const rows = (messages: readonly FanVisibleMessage[], unreadFrom: string | null = null) =>
  rowsOf({ ...NONE, messages, outbox: { ...EMPTY_OUTBOX, pending: [pending] }, unreadFrom });

test('messages of one side within five minutes are grouped, and unconfirmed ones come last', () => {
  const shown = rows([build(1), build(2), build(8), build(9, { sender_id: 'fan' })]);
  expect(
    shown.map((row) => ('startsGroup' in row ? [row.startsGroup, row.endsGroup] : row.kind)),
  ).toEqual(['day', [true, false], [false, true], [true, true], [true, false], [false, true]]);
  expect(shown.at(-1)?.key).toBe('temp-1');
});

test('a confirmed message keeps the key it was sent with', () => {
  const outbox = { pending: [], keys: { m1: 'temp-7' } };
  const shown = rowsOf({ ...NONE, messages: [build(1)], outbox });
  expect(shown.at(-1)?.key).toBe('temp-7');
});

test('tips are shown at their time, even after the last message, but not before the first loaded one', () => {
  const tip = (minute: number) => ({
    id: `t${minute}`,
    amount: 5,
    message: null,
    tipped_at: build(minute).created_at.replace('.000Z', '.500Z'),
  });
  const given = { ...NONE, tips: [tip(1), tip(2), tip(4)], outbox: EMPTY_OUTBOX };
  const messages = [build(2), build(3)];
  const keysOf = (hasMore: boolean) =>
    rowsOf({ ...given, messages, hasMore }).map(({ key }) => key);
  expect(keysOf(false).slice(1)).toEqual(['tip t1', 'm2', 'tip t2', 'm3', 'tip t4']);
  expect(keysOf(true).slice(1)).toEqual(['m2', 'tip t2', 'm3', 'tip t4']);
  const parts = partsOf(rowsOf({ ...given, messages }));
  expect(parts.flatMap((part) => part.rows)).toHaveLength(6);
  expect(partsOf(rowsOf(given)).flatMap((part) => part.rows)).toHaveLength(4);
});

test('the divider is above the creator’s first unread message', () => {
  const messages = [
    build(1, { read_at: build(1).created_at }),
    build(2, { sender_id: 'fan' }),
    build(3),
  ];
  expect(firstUnread(messages, 'fan')).toBe('m3');
  const kinds = rows(messages, 'm3').map(({ kind, key }) => (kind === 'message' ? key : kind));
  expect(kinds).toEqual(['day', 'm1', 'm2', 'unread', 'm3', 'pending']);
});

test('adding older messages changes no other part of the thread', () => {
  const all = Array.from({ length: 80 }, (_, index) => build(index + 1));
  const keys = (from: number) => partsOf(rows(all.slice(from))).map(({ key }) => key);
  expect(keys(0).slice(-2)).toEqual(keys(30).slice(-2));
  expect(partsOf(rows(all)).flatMap((part) => part.rows)).toEqual(rows(all));
});

test('a stored message keeps its text but no attachments', () => {
  const kept = textOnly(build(1, { content: ' ', attachments: [photo] }));
  expect(kept.content).toBe('📷 Photo');
  const bare = build(1, { content: '[Attachment]', attachments: [photo] });
  expect(textOnly(bare).content).toBe('📷 Photo');
  expect(JSON.stringify(kept)).not.toMatch(/media|beach/);
});

test('a preview names a locked product by its title, and truncates long texts', () => {
  const locked = { ...photo, locked: true, title: 'Sunset Set' };
  expect(previewOf({ content: ' ', attachments: [locked] })).toBe('🔒 Sunset Set');
  expect(previewOf({ content: 'x'.repeat(90), attachments: [] })).toBe(`${'x'.repeat(80)}...`);
});

test.each([
  ['❤️', true],
  ['👩‍👩‍👧 🔥', true],
  ['👍🏽', true],
  ['1', false],
  ['❤️ you', false],
  ['🔥🔥🔥🔥', false],
])('%s is only emoji: %s', (text, expected) => {
  expect(isEmojiOnly(text)).toBe(expected);
});
