import { type GlobalTag, listGlobalTags } from '@stagedoor/contract/fans/tags';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The tag that the inbox is filtered by, as displayed. */
export interface TagFilter {
  /** The value of the list's `tag` parameter. */
  tag: string;
  label: string;
  color: string | null;
}

/** The tags shared by all staff. Live events keep them current. */
export const globalTagsOptions = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }): Promise<GlobalTag[]> =>
    (await call(listGlobalTags, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});
