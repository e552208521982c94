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

/** The parameters of a list: its tab, order and filters. */
export interface InboxListParams {
  filter: InboxFilter;
  sort: InboxSort;
  /** A library tag's id or a label; null for all fans. */
  tag: string | null;
  /** A segment's id; null for all fans. */
  segment: string | null;
}

/** The list that the inbox shows first. `public/early.js` requests the same list. */
export const FIRST_LIST: InboxListParams = {
  filter: 'unread',
  sort: 'unread_first',
  tag: null,
  segment: null,
};

/** The cached pages of a list, each with its cursor; the first page has none. */
export type InboxList = InfiniteData<ConversationPage, string | null>;

/** Fetches a page of a list, by default the first. */
export function fetchInboxPage(
  { filter, sort, tag, segment }: InboxListParams,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<ConversationPage> {
  const query = {
    limit: INBOX_PAGE_SIZE,
    filter,
    sort,
    ...(tag === null ? {} : { tag }),
    ...(segment === null ? {} : { segment }),
    ...(cursor === null ? {} : { cursor }),
  };
  return call(inbox, { query, signal });
}

/**
 * Returns the query for a list, page by page. It never becomes stale: live events keep it current, and a refetch would request
 * every loaded page again. The exception is segments: fans enter and leave them without an event.
 */
export const inboxListOptions = (params: InboxListParams) =>
  infiniteQueryOptions<
    ConversationPage,
    Error,
    InboxList,
    readonly ['inbox', 'list', object],
    string | null
  >({
    queryKey: ['inbox', 'list', params],
    queryFn: ({ pageParam, signal }) => fetchInboxPage(params, pageParam, signal),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: params.segment === null ? Number.POSITIVE_INFINITY : 0,
    // The cache functions already keep unchanged rows. React Query compares rows by index, so it would treat all moved rows as
    // changed.
    structuralSharing: false,
  });

/** The query for the counts in the tiles and tabs. 'Today' is in the user's time zone. */
export const inboxStatsOptions = queryOptions({
  queryKey: ['inbox', 'stats'],
  queryFn: async ({ signal }): Promise<InboxStats> => {
    const tz = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    return (await call(inboxStats, { query: { tz }, signal })).data;
  },
});

/** Returns the query for a search field's text, or null if it is too short. */
export function searchQueryOf(text: string): string | null {
  const query = text.trim();
  return [...query].length >= SEARCH_MIN_CHARS ? query : null;
}

/** Returns the query for a search in all conversations. Pass a text from {@link searchQueryOf}. */
export const inboxSearchOptions = (query: string) =>
  queryOptions({
    queryKey: ['inbox', 'search', query],
    queryFn: async ({ signal }): Promise<SearchHit[]> =>
      (await call(searchConversations, { query: { q: query }, signal })).data,
  });
