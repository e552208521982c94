import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorText, isRateLimited } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { loadOlder } from '../messages/queries.ts';

/** The pause before a rate-limited page is requested again. */
const RATE_LIMIT_PAUSE_MS = 3_000;

/** Loads older messages, one page at a time. `loadOlder` resolves with whether it succeeded. */
export function useOlder(conversationId: string) {
  const client = useQueryClient();
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const running = useRef<Promise<boolean> | null>(null);
  const aborter = useRef(new AbortController());
  useEffect(() => {
    aborter.current = new AbortController();
    const { current } = aborter;
    return () => current.abort();
  }, []);

  const load = useCallback(() => {
    running.current ??= (async () => {
      setLoading(true);
      setError(null);
      const { signal } = aborter.current;
      try {
        await loadOlder(client, conversationId, signal);
        return true;
      } catch (failure) {
        if (signal.aborted) return false;
        if (isRateLimited(failure))
          await new Promise((resolve) => setTimeout(resolve, RATE_LIMIT_PAUSE_MS));
        else setError(errorText(failure, t('Failed to load messages')));
        return false;
      } finally {
        running.current = null;
        setLoading(false);
      }
    })();
    return running.current;
  }, [client, conversationId]);

  return { loadOlder: load, isLoadingOlder: isLoading, olderError: error };
}
