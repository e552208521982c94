import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import type { ThreadTip } from '@stagedoor/contract/selling/tips';
import type { Thread, ThreadMessage } from './cache.ts';
import type { Outbox, PendingMessage } from './outbox.ts';

/** The maximum time between two messages of a group, in milliseconds. A group's messages have the same author. */
const GROUP_MS = 5 * 60_000;

/** A product that the fan bought. */
export interface Purchase {
  productId: string;
  title: string | null;
  /** USD. */
  price: number | null;
  at: string;
}

interface Grouping {
  /** Whether this is the first message of a group, with more space above it. */
  startsGroup: boolean;
  /** Whether this is the last message of a group, whose bubble has a tail. */
  endsGroup: boolean;
}

/** A row of the thread. The key stays the same when an unconfirmed message is stored. */
export type ThreadRow =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'new'; key: string }
  | { kind: 'note'; key: string; note: StaffNote }
  | { kind: 'purchase'; key: string; purchase: Purchase }
  | { kind: 'tip'; key: string; tip: ThreadTip }
  | ({ kind: 'message'; key: string; message: ThreadMessage } & Grouping)
  | ({ kind: 'pending'; key: string; message: PendingMessage } & Grouping);

export type MessageRow = Extract<ThreadRow, { kind: 'message' | 'pending' }>;

/** Returns whether two rows show the same message. Rows are rebuilt on every change; the messages in them are not. */
export const isSameRow = (one: MessageRow, other: MessageRow): boolean =>
  one.kind === other.kind &&
  one.key === other.key &&
  one.message === other.message &&
  one.startsGroup === other.startsGroup &&
  one.endsGroup === other.endsGroup;

/** Returns whether the creator's side wrote the message. */
export const isOutgoingRow = (row: MessageRow): boolean =>
  row.kind === 'pending' || row.message.author !== null;

interface RowsOf {
  messages: readonly ThreadMessage[];
  /** Staff notes among the messages, ascending by time. */
  notes?: readonly StaffNote[];
  /** The fan's tips. */
  tips?: readonly ThreadTip[];
  /** Whether older messages exist. */
  hasMore: boolean;
  /** Whether newer messages exist. */
  hasNewer?: boolean;
  outbox: Outbox;
  /** The message below the 'New' divider. */
  firstUnreadId: string | null;
  /** The signed-in admin, who is the author of pending messages. */
  myId: string;
}

function authorOf(row: MessageRow, myId: string): string {
  return row.kind === 'pending' ? myId : (row.message.author?.id ?? 'fan');
}

function dayOf(iso: string): string {
  return new Date(iso).toDateString();
}

const isUnsent = (row: MessageRow): boolean =>
  row.kind === 'message' && row.message.unsent !== null;

function joins(above: ThreadRow | undefined, row: MessageRow, myId: string): boolean {
  if (!above || (above.kind !== 'message' && above.kind !== 'pending')) return false;
  if (isUnsent(above) || isUnsent(row)) return false;
  const gap = Date.parse(row.message.created_at) - Date.parse(above.message.created_at);
  return authorOf(above, myId) === authorOf(row, myId) && gap < GROUP_MS;
}

/**
 * Returns the rows of a thread: messages, notes, purchases and tips by time, with day dividers and the 'New' divider, then the
 * unconfirmed messages.
 */
