import type { ServerEventName } from '@stagedoor/contract/realtime';
import type { Query, QueryCacheNotifyEvent, QueryClient } from '@tanstack/react-query';
import { ApiError, isRateLimited } from '../../lib/server/api.ts';
import { createEventOrder } from '../../lib/server/event-order.ts';
import { createPersistence } from '../../lib/server/persist.ts';
import type { KeyPrefix } from '../../lib/server/query-keys.ts';
import type { Thread } from '../../messaging/messages/cache.ts';
import { type LoadedSpan, refreshThread, threadIn } from '../../messaging/messages/queries.ts';
import type { Sender } from '../../messaging/messages/sender.ts';
import { recheckAdmin } from '../../team/auth/queries.ts';
import type { EventTools } from './event-tools.ts';
import {
  knownConversation,
  mergeFirstPages,
  putConversation,
  refreshConversation,
} from './live-inbox.ts';
import { createRecentEvents } from './recent-events.ts';
import { applyEvent, positionOf, type ReceivedEvent } from './server-events.ts';

const RECONNECT_REFRESH_DEBOUNCE_MS = 2_000;
const SOON_MS = 1_000;
/** How long unknown conversations are collected before they are looked up together. Milliseconds. */
const UNKNOWN_LOOKUP_MS = 300;
/** The maximum number of unknown conversations to fetch one by one. The rest appear when their pages are loaded. */
const MOST_LOOKUPS = 20;
/** Milliseconds before a failed refetch of visible data is retried. Later events would not repair that data. */
const FAILED_RETRY_MS = 5_000;

/**
 * Queries that a reconnect does not refetch: conversations, which are refreshed one by one, data that no event changes, and data
 * that only this browser has.
 */
const NOT_REFETCHED: ReadonlySet<unknown> = new Set([
  'conversation',
  ...['auth', 'notifications', 'profileNotes', 'products', 'folders', 'fruits'],
  ...['messageSearch', 'invites', 'audit', 'platform'],
  ...['failedAction', 'notice', 'kept'],
]);

/** Keeps cached data as current as a fresh fetch would. */
export interface LiveCache {
  receive: (name: ServerEventName, payload: unknown) => void;
  refresh: () => void;
  /** Calls {@link LiveCache.refresh} once for any number of calls in quick succession. */
  refreshSoon: () => void;
  /** Starts the updates. Returns a function that stops them. */
  start: () => () => void;
}

/** Logs a failure of background work instead of showing it. */
async function inBackground(what: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isRateLimited(error)) console.error(what, error);
  }
}

/** Runs `work` once there has been no call for `ms` milliseconds. */
function createDebounce(ms: number, work: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    call() {
      clearTimeout(timer);
      timer = setTimeout(work, ms);
    },
    cancel: () => clearTimeout(timer),
  };
}

/**
 * Runs `work` `ms` milliseconds after the first call. All calls until then share that run, and runs never overlap. If each call
 * restarted the delay or the work, the work might never finish on a slow connection.
 */
function createThrottle(ms: number, work: () => Promise<unknown>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isDue = false;
  async function run(): Promise<void> {
    timer = undefined;
    isRunning = true;
    await work();
    isRunning = false;
    if (isDue) call();
  }
  function call(): void {
    isDue = isRunning;
    if (!isRunning) timer ??= setTimeout(() => void run(), ms);
  }
  return {
    call,
    cancel() {
      clearTimeout(timer);
      timer = undefined;
      isDue = false;
    },
  };
}

/**
 * Returns whether outdated inbox data stays visible after its refetch failed. A list without data shows an error with Retry
 * instead.
 */
function isLeftStale({ queryKey, state }: Query): boolean {
  const [scope, part] = queryKey;
  const isShownStill = state.data !== undefined || part === 'stats';
  return scope === 'inbox' && isShownStill && state.isInvalidated && state.fetchStatus === 'idle';
}

