import type { Conversation, SearchHit } from '@stagedoor/contract/inbox/conversations';
import {
  keepPreviousData,
  type QueryClient,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { inboxRows } from '../../inbox/list/cache.ts';
import {
  type InboxList,
  inboxKeys,
  inboxSearchOptions,
  searchQueryOf,
} from '../../inbox/list/queries.ts';
import { displayName } from '../../lib/text/format.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { recentStore } from './recent.ts';

/** Typing goes on for this long before fans are searched for. */
const SEARCH_DELAY_MS = 150;

/** More are found by typing more. */
const FANS_SHOWN = 8;

export interface FanSearch {
  hits: readonly SearchHit[];
  isSearching: boolean;
  isFailed: boolean;
  retry: () => void;
}

/** The fans whom a text finds. While it grows, those who were found before stay as far as their names still fit. */
export function useFans(text: string): FanSearch {
  const settled = useDebounced(text, SEARCH_DELAY_MS);
  const typed = searchQueryOf(text);
  const searched = typed && searchQueryOf(settled);
  const query = useQuery({
    ...inboxSearchOptions(searched ?? ''),
    enabled: searched !== null,
    placeholderData: keepPreviousData,
  });
  const isCurrent = searched === typed && !query.isPlaceholderData;
  const hits = typed === null ? [] : (query.data ?? []);
  const fitting = isCurrent ? hits : hits.filter((hit) => typed !== null && isNamed(hit, typed));
  const isFailed = query.isError && !query.isFetching && isCurrent;
  return {
    hits: fitting.slice(0, FANS_SHOWN),
    isSearching: typed !== null && !isFailed && (!isCurrent || query.isPending),
    isFailed,
    retry: () => void query.refetch(),
  };
}

function isNamed({ fan }: Conversation, typed: string): boolean {
  return displayName(fan).toLowerCase().includes(typed.toLowerCase());
}

/** The conversations that were open before this one, as far as this page still knows them, the newest first. */
export function useRecentFans(): readonly Conversation[] {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const [fans] = useState(() =>
    recentStore
      .get()
      .conversations.filter((id) => !pathname.endsWith(id))
      .flatMap((id) => knownConversation(client, id) ?? []),
  );
  return fans;
}

function knownConversation(client: QueryClient, id: string): Conversation | undefined {
  const opened = client.getQueryData<Conversation>(['conversation', id]);
  if (opened) return opened;
  const lists = client.getQueriesData<InboxList>({ queryKey: inboxKeys.lists });
  return lists
    .flatMap(([, list]) => (list ? inboxRows(list) : []))
    .find((conversation) => conversation.id === id);
}
