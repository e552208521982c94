import { type CreatorProfile, getCreatorProfile } from '@stagedoor/contract/team/creator';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The creator's profile as fans see it. */
export const creatorOptions = queryOptions({
  queryKey: ['creator'],
  queryFn: async ({ signal }): Promise<CreatorProfile> =>
    (await call(getCreatorProfile, { signal })).data,
});
