import { getNotificationSettings } from '@stagedoor/contract/team/notifications';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The admin's notification settings. */
export const notificationOptions = queryOptions({
  queryKey: ['notifications'],
  queryFn: async ({ signal }) => (await call(getNotificationSettings, { signal })).data,
  staleTime: 60_000,
});
