import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ApiError, errorText, isRateLimited } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { inboxRows } from './cache.ts';
import { type InboxListParams, inboxListOptions, inboxSearchOptions } from './queries.ts';

/** How long to pause after a rate-limited request for more rows, if the response has no `retry-after`. */
const MORE_PAUSE_MS = 5_000;

const NO_ROWS: readonly Conversation[] = [];

/** The rows of a list and its loading state. */
export interface InboxSource {
  rows: readonly Conversation[];
  phase: 'loading' | 'failed' | 'ready';
  /** The error to show if rows could not be loaded; null otherwise. */
  errorText: string | null;
  retry: () => void;
  isRetrying: boolean;
  isLoadingMore: boolean;
  hasMore: boolean;
  /** Loads the next page. Does nothing while a page is loading. */
  loadMore: () => void;
}

/** Returns the list's rows, or the results of the search that replaces it. */
export function useInboxSource(params: InboxListParams, searched: string | null): InboxSource {
  const list = useInboxList(params, searched === null);
  const search = useInboxSearch(searched);
  return searched === null ? list : search;
}

/** Returns the rows of a list that is fetched page by page. */
function useInboxList(params: InboxListParams, enabled: boolean): InboxSource {
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
    // A rate limit shows no error: the next scroll retries.
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

/** Returns the results of a search; none for null. While a changed search loads, the previous results stay visible. */
function useInboxSearch(text: string | null): InboxSource {
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
