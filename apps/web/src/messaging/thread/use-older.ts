import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { errorText, isRateLimited } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';

/** The pause before a rate-limited page is requested again, in milliseconds. */
const RATE_LIMIT_PAUSE_MS = 3_000;

/** How a thread loads older messages. */
export interface Older {
  /** Loads a page, one at a time. Resolves with whether it succeeded. */
  load: () => Promise<boolean>;
  isLoading: boolean;
  error: string | null;
}

/**
 * Loads older messages into the thread. Stops when the thread is left.
 * @param around the message that was jumped to; null for the newest messages
 * @param loadPage loads one page
 */
export function useOlder(
  conversationId: string,
  around: string | null,
  loadPage: (signal: AbortSignal) => Promise<void>,
): Older {
  const { refetch, isFetching, error } = useQuery({
    queryKey: ['conversation', conversationId, 'older', around],
    queryFn: async ({ signal }) => {
      try {
        await loadPage(signal);
        return null;
      } catch (failure) {
        if (isRateLimited(failure))
          await new Promise((resolve) => setTimeout(resolve, RATE_LIMIT_PAUSE_MS));
        throw failure;
      }
    },
    enabled: false,
    retry: false,
    gcTime: 0,
  });
  const load = useCallback(
    async () => (await refetch({ cancelRefetch: false })).error === null,
    [refetch],
  );
  const isShown = error !== null && !isFetching && !isRateLimited(error);
  return {
    load,
    isLoading: isFetching,
    error: isShown ? errorText(error, t('Failed to load messages')) : null,
  };
}
