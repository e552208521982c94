import { notifyManager, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/**
 * Returns the cached data for a key, and re-renders when it changes; undefined if there is none. Fetches nothing itself: an
 * observer without a query function would be used for retries of a failed fetch.
 */
export function useCached<Data>(key: QueryKey): Data | undefined {
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(listener)),
    [client],
  );
  return useSyncExternalStore(subscribe, () => client.getQueryData<Data>(key));
}
