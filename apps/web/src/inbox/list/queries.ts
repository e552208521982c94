import {
  type ConversationPage,
  INBOX_PAGE_SIZE,
  type InboxFilter,
  type InboxSort,
  type InboxStats,
  inbox,
  inboxStats,
  SEARCH_MIN_CHARS,
  type SearchHit,
  searchConversations,
} from '@stagedoor/contract/inbox/conversations';
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** Which list: one of the tabs, in one of the orders, of all fans or of those who carry a tag. */
export interface InboxListParams {
  filter: InboxFilter;
  sort: InboxSort;
  /** A library tag's id or a label; null for all fans. */
  tag: string | null;
}

/** What the inbox lists first. `public/early.js` asks for the same. */
export const FIRST_LIST: InboxListParams = { filter: 'unread', sort: 'unread_first', tag: null };

/** What the cache holds of a list: its pages by cursor, the first without one. */
export type InboxList = InfiniteData<ConversationPage, string | null>;

/** The keys under which the inbox is cached. */
export const inboxKeys = {
  all: ['inbox'] as const,
  lists: ['inbox', 'list'] as const,
  list: (params: InboxListParams) => ['inbox', 'list', params] as const,
  searches: ['inbox', 'search'] as const,
  search: (query: string) => ['inbox', 'search', query] as const,
  stats: ['inbox', 'stats'] as const,
  /** What the admin has pinned. */
  pins: ['inbox', 'pins'] as const,
};

/** A page of a list; without a cursor the first one. */
export function fetchInboxPage(
  { filter, sort, tag }: InboxListParams,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<ConversationPage> {
  const query = {
    limit: INBOX_PAGE_SIZE,
    filter,
    sort,
    ...(tag === null ? {} : { tag }),
    ...(cursor === null ? {} : { cursor }),
  };
  return call(inbox, { query, signal });
}

/**
 * A list, page by page. It never becomes stale by itself: live events keep it current, and a refetch would ask for every
 * loaded page again.
 */
export const inboxListOptions = (params: InboxListParams) =>
  infiniteQueryOptions<
    ConversationPage,
    Error,
    InboxList,
    ReturnType<typeof inboxKeys.list>,
    string | null
  >({
    queryKey: inboxKeys.list(params),
    queryFn: ({ pageParam, signal }) => fetchInboxPage(params, pageParam, signal),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    // The cache functions keep what did not change. Compared place by place, rows that moved would all count as changed.
    structuralSharing: false,
  });

/** The figures of the tiles and the tabs, with 'today' as the viewer's clock has it. */
export const inboxStatsOptions = queryOptions({
  queryKey: inboxKeys.stats,
  queryFn: async ({ signal }): Promise<InboxStats> => {
    const tz = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    return (await call(inboxStats, { query: { tz }, signal })).data;
  },
});

/** What a search field's text asks for, or null where it is too short to ask for anything. */
export function searchQueryOf(text: string): string | null {
  const query = text.trim();
  return query.length >= SEARCH_MIN_CHARS ? query : null;
}

/** The conversations that a query of enough characters finds. */
export const inboxSearchOptions = (query: string) =>
  queryOptions({
    queryKey: inboxKeys.search(query),
    queryFn: async ({ signal }): Promise<SearchHit[]> =>
      (await call(searchConversations, { query: { q: query }, signal })).data,
  });
