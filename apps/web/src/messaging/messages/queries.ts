import { type Conversation, getConversation } from '@stagedoor/contract/inbox/conversations';
import {
  listMessages,
  MESSAGE_PAGE_MAX,
  MESSAGE_PAGE_SIZE,
  type MessagePage,
} from '@stagedoor/contract/messaging/messages';
import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { patchQueries } from '../../lib/server/patch-queries.ts';
import { addOlderPage, mergePages, type Thread, threadOf } from './cache.ts';
import { EMPTY_OUTBOX, type Outbox } from './outbox.ts';

/** The keys under which conversations are cached. */
export const conversationKeys = {
  all: ['conversation'] as const,
  one: (id: string) => ['conversation', id] as const,
  thread: (id: string) => ['conversation', id, 'messages'] as const,
  outbox: (id: string) => ['conversation', id, 'outbox'] as const,
  /** Messages around one that was jumped to. */
  spans: (id: string) => ['conversation', id, 'span'] as const,
  span: (id: string, messageId: string) => ['conversation', id, 'span', messageId] as const,
};

const HOUR_MS = 3_600_000;

/** A refetch is asked again this often when events overtook its answer, and then taken as it is. */
const REFRESH_TRIES = 4;
/** Who scrolls up goes on scrolling up: older pages are larger than the first. */
const OLDER_PAGE_SIZE = 100;
/** More than this is not fetched again: what is older is loaded anew when it is scrolled to. */
const REFRESH_PAGES = 6;

/** A conversation as the server has it. */
export async function fetchConversation(id: string, signal?: AbortSignal): Promise<Conversation> {
  return (await call(getConversation, { params: { id }, signal })).data;
}

/** One conversation. Live events keep it current. */
export const conversationOptions = (id: string) =>
  queryOptions({
    queryKey: conversationKeys.one(id),
    queryFn: ({ signal }) => fetchConversation(id, signal),
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

/** A conversation's newest messages. Older ones join by {@link loadOlder}, live events and {@link refreshThread}. */
export const threadOptions = (id: string) =>
  queryOptions({
    queryKey: conversationKeys.thread(id),
    queryFn: async ({ signal }): Promise<Thread> => threadOf(await fetchPage(id, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    // The cache functions keep what did not change.
    structuralSharing: false,
  });

/** A conversation's unconfirmed messages: known here only, and kept while the page lives. */
export const outboxOptions = (id: string) =>
  queryOptions({
    queryKey: conversationKeys.outbox(id),
    queryFn: () => EMPTY_OUTBOX,
    initialData: EMPTY_OUTBOX,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 24 * HOUR_MS,
    structuralSharing: false,
  });

/** Changes a conversation's messages, where they are loaded. */
export function updateThread(
  client: QueryClient,
  id: string,
  update: (thread: Thread) => Thread,
): void {
  patchQueries<Thread>(client, { queryKey: conversationKeys.thread(id), exact: true }, update);
}

/** What is loaded around a message that was jumped to: runs that follow one another without a hole, the oldest first. */
export type LoadedSpan = InfiniteData<SpanPage, SpanParam>;

/** A run of messages, as {@link Thread} of the newest ones. */
export interface SpanPage extends Thread {
  has_newer: boolean;
}

export type SpanParam = { around: string } | { before: string } | { after: string };

/** Changes what is loaded around messages that were jumped to. What is new joins there by loading it. */
export function updateSpans(
  client: QueryClient,
  id: string,
  update: (thread: Thread) => Thread,
): void {
  patchQueries<LoadedSpan>(client, { queryKey: conversationKeys.spans(id) }, (data) => ({
    ...data,
    pages: data.pages.map((page) => ({ ...page, ...update(page) })),
  }));
}

/** Changes messages wherever they are loaded. */
export function changeMessages(
  client: QueryClient,
  id: string,
  change: (thread: Thread) => Thread,
): void {
  updateThread(client, id, change);
  updateSpans(client, id, change);
}

/** Changes a conversation's unconfirmed messages. */
export function updateOutbox(
  client: QueryClient,
  id: string,
  update: (outbox: Outbox) => Outbox,
): void {
  client.setQueryData<Outbox>(conversationKeys.outbox(id), (outbox) =>
    update(outbox ?? EMPTY_OUTBOX),
  );
}

/** The loaded messages of a conversation, or null. */
export function threadIn(client: QueryClient, id: string): Thread | null {
  return client.getQueryData<Thread>(conversationKeys.thread(id)) ?? null;
}

/**
 * Loads the page before the oldest loaded message. A page that events overtook is asked for again: they told of messages
 * that were not loaded yet.
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

const refreshing = new WeakMap<QueryClient, Set<string>>();

/** Fetches again what is loaded of a conversation's messages, and merges it with what events brought meanwhile. */
export async function refreshThread(client: QueryClient, id: string): Promise<void> {
  const running = refreshing.get(client) ?? new Set();
  refreshing.set(client, running);
  if (running.has(id)) return;
  running.add(id);
  try {
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
  } finally {
    running.delete(id);
  }
}
