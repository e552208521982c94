import { type GlobalTag, listGlobalTags } from '@stagedoor/contract/tags';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** The tags that all staff share. Live events keep them current. */
export const globalTagsOptions = queryOptions({
  queryKey: ['global-tags'],
  queryFn: async ({ signal }): Promise<GlobalTag[]> =>
    (await call(listGlobalTags, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});
