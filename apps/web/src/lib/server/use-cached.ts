import { notifyManager, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/** Returns what `read` finds in the cache, and re-renders when it changes. */
export function useFromCache<Data>(read: () => Data): Data {
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(listener)),
    [client],
  );
  return useSyncExternalStore(subscribe, read);
}

/**
 * Returns the cached data for a key, and re-renders when it changes; undefined while nothing is cached. Not a query observer:
 * React Query could retry a failed fetch through the observer, which has no query function.
 */
export function useCached<Data>(key: QueryKey): Data | undefined {
  const client = useQueryClient();
  return useFromCache(() => client.getQueryData<Data>(key));
}
