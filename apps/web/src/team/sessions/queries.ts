import { listSessions, type Session } from '@stagedoor/contract/team/auth';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The signed-in admin's sessions, last used first. There is no event for changes, so they are refetched on each opening. */
export const sessionsOptions = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: async ({ signal }): Promise<Session[]> => (await call(listSessions, { signal })).data,
  staleTime: 0,
});
