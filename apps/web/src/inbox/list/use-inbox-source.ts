import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ApiError, errorText, isRateLimited } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { inboxRows } from './cache.ts';
import { type InboxListParams, inboxListOptions, inboxSearchOptions } from './queries.ts';

/** After a refused request for more rows, and without the server's word on it, the next one waits this long. */
const MORE_PAUSE_MS = 5_000;

const NO_ROWS: readonly Conversation[] = [];

/** Where the list's rows come from, and how far that is. */
export interface InboxSource {
  rows: readonly Conversation[];
  phase: 'loading' | 'failed' | 'ready';
  /** What to say when the rows, or more of them, could not be had; null while all is well. */
  errorText: string | null;
  retry: () => void;
  isRetrying: boolean;
  isLoadingMore: boolean;
  hasMore: boolean;
  /** Loads the next page, once at a time. */
  loadMore: () => void;
}

/** A list of the inbox, page by page. */
export function useInboxList(params: InboxListParams, enabled: boolean): InboxSource {
  const query = useInfiniteQuery({ ...inboxListOptions(params), enabled });
  const pausedUntil = useRef(0);
  const rows = useMemo(() => (query.data ? inboxRows(query.data) : NO_ROWS), [query.data]);
  const fetchMore = async () => {
    const { error } = await query.fetchNextPage({ cancelRefetch: false });
    if (!isRateLimited(error)) return;
    const seconds = error instanceof ApiError ? error.retryAfter : null;
    pausedUntil.current = Date.now() + (seconds === null ? MORE_PAUSE_MS : seconds * 1_000);
  };
  const mayLoadMore =
    enabled && query.hasNextPage && !query.isFetching && !query.isFetchNextPageError;
  const failed =
    query.data === undefined ? query.error : query.isFetchNextPageError ? query.error : null;
  const isPaused = query.data !== undefined && isRateLimited(failed);
  return {
    rows,
    phase: query.data ? 'ready' : query.isError && !query.isFetching ? 'failed' : 'loading',
    // Refused for being too many: a later scroll asks again, and nobody needs to read about it.
    errorText: failed && !isPaused ? errorText(failed, t('Failed to load inbox')) : null,
    retry: () => void (query.data ? fetchMore() : query.refetch()),
    isRetrying: query.isFetching,
    isLoadingMore: query.isFetchingNextPage,
    hasMore: query.hasNextPage,
    loadMore: () => {
      const isDue =
        isPaused && query.hasNextPage && !query.isFetching && Date.now() >= pausedUntil.current;
      if (mayLoadMore || isDue) void fetchMore();
    },
  };
}

/** What a search finds; null searches for nothing. While the query grows, the hits before stay in view. */
export function useInboxSearch(text: string | null): InboxSource {
  const query = useQuery({
    ...inboxSearchOptions(text ?? ''),
    enabled: text !== null,
    placeholderData: keepPreviousData,
  });
  return {
    rows: query.data ?? NO_ROWS,
    phase: query.data ? 'ready' : query.isError && !query.isFetching ? 'failed' : 'loading',
    errorText: query.error ? errorText(query.error, t('Failed to search')) : null,
    retry: () => void query.refetch(),
    isRetrying: query.isFetching,
    isLoadingMore: false,
    hasMore: false,
    loadMore: () => undefined,
  };
}