export function threadRows(props: RowsOf): ThreadRow[] {
  const { messages, hasMore, outbox, firstUnreadId, myId } = props;
  const rows: ThreadRow[] = [];
  // The oldest loaded message stays hidden until older ones load. Only then is it known whether this message starts a day or a
  // group, and the height of visible rows must not change.
  const hidden = hasMore ? messages[0] : undefined;
  let day = '';
  const startDay = (at: string) => {
    const rowDay = dayOf(at);
    if (rowDay === day) return;
    day = rowDay;
    rows.push({ kind: 'day', key: `day ${rowDay}`, at });
  };
  const events = eventsOf(props);
  let added = 0;
  const addEvents = (before: string | null) => {
    for (let event = events[added]; event; event = events[added]) {
      if (before !== null && event.at >= before) return;
      startDay(event.at);
      rows.push(event.row);
      added += 1;
    }
  };
  const add = (row: MessageRow) => {
    startDay(row.message.created_at);
    if (row.kind === 'message' && row.message.id === firstUnreadId)
      rows.push({ kind: 'new', key: 'new' });
    const above = rows.at(-1);
    if (joins(above, row, myId)) {
      (above as MessageRow).endsGroup = false;
      row.startsGroup = false;
    }
    rows.push(row);
  };
  const grouping = { startsGroup: true, endsGroup: true };
  const stored = storedAlready(props);
  for (const message of messages) {
    addEvents(message.created_at);
    const key = outbox.tempIds[message.id] ?? stored.get(message) ?? message.id;
    add({ kind: 'message', key, message, ...grouping });
  }
  addEvents(null);
  const shown = new Set(stored.values());
  for (const message of outbox.pending)
    if (!shown.has(message.tempId))
      add({ kind: 'pending', key: message.tempId, message, ...grouping });
  if (hidden !== undefined && messages.length > 1) rows.splice(0, rows.findIndex(isOf(hidden)) + 1);
  return rows;
}

/** Returns the rows for notes, purchases and tips, ascending by time. */
function eventsOf({
  messages,
  notes = [],
  tips = [],
  hasNewer,
}: RowsOf): { at: string; row: ThreadRow }[] {
  // A purchase unlocks every message that offers the product. The row is shown once, with the price of the last offer before the
  // purchase.
  const purchases = new Map<string, Purchase>();
  for (const { created_at, attachments } of messages)
    for (const { product_id: productId, purchased_at: at, title, price } of attachments)
      if (productId !== null && at !== null && created_at <= at)
        purchases.set(productId, { productId, title, price, at });
  const end = hasNewer ? (messages.at(-1)?.created_at ?? '') : null;
  const isShown = ({ at }: { at: string }) => end === null || at <= end;
  const bought = [...purchases.values()].filter(isShown);
  const rows = [
    ...notes.map((note) => ({
      at: note.created_at,
      row: { kind: 'note' as const, key: `note ${note.id}`, note },
    })),
    ...bought.map((purchase) => ({
      at: purchase.at,
      row: { kind: 'purchase' as const, key: `purchase ${purchase.productId}`, purchase },
    })),
    ...tips
      .map((tip) => ({
        at: tip.tipped_at,
        row: { kind: 'tip' as const, key: `tip ${tip.id}`, tip },
      }))
      .filter(isShown),
  ];
  return rows.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

/**
 * Finds pending messages that a fetch already returned as stored, before their confirmation, so that they don't show twice. A
 * match is the viewer's own, has the same text, and is newer than `lastSeenId`.
 */
function storedAlready({ messages, outbox, myId }: RowsOf): Map<ThreadMessage, string> {
  const found = new Map<ThreadMessage, string>();
  for (const { tempId, status, content, lastSeenId } of outbox.pending) {
    if (status !== 'sending' || content === '' || lastSeenId === undefined) continue;
    const from = messages.findIndex(({ id }) => id === lastSeenId) + 1;
    if (from === 0 && lastSeenId !== null) continue;
    const message = messages
      .slice(from)
      .find(
        (held) =>
          held.author?.id === myId && held.content === content && !(held.id in outbox.tempIds),
      );
    if (message) found.set(message, tempId);
  }
  return found;
}

const isOf =
  ({ id }: ThreadMessage) =>
  (row: ThreadRow) =>
    row.kind === 'message' && row.message.id === id;

/**
 * Returns the first of the fan's `unreadCount` newest messages, or null if none are unread. Skips the oldest loaded message if
 * older messages exist, because it is hidden until they load.
 */
export function firstUnread(
  { messages, has_more }: Pick<Thread, 'messages' | 'has_more'>,
  unreadCount: number,
): string | null {
  const fromFan = messages.slice(has_more ? 1 : 0).filter(({ author }) => author === null);
  return unreadCount > 0 ? ((fromFan.at(-unreadCount) ?? fromFan[0])?.id ?? null) : null;
}
