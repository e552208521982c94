import type { Message, MessagePage } from '@stagedoor/contract/messaging/messages';
import type { ServerEvent } from '@stagedoor/contract/realtime';

/** A message with the conversation version it was last updated at. Older updates are dropped. */
export interface ThreadMessage extends Message {
  version: number;
}

/** The loaded messages of a conversation: the newest ones without a gap, ascending by `seq`. */
export interface Thread {
  messages: readonly ThreadMessage[];
  /** Whether older messages exist that are not loaded. */
  has_more: boolean;
  /** The highest version seen in a fetch or an event. */
  version: number;
}

function stamp(page: MessagePage): ThreadMessage[] {
  return page.data.map((message) => ({ ...message, version: page.version }));
}

/** Returns the thread of a first page. */
export function threadOf(page: MessagePage): Thread {
  return { messages: stamp(page), has_more: page.has_more, version: page.version };
}

/** Returns the `seq` of the newest loaded message, or 0 if there is none. */
export function newestSeq(thread: Thread): number {
  return thread.messages.at(-1)?.seq ?? 0;
}

/**
 * Inserts a message in `seq` order. If it is already loaded, replaces it only if the version is newer. A confirmation has no
 * version, so it never replaces a loaded message.
 */
export function addMessage(thread: Thread, message: Message, version = 0): Thread {
  const next = { ...thread, version: Math.max(thread.version, version) };
  const held = thread.messages.find(({ id }) => id === message.id);
  const oldest = thread.messages[0]?.seq;
  if (held) {
    if (held.version >= version) return next;
    return {
      ...next,
      messages: thread.messages.map((m) => (m === held ? { ...message, version } : m)),
    };
  }
  // Messages before the oldest loaded message are loaded with their page.
  if (oldest !== undefined && message.seq < oldest && thread.has_more) return next;
  const index = thread.messages.findLastIndex(({ seq }) => seq < message.seq) + 1;
  return { ...next, messages: thread.messages.toSpliced(index, 0, { ...message, version }) };
}

/** Applies an event to the messages that it concerns, if their version is older, and stores the event's version. */
function change(
  thread: Thread,
  version: number,
  concerns: (message: ThreadMessage) => boolean,
  apply: (message: ThreadMessage) => Partial<Message>,
): Thread {
  const messages = thread.messages.map((message) =>
    message.version < version && concerns(message)
      ? { ...message, ...apply(message), version }
      : message,
  );
  return { ...thread, messages, version: Math.max(thread.version, version) };
}

/** Sets a user's reaction, replacing an earlier one, or removes it. */
export function applyReaction(thread: Thread, event: ServerEvent<'reaction_toggled'>): Thread {
  return change(
    thread,
    event.version,
    ({ id }) => id === event.message_id,
    ({ reactions }) => {
      const others = reactions.filter(({ user_id }) => user_id !== event.user_id);
      return { reactions: event.action === 'added' ? [...others, event.reaction] : others };
    },
  );
}

type ReadEvent = Pick<ServerEvent<'message_read'>, 'up_to_seq' | 'version'> & {
  read_at?: string | undefined;
};

function applyRead(
  thread: Thread,
  event: ReadEvent,
  isFromFan: boolean,
  now: () => string,
): Thread {
  const { up_to_seq, version } = event;
  const readAt = event.read_at || now();
  return change(
    thread,
    version,
    // Never replaces a read time with a later one.
    ({ seq, author, read_at }) =>
      seq <= up_to_seq &&
      (author === null) === isFromFan &&
      (read_at === null || Date.parse(readAt) < Date.parse(read_at)),
    () => ({ read_at: readAt }),
  );
}

const currentTime = () => new Date().toISOString();

/** Marks the fan's messages as read by staff. If the event has no time, the current time is used. */
export function applyMessageRead(thread: Thread, event: ReadEvent, now = currentTime): Thread {
  return applyRead(thread, event, true, now);
}