export function createLiveCache(options: {
  client: QueryClient;
  adminId: string;
  sender: Sender;
}): LiveCache {
  const { client, adminId, sender } = options;
  const cache = client.getQueryCache();
  const recent = createRecentEvents(client, adminId);
  const fetchStarts = new WeakMap<Query, number>();
  /**
   * Invalidated queries that have not been refetched yet. Needed because canceling a fetch restores the query's state from before
   * that fetch, when it may not have been invalidated.
   */
  const owed = new WeakSet<Query>();
  /** Queries invalidated during their first fetch. That fetch is not restarted; the query is refetched after it. */
  const oldAtFirst = new WeakSet<Query>();
  /** Conversations that are not cached but had events, with the newest version in those events. */
  const unknown = new Map<string, number>();
  const persistence = createPersistence();

  const refetches = new Map<string, ReturnType<typeof createThrottle>>();
  const refreshAll = createDebounce(RECONNECT_REFRESH_DEBOUNCE_MS, refresh);
  const lookup = createThrottle(UNKNOWN_LOOKUP_MS, () =>
    untilDone('new conversations', lookUpUnknown),
  );
  const failed = createThrottle(FAILED_RETRY_MS, () =>
    inBackground(
      'Failed to refresh the inbox',
      client.refetchQueries({
        queryKey: ['inbox'],
        type: 'active',
        predicate: isLeftStale,
      }),
    ),
  );

  const tools: EventTools = {
    client,
    adminId,
    sender,
    onGap: fill,
    latestVersion: (id) => order.latest(id),
    onUnknown(id, version) {
      unknown.set(id, Math.max(version, unknown.get(id) ?? 0));
      lookup.call();
    },
    onUnseen: recent.unseen,
    withTags: recent.withTags,
    onConversation: recent.conversation,
    onRemoved: recent.removed,
    onTag: recent.tag,
    refetch,
    refetchSoon,
    onStaffChanged: refreshAll.call,
  };

  const order = createEventOrder<ReceivedEvent>({
    cachedVersion(id) {
      const row = knownConversation(client, id)?.version;
      const thread = threadIn(client, id)?.version ?? row;
      // The row and the thread may have different versions. The older of the two still needs the events in between.
      return thread && Math.min(thread, row ?? thread);
    },
    deliver: (event) => applyEvent(event, tools),
    onGap: fill,
  });

  /** Repeats a fetch until it succeeds, because later events don't repair missed data. */
  function untilDone(what: string, work: () => Promise<unknown>): Promise<void> {
    return inBackground(`Failed to refresh ${what}`, persistence.run(what, work));
  }

  function again(what: string, work: () => Promise<unknown>): void {
    void untilDone(what, work);
  }

  function fill(id: string): void {
    again(`the conversation ${id}`, () => Promise.all([refreshThread(client, id), refreshOne(id)]));
    refetch(['conversation', id, 'span']);
  }

  function refetched(queryKey: KeyPrefix): Promise<void> {
    return untilDone(JSON.stringify(queryKey), () =>
      client.invalidateQueries({ queryKey }, { throwOnError: true }),
    );
  }

  function refetch(queryKey: KeyPrefix): void {
    void refetched(queryKey);
  }

  function refetchSoon(queryKey: KeyPrefix): void {
    const name = JSON.stringify(queryKey);
    // Throttled, because a debounce would never run while events keep coming.
    const due = refetches.get(name) ?? createThrottle(SOON_MS, () => refetched(queryKey));
    refetches.set(name, due);
    due.call();
  }

  async function lookUpUnknown(): Promise<void> {
    const wanted = [...unknown];
    const since = Date.now();
    for (const conversation of await mergeFirstPages(client, adminId))
      recent.conversation(conversation);
    correct(since);
    const missing = wanted.filter(([id, version]) => !showKnown(id, version));
    for (const [id] of missing.slice(0, MOST_LOOKUPS)) await refreshIfThere(id);
    for (const [id, version] of wanted) if (unknown.get(id) === version) unknown.delete(id);
  }

  /** Applies the events since `since`, the start of a fetch, to the fetched data. */
  function correct(since: number): void {
    recent.correct(since);
    for (const id of recent.outdated(since)) again(`the row of ${id}`, () => refreshIfThere(id));
  }

  /** Shows the cached conversation in the lists. Returns false if it is not cached, or older than `version`. */
  function showKnown(id: string, version: number): boolean {
    const known = knownConversation(client, id);
    if (known === null || known.version < version) return false;
    putConversation(client, adminId, known, null);
    return true;
  }

  async function refreshOne(id: string): Promise<void> {
    const since = Date.now();
    await refreshConversation(client, adminId, id);
    correct(since);
    const known = knownConversation(client, id);
    if (known !== null) recent.conversation(known);
  }

  async function refreshIfThere(id: string): Promise<void> {
    try {
      await refreshOne(id);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }

  function refresh(): void {
    recent.dropTags();
    recheckAdmin(client);
    // Read from the cache, so that no kind of data is left out.
    const scopes = new Set(cache.getAll().map(({ queryKey: [scope] }) => scope));
    for (const scope of scopes) if (!NOT_REFETCHED.has(scope)) refetch([scope] as KeyPrefix);
    const threads = cache.findAll({ queryKey: ['conversation'] });
    for (const query of threads) {
      const [, id, part, around] = query.queryKey as readonly string[];
      if (id === undefined || part === 'outbox') continue;
      // An inactive conversation stays cached, and is refetched when it is opened.
      if (!query.isActive() && part === undefined) query.invalidate();
      // Not `isActive`, which is false for a page of older messages that is loading: its query is disabled.
      else if (query.getObserversCount() === 0) cache.remove(query);
      else if (part === 'messages') fill(id);
      // This also refetches the notes around a message that was jumped to, because their keys begin with this key.
      else if (part === 'notes' && around === undefined) refetch(query.queryKey);
    }
  }

  /** Repairs a response that is older than events received during the fetch: lists get the newer states, threads are refetched. */
  function catchUp(query: Query): void {
    const [scope, id, part] = query.queryKey as readonly string[];
    const since = fetchStarts.get(query) ?? 0;
    if (scope === 'inbox' || (scope === 'conversation' && part === undefined)) correct(since);
    if (scope !== 'conversation' || id === undefined) return;
    const latest = Math.max(order.latest(id), knownConversation(client, id)?.version ?? 0);
    const isOld = ({ version }: { version: number }) => version < latest;
    if (part === 'messages' && isOld(query.state.data as Thread)) fill(id);
    if (part === 'span' && (query.state.data as LoadedSpan).pages.some(isOld))
      refetch(query.queryKey);
  }

  function onQueryEvent(event: QueryCacheNotifyEvent): void {
    if (event.type !== 'updated') return;
    if (event.action.type === 'fetch') fetchStarts.set(event.query, Date.now());
    if (event.action.type === 'invalidate') {
      owed.add(event.query);
      const { data, fetchStatus } = event.query.state;
      if (data === undefined && fetchStatus === 'fetching') oldAtFirst.add(event.query);
    }
    if (event.action.type === 'setState' && owed.has(event.query)) event.query.invalidate();
    // Our own writes to the cache count as successes too, but only responses can be out of date.
    if (event.action.type === 'success' && event.action.manual !== true) {
      owed.delete(event.query);
      catchUp(event.query);
      if (oldAtFirst.delete(event.query)) refetch(event.query.queryKey);
    }
    if (event.action.type === 'error' && isLeftStale(event.query)) failed.call();
  }

  return {
    receive(name, payload) {
      const event = { name, payload };
      const position = positionOf(event);
      if (position) order.accept(position.id, position.version, event);
      else applyEvent(event, tools);
    },
    refresh,
    refreshSoon: refreshAll.call,
    start() {
      const stopQueries = cache.subscribe(onQueryEvent);
      const stopRecent = recent.start();
      return () => {
        persistence.stop();
        stopQueries();
        stopRecent();
        for (const delay of [...refetches.values(), refreshAll, lookup, failed]) delay.cancel();
        order.clear();
      };
    },
  };
}
