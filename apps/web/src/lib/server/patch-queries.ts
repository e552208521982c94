import { hashKey, type QueryClient, type QueryFilters, type QueryKey } from '@tanstack/react-query';

/**
 * Updates the cached data of one query. Unlike `setQueryData` it keeps an invalidated query invalidated: an event's change does not
 * make the rest of the data current. `update` returns the same object if nothing changes.
 */
export function patchQuery<T>(
  client: QueryClient,
  queryKey: QueryKey,
  update: (data: T) => T,
): void {
  // An exact filter would compute the hash of every cached query.
  const query = client.getQueryCache().get(hashKey(queryKey));
  if (query?.state.data === undefined) return;
  const { data, isInvalidated } = query.state;
  const next = update(data as T);
  if (next === data) return;
  query.setData(next, { manual: true });
  if (isInvalidated) query.invalidate();
}

/** Updates each query that matches the filters, as {@link patchQuery} does. */
export function patchQueries<T>(
  client: QueryClient,
  filters: QueryFilters,
  update: (data: T) => T,
): void {
  for (const { queryKey } of client.getQueryCache().findAll(filters))
    patchQuery(client, queryKey, update);
}
