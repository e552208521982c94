import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { listPins } from '@stagedoor/contract/inbox/queue';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The query for the admin's pinned conversations, newest pin first. Live events keep it current. */
export const pinsOptions = queryOptions({
  queryKey: ['inbox', 'pins'],
  queryFn: async ({ signal }): Promise<Conversation[]> => (await call(listPins, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});
