import type {
  FanVisibleMessage,
  Reaction,
  ReactionEmoji,
} from '@stagedoor/contract/messaging/messages';
import type { FanServerEvent } from '@stagedoor/contract/platform/fan-realtime';

interface Snapshot {
  readonly message: FanVisibleMessage;
  readonly version: number;
}

type ReadEvent = FanServerEvent<'messages_read'>;
type Read = Pick<ReadEvent, 'reader' | 'read_at' | 'up_to_seq' | 'version'>;

interface OwnReaction {
  /** Null removes the current reaction. */
  readonly emoji: ReactionEmoji | null;
  /** The version of the message's snapshot when it was pressed. */
  readonly since: number;
  /** Whether the server has stored it. Every later snapshot contains it. */
  readonly isStored: boolean;
}

/**
 * The known state of the conversation. The newest snapshot of each message counts, and reads apply to all older snapshots. So
 * pages, responses and events may arrive in any order and more than once.
 */
export interface ThreadState {
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly reads: readonly Read[];
  /**
   * The `seq` of the newest message of the newest page. The messages connected to it without a gap are shown. Null before the
   * first page.
   */
  readonly anchor: number | null;
  readonly ownReactions: ReadonlyMap<string, OwnReaction>;
}

export const EMPTY_THREAD: ThreadState = {
  snapshots: new Map(),
  reads: [],
  anchor: null,
  ownReactions: new Map(),
};

/** The version of stored data: older than anything from the server. */
const KEPT = 0;

interface Page {
  data: readonly FanVisibleMessage[];
  version: number;
}

function withSnapshots(
  state: ThreadState,
  messages: readonly FanVisibleMessage[],
  version: number,
): ThreadState {
  const snapshots = new Map(state.snapshots);
  const ownReactions = new Map(state.ownReactions);
  for (const message of messages) {
    const held = snapshots.get(message.id);
    // The same version may bring newer URLs.
    if (held && held.version > version) continue;
    snapshots.set(message.id, { message, version });
    if (ownReactions.get(message.id)?.isStored) ownReactions.delete(message.id);
  }
  return { ...state, snapshots, ownReactions };
}

/** Adds a page of older messages. */
export function applyPage(state: ThreadState, { data, version }: Page): ThreadState {
  return withSnapshots(state, data, version);
}

/** Adds the newest page. It replaces stored data. */
export function applyNewestPage(state: ThreadState, page: Page): ThreadState {
  const known = [...state.snapshots].filter(([, { version }]) => version > KEPT);
  const fresh = { ...state, snapshots: new Map(known) };
  const anchor = Math.max(state.anchor ?? 0, page.data.at(-1)?.seq ?? 0);
  return { ...withSnapshots(fresh, page.data, page.version), anchor };
}

/** Shows stored data until the server responds. */
export function applyKept(state: ThreadState, messages: readonly FanVisibleMessage[]): ThreadState {
  if (state.anchor !== null) return state;
  return { ...withSnapshots(state, messages, KEPT), anchor: messages.at(-1)?.seq ?? null };
}

/** Adds a message from an event or from the response to a send, which has no version (null). */
export function applyMessage(
  state: ThreadState,
  message: FanVisibleMessage,
  version: number | null,
): ThreadState {
  const held = state.snapshots.get(message.id);
  if (version === null) return held ? state : withSnapshots(state, [message], KEPT + 1);
  return withSnapshots(state, [message], version);
}

/** Applies that one side read the other's messages. */
export function applyRead(state: ThreadState, read: Read): ThreadState {
  if (state.reads.some(({ version }) => version === read.version)) return state;
  const { reader, read_at, up_to_seq, version } = read;
  const reads = [...state.reads, { reader, read_at, up_to_seq, version }];
  return { ...state, reads: reads.sort((a, b) => a.version - b.version) };
}

/** Applies the fan's press of a reaction. A second press removes it. */
export function pressReaction(
  state: ThreadState,
  messageId: string,
  emoji: ReactionEmoji,
  fanId: string,
): ThreadState {
  const held = state.snapshots.get(messageId);
  if (!held || state.ownReactions.has(messageId)) return state;
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

function readAtOf(state: ThreadState, { message, version }: Snapshot, fanId: string) {
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

function asShown(state: ThreadState, snapshot: Snapshot, fanId: string): FanVisibleMessage {
  const { message } = snapshot;
  const read_at = readAtOf(state, snapshot, fanId);
  const reactions = reactionsOf(state, message, fanId);
  if (read_at === message.read_at && reactions === message.reactions) return message;
  const before = made.get(snapshot);
  if (before?.read_at === read_at && before.reactions === reactions) return before;
  const shown = { ...message, read_at, reactions };
  made.set(snapshot, shown);
  return shown;
}

/** The shown part of a conversation. */
export interface Shown {
  /** Ascending by `seq`, without a gap. */
  readonly messages: readonly FanVisibleMessage[];
  readonly hasMore: boolean;
  /** Whether messages are missing between these and newer known ones. */
  readonly hasGap: boolean;
}

/** Returns the current messages that are connected to the newest page without a gap. */
export function shownOf(state: ThreadState, fanId: string): Shown {
  if (state.anchor === null) return { messages: [], hasMore: false, hasGap: false };
  const all = [...state.snapshots.values()].sort((a, b) => a.message.seq - b.message.seq);
  const anchor = state.anchor;
  const at = all.findLastIndex(({ message }) => message.seq <= anchor);
  let from = Math.max(at, 0);
  let to = from;
  const seq = (index: number) => all[index]?.message.seq ?? Number.NaN;
  while (from > 0 && seq(from - 1) === seq(from) - 1) from -= 1;
  while (to + 1 < all.length && seq(to + 1) === seq(to) + 1) to += 1;
  const run = all.slice(from, to + 1);
  return {
    messages: run.map((snapshot) => asShown(state, snapshot, fanId)),
    hasMore: (run[0]?.message.seq ?? 1) > 1,
    hasGap: to + 1 < all.length || (run.length === 0 && all.length > 0),
  };
}
