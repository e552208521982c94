import type { FanTag, FanTagInput } from '@stagedoor/contract/fans';
import { replaceTags } from '@stagedoor/contract/fans';
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

/** Saves the whole ordered list of a fan's tags; returns it as it is stored. */
export async function saveFanTags(conversationId: string, tags: FanTagInput[]): Promise<FanTag[]> {
  const options = { params: { id: conversationId }, body: { tags } };
  return (await call(replaceTags, options)).data;
}
