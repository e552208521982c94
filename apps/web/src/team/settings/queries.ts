import { getSettings } from '@stagedoor/contract/team/settings';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The team rules. */
export const settingsOptions = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => (await call(getSettings, { signal })).data,
});
