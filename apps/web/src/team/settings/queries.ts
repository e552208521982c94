import { getSettings, type TeamSettings, updateSettings } from '@stagedoor/contract/team/settings';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/server/api.ts';
import { useQueuedMutation } from '../../lib/server/use-queued-mutation.ts';

export type Rules = Omit<TeamSettings, 'version'>;

/** The team's settings. */
export const settingsOptions = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => (await call(getSettings, { signal })).data,
});

/** Changes some of the team's settings. */
export function useSaveSettings() {
  const client = useQueryClient();
  // Each save needs the version that the previous one returned.
  return useQueuedMutation(['settings'], {
    mutationFn: async (change: Partial<Rules>) => {
      const version = client.getQueryData(settingsOptions.queryKey)?.version ?? 0;
      return (await call(updateSettings, { body: { version, ...change } })).data;
    },
    onSuccess: (data) => {
      client.setQueryData(settingsOptions.queryKey, data);
      // The rules affect open pay periods.
      void client.invalidateQueries({ queryKey: ['earnings', 'periods'] });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'settings_conflict' && error.current)
        client.setQueryData(settingsOptions.queryKey, error.current as TeamSettings);
    },
  });
}
