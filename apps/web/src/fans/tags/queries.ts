import { type GlobalTag, listGlobalTags } from '@stagedoor/contract/fans/tags';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** A tag by which the inbox is filtered, as it is shown. */
export interface TagFilter {
  /** The value of the list’s `tag` parameter. */
  tag: string;
  label: string;
  color: string | null;
}

/** The tags that all staff share. Live events keep them current. */
export const globalTagsOptions = queryOptions({
  queryKey: ['global-tags'],
  queryFn: async ({ signal }): Promise<GlobalTag[]> =>
    (await call(listGlobalTags, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});
