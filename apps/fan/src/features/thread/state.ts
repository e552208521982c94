import type {
  FanVisibleMessage,
  Reaction,
  ReactionEmoji,
} from '@stagedoor/contract/messaging/messages';
import type { FanServerEvent } from '@stagedoor/contract/platform/fan-realtime';

interface Snapshot {
  readonly id: string;
  readonly seq: number;
  /** Null for a message that the creator has unsent. */
  readonly message: FanVisibleMessage | null;
  readonly version: number;
}

type ShownSnapshot = Snapshot & { readonly message: FanVisibleMessage };

type ReadEvent = FanServerEvent<'messages_read'>;
type Read = Pick<ReadEvent, 'reader' | 'read_at' | 'up_to_seq' | 'version'>;

interface OwnReaction {
  /** Null removes the current reaction. */
  readonly emoji: ReactionEmoji | null;
  /** The version of the message's snapshot when the fan pressed the reaction. */
  readonly since: number;
  /** Whether the server has stored the reaction. Every later snapshot contains it. */
  readonly isStored: boolean;
}

/**
 * The known state of the conversation. The newest snapshot of each message counts, and a read receipt applies to all older
 * snapshots. So pages, responses and events may arrive in any order and more than once.
 */
export interface ThreadState {
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly reads: readonly Read[];
  /**
   * The `seq` of the newest message of the newest page. The messages connected to it without a gap are shown. Null before the
   * first page.
   */
  readonly anchor: number | null;
  /**
   * Maps the `seq` of a message that follows a hole to the `seq` before the hole; 0 if no older message is left. Purged messages
   * leave holes, which only pages reveal.
   */
  readonly previous: ReadonlyMap<number, number>;
  readonly ownReactions: ReadonlyMap<string, OwnReaction>;
}

export const EMPTY_THREAD: ThreadState = {
  snapshots: new Map(),
  reads: [],
  anchor: null,
  previous: new Map(),
  ownReactions: new Map(),
};

/** The version of stored data: older than anything from the server. */
const KEPT = 0;

type Unsent = Pick<Snapshot, 'id' | 'seq'>;

interface Page {
  data: readonly FanVisibleMessage[];
  unsent: readonly Unsent[];
  has_more: boolean;
  version: number;
}

/** Returns the oldest message of a page, unsent or not; null for an empty page. */
export function oldestOf({ data, unsent }: Pick<Page, 'data' | 'unsent'>): Unsent | null {
  return [...data, ...unsent].sort((a, b) => a.seq - b.seq)[0] ?? null;
}

function withSnapshots(
  state: ThreadState,
  messages: readonly FanVisibleMessage[],
  version: number,
  unsent: readonly Unsent[] = [],
): ThreadState {
  const snapshots = new Map(state.snapshots);
  const ownReactions = new Map(state.ownReactions);
  const arrived = [
    ...messages.map((message) => ({ id: message.id, seq: message.seq, message })),
    ...unsent.map(({ id, seq }) => ({ id, seq, message: null })),
  ];
  for (const each of arrived) {
    const held = snapshots.get(each.id);
    // A snapshot of the same version replaces the known one, because its URLs may be newer.
    if (held && held.version > version) continue;
    snapshots.set(each.id, { ...each, version });
    if (ownReactions.get(each.id)?.isStored) ownReactions.delete(each.id);
  }
  return { ...state, snapshots, ownReactions };
}

/** Records the holes between `seqs`: the ascending numbers of all messages that are left in a range. */
function withHoles(state: ThreadState, seqs: readonly number[], hasMore: boolean): ThreadState {
  const previous = new Map(state.previous);
  const [first, ...others] = hasMore ? seqs : [0, ...seqs];
  let last = first;
  for (const seq of others) {
    if (last !== undefined && last < seq - 1) previous.set(seq, last);
    last = seq;
  }
  return { ...state, previous };
}

/** Adds a page. @param before the `seq` of the message that follows the page; absent for the newest page */
export function applyPage(state: ThreadState, page: Page, before?: number): ThreadState {
  const { data, unsent, has_more, version } = page;
  const seqs = [...data, ...unsent].map(({ seq }) => seq).sort((a, b) => a - b);
  if (before !== undefined) seqs.push(before);
  return withHoles(withSnapshots(state, data, version, unsent), seqs, has_more);
}

/** Adds the newest page, which replaces stored data. */
export function applyNewestPage(state: ThreadState, page: Page): ThreadState {
  const known = [...state.snapshots].filter(([, { version }]) => version > KEPT);
  const fresh = { ...state, snapshots: new Map(known) };
  const seqs = [...page.data, ...page.unsent].map(({ seq }) => seq);
  return { ...applyPage(fresh, page), anchor: Math.max(state.anchor ?? 0, ...seqs) };
}

/** Shows stored data until the server responds. Each `seq` missing from the data belongs to an unsent or purged message. */
export function applyKept(state: ThreadState, messages: readonly FanVisibleMessage[]): ThreadState {
  if (state.anchor !== null) return state;
  const seqs = messages.map(({ seq }) => seq);
  const anchor = seqs.at(-1) ?? null;
  return { ...withHoles(withSnapshots(state, messages, KEPT), seqs, true), anchor };
}

/** Adds a message. @param version the event's version; null for the response to a send, which has no version */
export function applyMessage(
  state: ThreadState,
  message: FanVisibleMessage,
  version: number | null,
): ThreadState {
  const held = state.snapshots.get(message.id);
  if (version === null) return held ? state : withSnapshots(state, [message], KEPT + 1);
  return withSnapshots(state, [message], version);
}

