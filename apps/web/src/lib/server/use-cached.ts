import { notifyManager, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/**
 * What the cache holds under a key, re-rendering with it; undefined for nothing. It leaves fetching to others: an observer
 * that knows no way to fetch would be taken at its word when a failed fetch is tried again.
 * @param key the same one from render to render
 */
export function useCached<Data>(key: QueryKey): Data | undefined {
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(listener)),
    [client],
  );
  return useSyncExternalStore(subscribe, () => client.getQueryData<Data>(key));
}
