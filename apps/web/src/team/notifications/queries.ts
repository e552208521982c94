import { getNotificationSettings } from '@stagedoor/contract/team/notifications';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { queryKeys } from '../../lib/server/query-keys.ts';

/** The admin's notification settings. */
export const notificationOptions = queryOptions({
  queryKey: queryKeys.notifications,
  queryFn: async ({ signal }) => (await call(getNotificationSettings, { signal })).data,
  staleTime: 60_000,
});
