import { type Conversation, getConversation } from '@stagedoor/contract/inbox/conversations';
import {
  listMessages,
  MESSAGE_PAGE_MAX,
  MESSAGE_PAGE_SIZE,
  type MessagePage,
} from '@stagedoor/contract/messaging/messages';
import { listTips, type ThreadTip } from '@stagedoor/contract/selling/tips';
import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { call } from '../../lib/server/api.ts';
import { patchQueries, patchQuery } from '../../lib/server/patch-queries.ts';
import { addOlderPage, mergePages, type Thread, threadOf } from './cache.ts';
import { EMPTY_OUTBOX, type Outbox } from './outbox.ts';

const HOUR_MS = 3_600_000;

/** The maximum number of fetches while newer events keep arriving. The last response is used even if it is outdated. */
const REFRESH_TRIES = 4;
/** The number of messages per older page. Larger than the first page, because scrolling up usually continues. */
const OLDER_PAGE_SIZE = 100;
/** The maximum number of pages to refetch. Older messages load again when they are scrolled to. */
const REFRESH_PAGES = 6;

export async function fetchConversation(id: string, signal?: AbortSignal): Promise<Conversation> {
  return (await call(getConversation, { params: { id }, signal })).data;
}

/** Returns the query for one conversation. Live events keep it current. */
export const conversationOptions = (id: string) =>
  queryOptions({
    queryKey: ['conversation', id],
    queryFn: ({ signal }) => fetchConversation(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Returns the query for the fan's tips. Events refetch them. */
export const tipsOptions = (id: string) =>
  queryOptions({
    queryKey: ['fan', id, 'tips'],
    queryFn: async ({ signal }): Promise<ThreadTip[]> =>
      (await call(listTips, { params: { id }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

function fetchPage(
  id: string,
  {
    before,
    limit = MESSAGE_PAGE_SIZE,
    signal,
  }: { before?: string; limit?: number; signal?: AbortSignal } = {},
): Promise<MessagePage> {
  const query = { limit, ...(before === undefined ? {} : { before }) };
  return call(listMessages, { params: { id }, query, signal });
}

/** Returns the query for a conversation's newest messages. {@link loadOlder} and live events add to them. */
export const threadOptions = (id: string) =>
  queryOptions({
    queryKey: ['conversation', id, 'messages'],
    queryFn: async ({ signal }): Promise<Thread> => threadOf(await fetchPage(id, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    // The cache functions already keep unchanged objects.
    structuralSharing: false,
  });

/** Returns the query for a conversation's unconfirmed messages, which are never fetched and exist only in this page. */
export const outboxOptions = (id: string) =>
  queryOptions({
    queryKey: ['conversation', id, 'outbox'],
    queryFn: () => EMPTY_OUTBOX,
    initialData: EMPTY_OUTBOX,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 24 * HOUR_MS,
    structuralSharing: false,
  });

/** Updates a conversation's messages, if they are loaded. */
export function updateThread(
  client: QueryClient,
  id: string,
  update: (thread: Thread) => Thread,
): void {
  patchQuery(client, ['conversation', id, 'messages'], update);
}

/** The pages loaded around a message that was jumped to, without gaps, oldest first. */
export type LoadedSpan = InfiniteData<SpanPage, SpanParam>;

/** A page of messages, shaped like the {@link Thread} of the newest ones. */
export interface SpanPage extends Thread {
  has_newer: boolean;
}

export type SpanParam = { around: string } | { before: string } | { after: string };

/** Updates the messages loaded around a message that was jumped to. New messages only appear there by loading more pages. */
export function updateSpans(
  client: QueryClient,
  id: string,
  update: (thread: Thread) => Thread,
): void {
  patchQueries<LoadedSpan>(client, { queryKey: ['conversation', id, 'span'] }, (data) => ({
    ...data,
    pages: data.pages.map((page) => ({ ...page, ...update(page) })),
  }));
}

/** Updates messages in the thread and in all loaded spans. */
export function changeMessages(
  client: QueryClient,
  id: string,
  change: (thread: Thread) => Thread,
): void {
  updateThread(client, id, change);
  updateSpans(client, id, change);
}

/** Updates a conversation's unconfirmed messages. */
export function updateOutbox(
  client: QueryClient,
  id: string,
  update: (outbox: Outbox) => Outbox,
): void {
  const query = client.getQueryCache().build(client, client.defaultQueryOptions(outboxOptions(id)));
  query.setData(update(query.state.data ?? EMPTY_OUTBOX), { manual: true });
}

/** Returns a conversation's unconfirmed messages. */
export function outboxIn(client: QueryClient, id: string): Outbox {
  return client.getQueryData(outboxOptions(id).queryKey) ?? EMPTY_OUTBOX;
}

/**
 * Returns a conversation's unconfirmed messages, and re-renders synchronously when they change. `useQuery` re-renders in a later
 * task, so it would show a message one frame after Enter is pressed.
 */
export function useOutbox(id: string): Outbox {
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  );
  return useSyncExternalStore(subscribe, () => outboxIn(client, id));
}

/** Returns the loaded messages of a conversation, or null. */
export function threadIn(client: QueryClient, id: string): Thread | null {
  return client.getQueryData<Thread>(['conversation', id, 'messages']) ?? null;
}

/**
 * Loads the page before the oldest loaded message. Requests it again if newer events arrived during the request, because they
 * may concern messages that were not loaded yet.
 */
export async function loadOlder(
  client: QueryClient,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 0; tries < REFRESH_TRIES; tries += 1) {
    const thread = threadIn(client, id);
    const before = thread?.messages[0]?.id;
    if (!thread?.has_more || before === undefined) return;
    const page = await fetchPage(id, { before, limit: OLDER_PAGE_SIZE, signal });
    const isCurrent = page.version >= (threadIn(client, id)?.version ?? 0);
    if (isCurrent || tries === REFRESH_TRIES - 1) {
      updateThread(client, id, (current) => addOlderPage(current, before, page));
      return;
    }
  }
}

async function fetchLoaded(id: string, thread: Thread): Promise<MessagePage[]> {
  const oldest = thread.messages[0]?.seq ?? 0;
  const limit = Math.min(MESSAGE_PAGE_MAX, Math.max(MESSAGE_PAGE_SIZE, thread.messages.length));
  const pages = [await fetchPage(id, { limit })];
  while (pages.length < REFRESH_PAGES) {
    const last = pages.at(-1);
    const first = last?.data[0];
    if (!last?.has_more || !first || first.seq <= oldest) break;
    pages.push(await fetchPage(id, { before: first.id, limit }));
  }
  return pages;
}

/** The conversations being refreshed, and whether another refresh was requested in the meantime. */
const refreshing = new WeakMap<QueryClient, Map<string, boolean>>();

/** Refetches a conversation's loaded messages, and merges in the events that arrive during the fetch. */
export async function refreshThread(client: QueryClient, id: string): Promise<void> {
  const running = refreshing.get(client) ?? new Map<string, boolean>();
  refreshing.set(client, running);
  if (running.has(id)) {
    // Makes the running refresh fetch again: it may have read the messages before the change that caused this call.
    running.set(id, true);
    return;
  }
  try {
    do {
      running.set(id, false);
      await refetchThread(client, id);
    } while (running.get(id));
  } finally {
    running.delete(id);
  }
}

async function refetchThread(client: QueryClient, id: string): Promise<void> {
  for (let tries = 1; tries <= REFRESH_TRIES; tries += 1) {
    const thread = threadIn(client, id);
    if (!thread) return;
    const pages = await fetchLoaded(id, thread);
    const current = threadIn(client, id);
    const isCurrent = pages.every(({ version }) => version >= (current?.version ?? 0));
    if (!isCurrent && tries < REFRESH_TRIES) continue;
    const oldest = thread.messages[0]?.seq;
    updateThread(client, id, (held) => mergePages(held, pages, oldest));
    return;
  }
}
