import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { Conversation, SearchHit } from '@stagedoor/contract/inbox/conversations';
import type { QueryClient } from '@tanstack/react-query';
import {
  changeEach,
  changeRows,
  findInList,
  hasTag,
  inboxRows,
  type ListView,
  mergeFirstPage,
  newerOf,
  putInList,
  removeFromList,
} from '../../inbox/list/cache.ts';
import { fetchInboxPage, type InboxList, type InboxListParams } from '../../inbox/list/queries.ts';
import { ApiError } from '../../lib/server/api.ts';
import { patchQueries, patchQuery } from '../../lib/server/patch-queries.ts';
import { fetchConversation } from '../../messaging/messages/queries.ts';

function cachedLists(
  client: QueryClient,
): { params: InboxListParams; list: InboxList; isShown: boolean }[] {
  return client
    .getQueryCache()
    .findAll({ queryKey: ['inbox', 'list'] })
    .flatMap((query) => {
      const list = query.state.data as InboxList | undefined;
      return list
        ? [{ params: query.queryKey[2] as InboxListParams, list, isShown: query.isActive() }]
        : [];
    });
}

/** Conversations known to be removed. An older response or event may still contain them. */
const gone = new WeakMap<QueryClient, Set<string>>();

function removedIds(client: QueryClient): Set<string> {
  const known = gone.get(client) ?? new Set();
  gone.set(client, known);
  return known;
}

/** Updates every cached list, visible or not. */
function patchLists(
  client: QueryClient,
  update: (list: InboxList, params: InboxListParams) => InboxList,
): void {
  for (const { params } of cachedLists(client)) {
    patchQuery<InboxList>(client, ['inbox', 'list', params], (list) => update(list, params));
  }
}

/** Returns the newest cached version of a conversation, or null. */
export function knownConversation(client: QueryClient, id: string): Conversation | null {
  const found = [client.getQueryData<Conversation>(['conversation', id])];
  for (const { list } of cachedLists(client)) found.push(findInList(list, id) ?? undefined);
  for (const part of ['search', 'pins'] as const) {
    const cached = client.getQueriesData<Conversation[]>({ queryKey: ['inbox', part] });
    for (const [, rows] of cached) found.push(rows?.find((row) => row.id === id));
  }
  return found.reduce<Conversation | null>(
    (best, next) => (next && (!best || next.version > best.version) ? next : best),
    null,
  );
}

/** Updates the cached pins. `change` returns the same object if nothing changes. */
function patchPins(client: QueryClient, change: (pinned: Conversation) => Conversation): void {
  patchQuery<Conversation[]>(client, ['inbox', 'pins'], (pins) => changeEach(pins, change));
}

/** Returns a conversation with the outcomes of pending actions applied, because the server's state may predate them. */
function withPending(client: QueryClient, conversation: Conversation): Conversation {
  const mutationKey = ['conversation', conversation.id] as const;
  const pending = client.getMutationCache().findAll({ mutationKey, status: 'pending' });
  const outcomes = pending.map(({ state }) => state.variables);
  return outcomes.length === 0 ? conversation : Object.assign({}, conversation, ...outcomes);
}

/** Shows a conversation wherever it belongs. It replaces cached states with a version below `limit`. */
function put(
  client: QueryClient,
  adminId: string,
  received: Conversation,
  before: Conversation | null,
  limit = received.version + 1,
): void {
  const conversation = withPending(client, received);
  const { id } = conversation;
  if (removedIds(client).has(id)) return;
  const replaces = (held: Conversation) => held.id === id && held.version < limit;
  patchLists(client, (list, params) => {
    const held = findInList(list, id);
    return held === null || replaces(held)
      ? putInList(list, { ...params, adminId }, conversation, before)
      : list;
  });
  patchQueries<SearchHit[]>(client, { queryKey: ['inbox', 'search'] }, (hits) =>
    changeEach(hits, (hit) => (replaces(hit) ? { ...conversation, match: hit.match } : hit)),
  );
  const replace = (held: Conversation) => (replaces(held) ? conversation : held);
  patchPins(client, replace);
  patchQuery<Conversation>(client, ['conversation', id], replace);
}

/** Shows a conversation's new state in every list, search and header. `before` is its previously cached state. */
export function putConversation(
  client: QueryClient,
  adminId: string,
  received: Conversation,
  before: Conversation | null,
): void {
  put(client, adminId, received, before);
  refreshSegmentLists(client);
}

/** Shows the outcomes of pending actions in fetched data, which may predate them. */
export function showPending(client: QueryClient, adminId: string): void {
  const mutationKey = ['conversation'] as const;
  for (const { options } of client.getMutationCache().findAll({ mutationKey, status: 'pending' })) {
    const known = knownConversation(client, options.mutationKey?.[1] ?? '');
    if (known) put(client, adminId, known, known);
  }
}

/** The delay between a change and the refetch of segment lists. All changes during the delay share one refetch. Milliseconds. */
const SEGMENT_REFRESH_MS = 2_000;
const refreshing = new WeakSet<QueryClient>();

/** Refetches segment lists soon, because only the server knows who is in a segment. */
export function refreshSegmentLists(client: QueryClient): void {
  if (refreshing.has(client)) return;
  const ofSegments = cachedLists(client).filter(({ params }) => params.segment !== null);
  if (ofSegments.length === 0) return;
  refreshing.add(client);
  setTimeout(() => {
    refreshing.delete(client);
    for (const { params } of ofSegments)
      void client.invalidateQueries({ queryKey: ['inbox', 'list', params] });
  }, SEGMENT_REFRESH_MS);
}

