import { clockIn, clockOut } from '@stagedoor/contract/team/shifts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { showProblem, showToast } from '../../ui/overlay/toast.ts';
import { nowOptions, refreshShifts } from './queries.ts';

const failed = (error: unknown) =>
  showProblem({ key: 'clock', text: errorText(error, t('Couldn’t change your clock')) });

/** Returns the admin's clock, with functions to start and stop it. @param onClockedOut called once the clock has stopped */
export function useClock(onClockedOut?: () => void) {
  const client = useQueryClient();
  const { data, isLoadingError, isFetching, refetch } = useQuery(nowOptions);
  const settled = () => void refreshShifts(client);
  const start = useMutation({
    mutationFn: () => call(clockIn),
    onSuccess: () => showToast({ text: t('You are on the clock') }),
    onError: failed,
    onSettled: settled,
  });
  const stop = useMutation({
    mutationFn: () => call(clockOut),
    onSuccess: () => {
      showToast({ text: t('You are off the clock') });
      onClockedOut?.();
    },
    onError: failed,
    onSettled: settled,
  });
  const clock = data?.clock ?? null;
  return {
    isKnown: data !== undefined,
    /** When the running clock started; null while none runs. */
    since: clock !== null && clock.ended_at === null ? clock.started_at : null,
    /** The admin's newest clock if it was stopped as idle; otherwise null. */
    stopped: clock?.stopped_by === 'idle' ? clock : null,
    isBusy: start.isPending || stop.isPending,
    isLoadingError,
    isFetching,
    refetch,
    clockIn: () => start.mutate(),
    clockOut: () => stop.mutate(),
  };
}

export type ShiftClock = ReturnType<typeof useClock>;
