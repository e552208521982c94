import { listSessions, type Session } from '@stagedoor/contract/team/auth';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** Where the signed-in admin is signed in, the latest used first. Nothing tells of changes: each opening asks again. */
export const sessionsOptions = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: async ({ signal }): Promise<Session[]> => (await call(listSessions, { signal })).data,
  staleTime: 0,
});