/** Takes removed conversations out of responses that were requested before the removal. */
export function dropRemoved(client: QueryClient): void {
  const ids = removedIds(client);
  const left = <C extends Conversation>(held: C[]): C[] =>
    held.some(({ id }) => ids.has(id)) ? held.filter(({ id }) => !ids.has(id)) : held;
  patchLists(client, (list) => [...ids].reduce(removeFromList, list));
  patchQueries<SearchHit[]>(client, { queryKey: ['inbox', 'search'] }, left);
  patchQuery<Conversation[]>(client, ['inbox', 'pins'], left);
}

/**
 * Shows a conversation as {@link putConversation} does, but only replaces older data. If the cached state is newer than
 * `received`, that state is used instead, because `received` could put the row back into a list that it has left.
 */
export function putNewer(client: QueryClient, adminId: string, received: Conversation): void {
  const known = knownConversation(client, received.id) ?? received;
  const newest = newerOf(known, received);
  put(client, adminId, newest, null, newest.version);
}

/** Removes a conversation from everything that shows it. If it is open, a refetch then reports it as missing. */
export function removeConversation(client: QueryClient, id: string): void {
  const ids = removedIds(client);
  const isKnown = ids.has(id);
  ids.add(id);
  dropRemoved(client);
  // A duplicate event must not cancel the refetch that the first event started.
  if (isKnown) return;
  client.removeQueries({ queryKey: ['conversation', id], type: 'inactive' });
  void client.resetQueries({ queryKey: ['conversation', id] });
}

/**
 * Updates every cached conversation, wherever it is shown, without moving it. `change` returns the same object if nothing changes.
 */
export function changeConversations(
  client: QueryClient,
  change: <C extends Conversation>(conversation: C) => C,
): void {
  patchLists(client, (list) => changeRows(list, change));
  patchQueries<SearchHit[]>(client, { queryKey: ['inbox', 'search'] }, (hits) =>
    changeEach(hits, change),
  );
  patchPins(client, change);
  // Longer keys are for a part of the conversation, such as its messages.
  const isConversation = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey.length === 2;
  patchQueries<Conversation>(
    client,
    { queryKey: ['conversation'], predicate: isConversation },
    change,
  );
}

/** Updates the tags of every cached fan. `change` returns the same array if nothing changes. */
export function changeFanTags(client: QueryClient, change: (tags: FanTag[]) => FanTag[]): void {
  changeConversations(client, (conversation) => withFanTags(conversation, change));
  patchLists(client, (list, { tag }) =>
    inboxRows(list)
      .filter((row) => tag !== null && !hasTag(row, tag))
      .reduce((left, { id }) => removeFromList(left, id), list),
  );
}

/** Refetches the lists filtered by a tag, since the tag change may affect which rows they contain. */
export function refreshTagLists(client: QueryClient): void {
  for (const { params } of cachedLists(client)) {
    if (params.tag !== null) void client.invalidateQueries({ queryKey: ['inbox', 'list', params] });
  }
}

/** Returns the conversation with its fan's tags updated; the same object if nothing changes. */
export function withFanTags<C extends Conversation>(
  conversation: C,
  change: (tags: FanTag[]) => FanTag[],
): C {
  const { fan } = conversation;
  const tags = change(fan.admin_tags);
  if (tags === fan.admin_tags) return conversation;
  return { ...conversation, fan: { ...fan, admin_tags: tags } };
}

/**
 * Fetches the first page of each visible list and merges it. Segment lists are refetched as a whole; hidden lists are refetched
 * when they are shown.
 * @returns the fetched conversations
 */
export async function mergeFirstPages(
  client: QueryClient,
  adminId: string,
): Promise<Conversation[]> {
  const fetched: Conversation[] = [];
  for (const { params, isShown } of cachedLists(client)) {
    const queryKey = ['inbox', 'list', params] as const;
    if (params.segment !== null || !isShown) {
      await client.invalidateQueries({ queryKey });
      continue;
    }
    const page = await fetchInboxPage(params, null);
    fetched.push(...page.data);
    const view: ListView = { ...params, adminId };
    let hasHole = false;
    patchQuery<InboxList>(client, queryKey, (held) => {
      const { list, hole } = mergeFirstPage(held, view, page);
      hasHole = hole;
      return list;
    });
    dropRemoved(client);
    showPending(client, adminId);
    if (hasHole) await client.invalidateQueries({ queryKey });
  }
  return fetched;
}

/** The maximum number of fetches while events keep making the responses out of date. The last response is used in any case. */
const REFRESH_TRIES = 4;

/**
 * Fetches a conversation and shows it wherever it belongs. If events have made the response out of date, fetches again, because
 * those events may have been applied to an incomplete state. Doesn't use the open conversation's query, because its fetch is
 * canceled when the conversation is left.
 */
export async function refreshConversation(
  client: QueryClient,
  adminId: string,
  id: string,
): Promise<void> {
  for (let tries = 1; tries <= REFRESH_TRIES; tries += 1) {
    const before = knownConversation(client, id);
    const fetched = await fetchOrRemove(client, id);
    const isCurrent = fetched.version >= (knownConversation(client, id)?.version ?? 0);
    if (!isCurrent && tries < REFRESH_TRIES) continue;
    if (removedIds(client).has(id)) return;
    client.setQueryData<Conversation>(['conversation', id], (held) => held ?? fetched);
    putConversation(client, adminId, fetched, before);
    return;
  }
}

/** Fetches a conversation. If it no longer exists, removes it from the cache. @throws ApiError */
async function fetchOrRemove(client: QueryClient, id: string): Promise<Conversation> {
  try {
    return await fetchConversation(id);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) removeConversation(client, id);
    throw error;
  }
}
