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
import { type InboxList, inboxSearchOptions, searchQueryOf } from '../../inbox/list/queries.ts';
import { displayName } from '../../lib/text/format.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { recentStore } from './recent.ts';

/** Milliseconds without typing before fans are searched. */
const SEARCH_DELAY_MS = 150;

/** Typing more narrows the results. */
const FANS_SHOWN = 8;

export interface FanSearch {
  hits: readonly SearchHit[];
  isSearching: boolean;
  isFailed: boolean;
  retry: () => void;
}

/** Returns the fans that match a text. While the user types, earlier results stay as long as their names still match. */
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

/** Returns the recently opened conversations except the current one, the newest first, as far as they are cached. */
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
  const lists = client.getQueriesData<InboxList>({ queryKey: ['inbox', 'list'] });
  return lists
    .flatMap(([, list]) => (list ? inboxRows(list) : []))
    .find((conversation) => conversation.id === id);
}