/**
 * Applies the response to the viewer's own read call. Keeps the version, so that the event still applies if it arrives later.
 */
export function applyOwnRead(thread: Thread, upToId: string, readAt: string): Thread {
  const upTo = thread.messages.find(({ id }) => id === upToId)?.seq ?? 0;
  return {
    ...thread,
    messages: thread.messages.map((message) =>
      message.author === null && message.read_at === null && message.seq <= upTo
        ? { ...message, read_at: readAt }
        : message,
    ),
  };
}

/** Marks the creator's messages as read by the fan. */
export function applyFanRead(thread: Thread, event: ReadEvent): Thread {
  return applyRead(thread, event, false, currentTime);
}

/** Removes the content of an unsent message, also from quotes of it. */
export function applyUnsent(
  thread: Thread,
  { message_id, unsent, version }: ServerEvent<'message_unsent'>,
): Thread {
  return change(
    thread,
    version,
    ({ id, reply_to_message_id }) => id === message_id || reply_to_message_id === message_id,
    ({ id, reply_to }) =>
      id === message_id
        ? {
            content: '',
            attachments: [],
            reactions: [],
            reply_to_message_id: null,
            reply_to: null,
            read_at: unsent.at,
            unsent,
          }
        : { reply_to: reply_to && { ...reply_to, content: '', attachments: [], is_unsent: true } },
  );
}

/** Updates every message that carries a product when the fan buys it or is refunded. */
export function applyOwnership(
  thread: Thread,
  { product_id, purchased_at, version }: ServerEvent<'purchase_recorded' | 'purchase_refunded'>,
): Thread {
  return change(
    thread,
    version,
    ({ attachments }) => attachments.some((attachment) => attachment.product_id === product_id),
    ({ attachments }) => ({
      attachments: attachments.map((attachment) =>
        attachment.product_id === product_id ? { ...attachment, purchased_at } : attachment,
      ),
    }),
  );
}

/** Stores the version of an event that changes no message. */
export function noteVersion(thread: Thread, version: number): Thread {
  return thread.version >= version ? thread : { ...thread, version };
}

/** Prepends the page before the message `before`. Drops the page if `before` is no longer the oldest message. */
export function addOlderPage(thread: Thread, before: string, page: MessagePage): Thread {
  if (thread.messages[0]?.id !== before) return thread;
  return { ...thread, messages: [...stamp(page), ...thread.messages], has_more: page.has_more };
}

/**
 * Replaces the loaded messages with freshly fetched pages, newest page first and without gaps. Keeps new messages and changes
 * from events that are newer than the fetched pages. Also keeps older messages that were loaded during the fetch, unless
 * they are outdated or there is a gap.
 * @param oldest the `seq` of the oldest message when the fetch began
 */
export function mergePages(
  thread: Thread,
  pages: readonly MessagePage[],
  oldest = Number.NEGATIVE_INFINITY,
): Thread {
  const [newest, ...older] = pages;
  if (!newest) return thread;
  const fetched = [...older].reverse().flatMap(stamp).concat(stamp(newest));
  const held = new Map(thread.messages.map((message) => [message.id, message]));
  const current = fetched.map((message) => {
    const known = held.get(message.id);
    return known && known.version > message.version ? known : message;
  });
  const begin = fetched[0]?.seq ?? Number.POSITIVE_INFINITY;
  const joined = thread.messages.filter(({ seq }) => seq < begin);
  const staysJoined =
    begin <= oldest &&
    joined.length > 0 &&
    joined.every(({ version }) => version >= newest.version);
  const end = fetched.at(-1)?.seq ?? 0;
  const arrived = thread.messages.filter(
    (message) => message.seq > end && (message.version > newest.version || message.version === 0),
  );
  return {
    messages: [...(staysJoined ? joined : []), ...current, ...arrived],
    has_more: staysJoined ? thread.has_more : (pages.at(-1) ?? newest).has_more,
    version: Math.max(thread.version, newest.version),
  };
}
