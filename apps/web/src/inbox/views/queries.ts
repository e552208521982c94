import { listViews, type SavedView } from '@stagedoor/contract/inbox/views';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The query for the admin's saved views, the oldest first. */
export const viewsOptions = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }): Promise<SavedView[]> => (await call(listViews, { signal })).data,
});
