import type { Conversation, SearchHit } from '@stagedoor/contract/conversations';
import type { FanTag } from '@stagedoor/contract/fans';
import type { QueryClient } from '@tanstack/react-query';
import type { Board } from '../features/conversation/board.ts';
import { conversationKeys, conversationOptions } from '../features/conversation/queries.ts';
import {
  findInList,
  type ListView,
  mergeFirstPage,
  newerOf,
  putInList,
  putInSearch,
  removeFromList,
} from '../features/inbox/cache.ts';
import {
  fetchInboxPage,
  type InboxList,
  type InboxListParams,
  inboxKeys,
} from '../features/inbox/queries.ts';

function cachedLists(
  client: QueryClient,
): { params: InboxListParams; list: InboxList; isShown: boolean }[] {
  return client
    .getQueryCache()
    .findAll({ queryKey: inboxKeys.lists })
    .flatMap((query) => {
      const list = query.state.data as InboxList | undefined;
      return list
        ? [{ params: query.queryKey[2] as InboxListParams, list, isShown: query.isActive() }]
        : [];
    });
}

/** The newest that anything cached knows of a conversation, or null. */
export function knownConversation(client: QueryClient, id: string): Conversation | null {
  const found = [client.getQueryData<Conversation>(conversationKeys.one(id))];
  for (const { list } of cachedLists(client)) found.push(findInList(list, id) ?? undefined);
  for (const [, hits] of client.getQueriesData<SearchHit[]>({ queryKey: inboxKeys.searches })) {
    found.push(hits?.find((hit) => hit.id === id));
  }
  return found.reduce<Conversation | null>(
    (best, next) => (next && (!best || next.version > best.version) ? next : best),
    null,
  );
}

/** Shows a conversation's new state in every list, search and header. `before`: as it was known. */
export function putConversation(
  client: QueryClient,
  adminId: string,
  conversation: Conversation,
  before: Conversation | null,
): void {
  for (const { params, list } of cachedLists(client)) {
    const next = putInList(list, { ...params, adminId }, conversation, before);
    client.setQueryData<InboxList>(inboxKeys.list(params), next);
  }
  client.setQueriesData<SearchHit[]>(
    { queryKey: inboxKeys.searches },
    (hits) => hits && putInSearch(hits, conversation),
  );
  client.setQueryData<Conversation>(
    conversationKeys.one(conversation.id),
    (held) => held && newerOf(held, conversation),
  );
}

/** Takes a conversation that is gone out of everything that shows it; where it is open, asking for it again tells so. */
export function removeConversation(client: QueryClient, id: string): void {
  for (const { params, list } of cachedLists(client)) {
    client.setQueryData<InboxList>(inboxKeys.list(params), removeFromList(list, id));
  }
  client.setQueriesData<SearchHit[]>({ queryKey: inboxKeys.searches }, (hits) =>
    hits?.filter((hit) => hit.id !== id),
  );
  client.removeQueries({ queryKey: conversationKeys.one(id), type: 'inactive' });
  void client.resetQueries({ queryKey: conversationKeys.one(id) });
}

/** Changes the tags of every fan that anything cached shows. `change` returns what it leaves alone as it is. */
export function changeFanTags(client: QueryClient, change: (tags: FanTag[]) => FanTag[]): void {
  for (const { params, list } of cachedLists(client)) {
    const pages = list.pages.map((page) => ({
      ...page,
      data: page.data.map((conversation) => withFanTags(conversation, change)),
    }));
    client.setQueryData<InboxList>(inboxKeys.list(params), { ...list, pages });
    // Who belongs to a list of one tag may have changed with the tag.
    if (params.tag !== null) void client.invalidateQueries({ queryKey: inboxKeys.list(params) });
  }
  client.setQueriesData<SearchHit[]>({ queryKey: inboxKeys.searches }, (hits) =>
    hits?.map((hit) => withFanTags(hit, change)),
  );
  client.setQueriesData<Conversation>(
    {
      queryKey: conversationKeys.all,
      predicate: ({ queryKey }) => queryKey.length === conversationKeys.one('').length,
    },
    (held) => held && withFanTags(held, change),
  );
}

/** The conversation with its fan's tags changed; the same object where nothing changes. */
export function withFanTags<C extends Conversation>(
  conversation: C,
  change: (tags: FanTag[]) => FanTag[],
): C {
  const { fan } = conversation;
  const tags = change(fan.admin_tags);
  if (tags === fan.admin_tags) return conversation;
  return { ...conversation, fan: { ...fan, admin_tags: tags } };
}

/** Fetches the first page of each shown list and merges it; lists that are not on screen are fetched when they are. */
export async function mergeFirstPages(client: QueryClient, adminId: string): Promise<void> {
  for (const { params, isShown } of cachedLists(client)) {
    const queryKey = inboxKeys.list(params);
    if (!isShown) {
      await client.invalidateQueries({ queryKey, refetchType: 'none' });
      continue;
    }
    const page = await fetchInboxPage(params, null);
    const view: ListView = { ...params, adminId };
    const held = client.getQueryData<InboxList>(queryKey);
    if (!held) continue;
    const { list, hole } = mergeFirstPage(held, view, page);
    client.setQueryData<InboxList>(queryKey, list);
    if (hole) await client.invalidateQueries({ queryKey });
  }
}

/** Fetches a conversation and shows it wherever it belongs. */
export async function refreshConversation(
  client: QueryClient,
  adminId: string,
  id: string,
): Promise<void> {
  const before = knownConversation(client, id);
  const conversation = await client.fetchQuery({ ...conversationOptions(id), staleTime: 0 });
  putConversation(client, adminId, conversation, before);
}

/** Every place of the cache at once that shows a conversation, as one admin sees it. */
export function boardOf(client: QueryClient, adminId: string): Board {
  return {
    known: (id) => knownConversation(client, id),
    show: (conversation) =>
      putConversation(client, adminId, conversation, knownConversation(client, conversation.id)),
    refresh: (id) => refreshConversation(client, adminId, id),
  };
}