/** Removes a message that the creator has unsent. */
export function applyDeleted(
  state: ThreadState,
  { message_id: id, seq, version }: FanServerEvent<'message_deleted'>,
): ThreadState {
  return withSnapshots(state, [], version, [{ id, seq }]);
}

/** Marks one side's messages as read by the other. */
export function applyRead(state: ThreadState, read: Read): ThreadState {
  if (state.reads.some(({ version }) => version === read.version)) return state;
  const { reader, read_at, up_to_seq, version } = read;
  const reads = [...state.reads, { reader, read_at, up_to_seq, version }];
  return { ...state, reads: reads.sort((a, b) => a.version - b.version) };
}

/** Applies the fan's press of an emoji. Pressing the current reaction removes it. */
export function pressReaction(
  state: ThreadState,
  messageId: string,
  emoji: ReactionEmoji,
  fanId: string,
): ThreadState {
  const held = state.snapshots.get(messageId);
  if (!held?.message || state.ownReactions.has(messageId)) return state;
  const shown = held.message.reactions.find(({ user_id }) => user_id === fanId)?.emoji;
  const next = { emoji: shown === emoji ? null : emoji, since: held.version, isStored: false };
  return { ...state, ownReactions: new Map(state.ownReactions).set(messageId, next) };
}

/** Applies the server's response to a press: stored or refused. */
export function settleReaction(
  state: ThreadState,
  messageId: string,
  isStored: boolean,
): ThreadState {
  const own = state.ownReactions.get(messageId);
  if (!own) return state;
  const ownReactions = new Map(state.ownReactions);
  const isShown = (state.snapshots.get(messageId)?.version ?? 0) > own.since;
  if (isStored && !isShown) ownReactions.set(messageId, { ...own, isStored });
  else ownReactions.delete(messageId);
  return { ...state, ownReactions };
}

function readAtOf(state: ThreadState, { message, version }: ShownSnapshot, fanId: string) {
  if (message.read_at !== null) return message.read_at;
  const reader = message.sender_id === fanId ? 'creator' : 'fan';
  const read = state.reads.find(
    (each) => each.reader === reader && each.version > version && each.up_to_seq >= message.seq,
  );
  return read?.read_at ?? null;
}

function reactionsOf(
  { ownReactions }: ThreadState,
  { id, reactions }: FanVisibleMessage,
  fanId: string,
): Reaction[] {
  const own = ownReactions.get(id);
  if (!own) return reactions;
  const others = reactions.filter(({ user_id }) => user_id !== fanId);
  if (own.emoji === null) return others;
  return [...others, { id: 'own', user_id: fanId, emoji: own.emoji, message_id: id }];
}

/** The shown messages by snapshot, so that unchanged messages stay the same object. */
const made = new WeakMap<Snapshot, FanVisibleMessage>();

/** Returns a message's quote, without its content if the quoted message has been unsent since. */
function quoteOf({ snapshots }: ThreadState, { reply_to: quote }: FanVisibleMessage) {
  const isGone = quote !== null && !quote.is_unsent && snapshots.get(quote.id)?.message === null;
  return isGone ? { ...quote, content: '', attachments: [], is_unsent: true } : quote;
}

function asShown(state: ThreadState, snapshot: ShownSnapshot, fanId: string): FanVisibleMessage {
  const { message } = snapshot;
  const read_at = readAtOf(state, snapshot, fanId);
  const reactions = reactionsOf(state, message, fanId);
  const reply_to = quoteOf(state, message);
  const isSame = (one: FanVisibleMessage) =>
    one.read_at === read_at &&
    one.reactions === reactions &&
    one.reply_to?.is_unsent === reply_to?.is_unsent;
  if (isSame(message)) return message;
  const before = made.get(snapshot);
  if (before && isSame(before)) return before;
  const shown = { ...message, read_at, reactions, reply_to };
  made.set(snapshot, shown);
  return shown;
}

/** The shown part of a conversation. */
export interface Shown {
  /** Ascending by `seq`, without a gap. */
  readonly messages: readonly FanVisibleMessage[];
  readonly hasMore: boolean;
  /** The oldest message, unsent or not. It is the cursor for older messages. */
  readonly oldest: Unsent | null;
  /** Whether newer messages are known but not shown, because messages before them are missing. */
  readonly hasGap: boolean;
}

/** Returns the current messages that are connected to the newest page without a gap. */
export function shownOf(state: ThreadState, fanId: string): Shown {
  if (state.anchor === null) return { messages: [], hasMore: false, oldest: null, hasGap: false };
  const all = [...state.snapshots.values()].sort((a, b) => a.seq - b.seq);
  const anchor = state.anchor;
  const at = all.findLastIndex((held) => held.seq <= anchor);
  let from = Math.max(at, 0);
  let to = from;
  const seq = (index: number) => all[index]?.seq ?? Number.NaN;
  const previous = (index: number) => state.previous.get(seq(index)) ?? seq(index) - 1;
  while (from > 0 && seq(from - 1) >= previous(from)) from -= 1;
  while (to + 1 < all.length && seq(to) >= previous(to + 1)) to += 1;
  const run = all.slice(from, to + 1);
  return {
    messages: run
      .filter((held): held is ShownSnapshot => held.message !== null)
      .map((snapshot) => asShown(state, snapshot, fanId)),
    hasMore: run.length > 0 && previous(from) > 0,
    oldest: run[0] ?? null,
    hasGap: to + 1 < all.length || (run.length === 0 && all.length > 0),
  };
}
