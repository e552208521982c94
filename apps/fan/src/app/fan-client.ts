import type { FanVisibleMessage, ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import {
  type FanHome,
  getFanHome,
  listOwnMessages,
  reactAsFan,
  readOwnMessages,
} from '@stagedoor/contract/platform/fan-app';
import { lasting, type Outbox, type PendingMessage } from '../features/composer/state.ts';
import { textOnly } from '../features/thread/message-text.ts';
import {
  applyKept,
  applyNewestPage,
  applyPage,
  oldestOf,
  pressReaction,
  settleReaction,
} from '../features/thread/state.ts';
import { ApiError, call } from '../lib/api.ts';
import { COPY } from '../lib/session.ts';
import { connectLive, type Live } from '../lib/socket.ts';
import { createStore, type Store } from '../lib/store.ts';
import { isFramed, stored, storedJson } from '../lib/stored.ts';
import { applyEvent, eventOf, type FanState, INITIAL, shownIn } from './fan-state.ts';
import { createSender, type Sender } from './sender.ts';

/** A fan's session in this tab: its state and actions. */
export interface FanClient extends Pick<Sender, 'send' | 'retry' | 'discard'> {
  readonly store: Store<FanState>;
  /** Fetches everything that the client may have missed. Retries failures itself and never rejects. */
  catchUp: () => Promise<void>;
  /** Loads the previous page. Returns whether that succeeded. */
  loadOlder: () => Promise<boolean>;
  /** Toggles the fan's reaction. @throws ApiError if the server does not confirm it */
  react: (messageId: string, emoji: ReactionEmoji) => Promise<void>;
  markRead: (upToId: string) => Promise<void>;
  /** Connects and fetches the conversation. @returns a function that disconnects */
  start: () => () => void;
}

const PAGE = 200;
/** The maximum number of pages to fetch when catching up, in addition to the newest page. */
const MAX_PAGES = 10;
/** The delay before a failed fetch is retried. Milliseconds. */
const RETRY_MS = 5_000;

/** Pending messages by fan id, with their files, which can't be stored. The fan's next session on this page sends them. */
const pendingHere = new Map<string, readonly PendingMessage[]>();

export function createFanClient(token: string): FanClient {
  const store = createStore<FanState>(INITIAL);
  const sender = createSender(store);
  let isClosed = true;
  let live: Live | null = null;
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  let older: Promise<boolean> | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;

  const copy = keptCopy();
  if (copy !== null) {
    store.update((state) => ({
      ...state,
      home: { tips: [], ...copy.home },
      thread: applyKept(state.thread, copy.messages),
      load: 'kept',
    }));
    takePending(copy.home.fan.id);
  }

  function takePending(fanId: string): void {
    sender.restore([...(pendingHere.get(fanId) ?? []), ...storedPending(fanId)]);
  }

  async function fetchNewest(): Promise<void> {
    const state = store.get();
    const isFirst = state.load !== 'loaded';
    const oldest = isFirst ? Number.POSITIVE_INFINITY : (shownIn(state).messages[0]?.seq ?? 1);
    const [{ data: home }, newest] = await Promise.all([call(getFanHome), call(listOwnMessages)]);
    const olderPages: { page: typeof newest; before: number }[] = [];
    let last = newest;
    while (olderPages.length < MAX_PAGES && last.has_more) {
      const before = oldestOf(last);
      if (before === null || before.seq <= oldest) break;
      last = await call(listOwnMessages, { query: { limit: PAGE, before: before.id } });
      olderPages.push({ page: last, before: before.seq });
    }
    if (isClosed) return;
    store.update((held) => ({
      ...held,
      home,
      thread: olderPages.reduce(
        (thread, { page, before }) => applyPage(thread, page, before),
        applyNewestPage(held.thread, newest),
      ),
      load: 'loaded',
    }));
    if (state.home === null) takePending(home.fan.id);
  }

  function catchUp(): Promise<void> {
    if (isClosed) return Promise.resolve();
    if (running !== null) {
      isAskedAgain = true;
      return running;
    }
    clearTimeout(again);
    running = fetchNewest()
      .catch((error: unknown) => {
        const isOver = error instanceof ApiError && error.status === 401;
        if (isClosed || isOver) return;
        store.update((state) => (state.load === 'loading' ? { ...state, load: 'failed' } : state));
        again = setTimeout(() => void catchUp(), RETRY_MS);
      })
      .finally(() => {
        running = null;
        if (isAskedAgain) {
          isAskedAgain = false;
          void catchUp();
        }
      });
    return running;
  }

  const connection = (to: FanState['connection']) =>
    store.update((state) => (state.connection === to ? state : { ...state, connection: to }));
  /** The state at the last call of `keep`, which stores what the next visit needs. */
  let kept = store.get();
  function keep(): void {
    const state = store.get();
    if (state.home !== null && kept.home !== null && state.outbox.pending !== kept.outbox.pending)
      keepPending(state.home.fan.id, state.outbox, kept.outbox);
    if (state.home !== null && state.load === 'loaded' && state.thread !== kept.thread)
      keepCopy(state.home, shownIn(state).messages);
    kept = state;
    if (state.load === 'loaded' && shownIn(state).hasGap) void catchUp();
  }

  const onBack = () => {
    if (document.visibilityState === 'hidden') return;
    live?.nudge();
    void catchUp();
    sender.nudge();
  };
  const onOffline = () => connection('lost');

  function start(): () => void {
    isClosed = false;
    sender.open();
    const stopKeeping = store.subscribe(keep);
    const opened = connectLive(token, {
      onEvent(name, payload) {
        store.update((state) => applyEvent(state, eventOf(name, payload)));
        // A fetch that is already running may return the creator's old name or picture.
        if (name === 'tips_changed' || (name === 'creator_updated' && running !== null))
          void catchUp();
      },
      onConnected() {
        connection('live');
        sender.nudge();
        // Catches up even during the first load, whose response may predate this connection.
        void catchUp();
      },
      onLost: () => connection('lost'),
      // If the session is over, this fetch gets a 401 response, which signs the fan out.
      onRefused: () => void catchUp(),
    });
    live = opened;
    window.addEventListener('online', onBack);
    window.addEventListener('offline', onOffline);
    document.addEventListener('visibilitychange', onBack);
    void catchUp();
    return () => {
      isClosed = true;
      clearTimeout(again);
      stopKeeping();
      opened.close();
      sender.close();
      window.removeEventListener('online', onBack);
      window.removeEventListener('offline', onOffline);
      document.removeEventListener('visibilitychange', onBack);
    };
  }

  async function fetchOlder(): Promise<boolean> {
    const { oldest } = shownIn(store.get());
    if (oldest === null) return false;
    try {
      const page = await call(listOwnMessages, { query: { before: oldest.id } });
      store.update((state) => ({ ...state, thread: applyPage(state.thread, page, oldest.seq) }));
      return true;
    } catch {
      return false;
    } finally {
      older = null;
    }
  }

  return {
    store,
    send: sender.send,
    retry: sender.retry,
    discard: sender.discard,
    catchUp,
    loadOlder() {
      older ??= fetchOlder();
      return older;
    },
    async react(messageId, emoji) {
      const fanId = store.get().home?.fan.id ?? '';
      // Ignores a press while another is being saved, because their responses could arrive out of order.
      if (store.get().thread.ownReactions.has(messageId)) return;
      const set = (change: (thread: FanState['thread']) => FanState['thread']) =>
        store.update((state) => ({ ...state, thread: change(state.thread) }));
      set((thread) => pressReaction(thread, messageId, emoji, fanId));
      try {
        await call(reactAsFan, { body: { message_id: messageId, emoji } });
        set((thread) => settleReaction(thread, messageId, true));
        if (store.get().connection !== 'live') void catchUp();
      } catch (error) {
        set((thread) => settleReaction(thread, messageId, false));
        throw error;
      }
    },
    async markRead(upToId) {
      await call(readOwnMessages, { body: { up_to_message_id: upToId } });
      if (store.get().connection !== 'live') void catchUp();
    },
    start,
  };
}

const pendingKey = (fanId: string) => `unsent.${fanId}`;
const storedPending = (fanId: string) => storedJson<PendingMessage[]>(pendingKey(fanId)) ?? [];

function keepPending(fanId: string, outbox: Outbox, before: Outbox): void {
  pendingHere.set(fanId, outbox.pending);
  const own = new Set([...before.pending, ...outbox.pending].map(({ clientId }) => clientId));
  // The fan's other tabs store their messages under the same key.
  const others = storedPending(fanId).filter(({ clientId }) => !own.has(clientId));
  stored.set(pendingKey(fanId), JSON.stringify([...others, ...lasting(outbox)]));
}

/** The number of messages to store. */
const KEPT_MESSAGES = 40;

/** The stored copy of a conversation for offline use: texts only, until the session ends. */
interface KeptCopy {
  /** Copies stored by earlier versions have no tips. */
  home: Omit<FanHome, 'tips'> & Partial<Pick<FanHome, 'tips'>>;
  messages: FanVisibleMessage[];
}

function keepCopy(home: FanHome, messages: readonly FanVisibleMessage[]): void {
  if (isFramed) return;
  const texts = messages.slice(-KEPT_MESSAGES).map(textOnly);
  stored.set(COPY, JSON.stringify({ home, messages: texts } satisfies KeptCopy));
}

function keptCopy(): KeptCopy | null {
  return storedJson<KeptCopy>(COPY);
}
