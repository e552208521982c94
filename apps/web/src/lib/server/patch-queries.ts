import {
  hashKey,
  type Query,
  type QueryClient,
  type QueryFilters,
  type QueryKey,
} from '@tanstack/react-query';

/** Updates the cached data of one query, as {@link patchQueries} does. */
export function patchQuery<T>(
  client: QueryClient,
  queryKey: QueryKey,
  update: (data: T) => T,
): void {
  // An exact filter would hash the key again for every cached query.
  const query = client.getQueryCache().get(hashKey(queryKey));
  if (query) patch(query, update);
}

/**
 * Updates cached data. Unlike `setQueryData` it keeps invalidated queries invalidated: an event's change does not make the rest
 * of the data current. `update` returns the same object if nothing changes.
 */
export function patchQueries<T>(
  client: QueryClient,
  filters: QueryFilters,
  update: (data: T) => T,
): void {
  for (const query of client.getQueryCache().findAll(filters)) patch(query, update);
}

function patch<T>(query: Query, update: (data: T) => T): void {
  const { data, isInvalidated } = query.state;
  if (data === undefined) return;
  const next = update(data as T);
  if (next === data) return;
  query.setData(next, { manual: true });
  if (isInvalidated) query.invalidate();
}
