import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Changes what is cached, where something is. Unlike the client's own way to set data it leaves what must be fetched again
 * marked as such: a change that was heard of makes nothing else current. `update` returns what it leaves alone as it is.
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
