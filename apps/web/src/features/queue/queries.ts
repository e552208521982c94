import type { Conversation } from '@stagedoor/contract/conversations';
import { listPins } from '@stagedoor/contract/queue';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { inboxKeys } from '../inbox/queries.ts';

/** What the admin has pinned, the newest pin first. Live events keep it current. */
export const pinsOptions = queryOptions({
  queryKey: inboxKeys.pins,
  queryFn: async ({ signal }): Promise<Conversation[]> => (await call(listPins, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});
