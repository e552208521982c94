import type { FanVisibleMessage } from '@stagedoor/contract/messaging/messages';
import type { ThreadTip } from '@stagedoor/contract/selling/tips';
import type { Outbox, PendingMessage } from '../composer/state.ts';

/** Messages by the same author are grouped if they are less than this apart. Milliseconds. */
const GROUP_MS = 5 * 60_000;
/** Rows per part of the thread. Parts out of view are not laid out. */
const PART_ROWS = 24;

interface Grouping {
  readonly isOwn: boolean;
  startsGroup: boolean;
  endsGroup: boolean;
}

/** A row of the thread. Its key stays the same when a pending message becomes a stored one. */
export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | { readonly kind: 'unread'; readonly key: string }
  | { readonly kind: 'tip'; readonly key: string; readonly tip: ThreadTip; readonly isOwn: true }
  | ({ readonly kind: 'message'; readonly key: string; message: FanVisibleMessage } & Grouping)
  | ({ readonly kind: 'pending'; readonly key: string; message: PendingMessage } & Grouping);

export type MessageRow = Extract<Row, { kind: 'message' | 'pending' }>;

export const isMessageRow = (row: Row): row is MessageRow =>
  row.kind === 'message' || row.kind === 'pending';

interface RowsOf {
  messages: readonly FanVisibleMessage[];
  /** Oldest first. */
  tips: readonly ThreadTip[];
  /** Whether older messages exist. If so, tips before the first message are not shown. */
  hasMore: boolean;
  outbox: Outbox;
  fanId: string;
  unreadFrom: string | null;
}

function joins(above: Row | undefined, row: MessageRow): above is MessageRow {
  if (above?.kind !== 'message' && above?.kind !== 'pending') return false;
  const gap = Date.parse(row.message.created_at) - Date.parse(above.message.created_at);
  return above.isOwn === row.isOwn && gap < GROUP_MS;
}

/** Returns a thread's rows: messages and tips by time, with dividers for days and unread messages, then unconfirmed messages. */
export function rowsOf(props: RowsOf): Row[] {
  const { messages, tips, hasMore, outbox, fanId, unreadFrom } = props;
  const rows: Row[] = [];
  let day = '';
  const startDay = (at: string) => {
    const rowDay = new Date(at).toDateString();
    if (rowDay === day) return;
    day = rowDay;
    rows.push({ kind: 'day', key: `day ${rowDay}`, at });
  };
  const from = hasMore ? (messages[0]?.created_at ?? '') : '';
  const shown = tips.filter(({ tipped_at }) => tipped_at >= from);
  let added = 0;
  const addTips = (before: string | null) => {
    for (let tip = shown[added]; tip; tip = shown[added]) {
      if (before !== null && tip.tipped_at >= before) return;
      startDay(tip.tipped_at);
      rows.push({ kind: 'tip', key: `tip ${tip.id}`, tip, isOwn: true });
      added += 1;
    }
  };
  const add = (row: MessageRow) => {
    startDay(row.message.created_at);
    if (row.kind === 'message' && row.message.id === unreadFrom)
      rows.push({ kind: 'unread', key: 'unread' });
    const above = rows.at(-1);
    if (joins(above, row)) {
      above.endsGroup = false;
      row.startsGroup = false;
    }
    rows.push(row);
  };
  const grouping = { startsGroup: true, endsGroup: true };
  for (const message of messages) {
    addTips(message.created_at);
    const isOwn = message.sender_id === fanId;
    add({
      kind: 'message',
      key: outbox.keys[message.id] ?? message.id,
      message,
      isOwn,
      ...grouping,
    });
  }
  addTips(null);
  for (const message of outbox.pending)
    add({ kind: 'pending', key: message.clientId, message, isOwn: true, ...grouping });
  return rows;
}

/** A group of rows that the browser lays out or skips together. */
export interface Part {
  readonly key: string;
  readonly rows: Row[];
}

/**
 * Splits the rows into parts. Their boundaries depend on the messages' `seq`, so that new rows at either end don't change the
 * other parts.
 */
export function partsOf(rows: readonly Row[]): Part[] {
  const parts: Part[] = [];
  let waiting: Row[] = [];
  let block = Number.NaN;
  for (const row of rows) {
    waiting.push(row);
    if (!isMessageRow(row)) continue;
    const own = row.kind === 'pending' ? block : Math.floor(row.message.seq / PART_ROWS);
    const last = parts.at(-1);
    if (last && (own === block || Number.isNaN(own))) last.rows.push(...waiting);
    else parts.push({ key: `part ${own}`, rows: waiting });
    waiting = [];
    block = own;
  }
  // Tips after the last message.
  if (waiting.length > 0) {
    const last = parts.at(-1);
    if (last) last.rows.push(...waiting);
    else parts.push({ key: 'part', rows: waiting });
  }
  return parts;
}

/** Returns the creator's oldest unread message; null if all are read. */
export function firstUnread(messages: readonly FanVisibleMessage[], fanId: string): string | null {
  const unread = (message: FanVisibleMessage) =>
    message.sender_id !== fanId && message.read_at === null;
  return messages.find(unread)?.id ?? null;
}
