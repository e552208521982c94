import { type CreatorProfile, getCreatorProfile } from '@stagedoor/contract/creator';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** The creator as fans see them. */
export const creatorOptions = queryOptions({
  queryKey: ['creator'],
  queryFn: async ({ signal }): Promise<CreatorProfile> =>
    (await call(getCreatorProfile, { signal })).data,
});
