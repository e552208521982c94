import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Updates cached data. Unlike `setQueryData` it keeps invalidated queries invalidated: an event's change does not make the rest
 * of the data current. `update` returns the same object if nothing changes.
 */
export function patchQueries<T>(
  client: QueryClient,
  filters: QueryFilters,
  update: (data: T) => T,
): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    const { data, isInvalidated } = query.state;
    if (data === undefined) continue;
    const next = update(data as T);
    if (next === data) continue;
    client.setQueryData(query.queryKey, next);
    if (isInvalidated) query.invalidate();
  }
}
