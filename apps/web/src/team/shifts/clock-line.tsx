import { Timer } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { formatMoment, ownZone } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import type { ShiftClock } from './use-clock.ts';

/** Says since when the admin has been on the clock, or that they are off the clock. */
const clockText = (since: string | null, now: number): string =>
  since === null
    ? t('You are off the clock')
    : t('On the clock since {time}', { time: formatMoment(Date.parse(since), now, ownZone()) });

/** Says when and why the clock stopped by itself. */
export const stoppedText = (endedAt: string, now: number): string =>
  t('Your clock stopped at {time}, your last act', {
    time: formatMoment(Date.parse(endedAt), now, ownZone()),
  });

/** Shows whether the admin is on the clock, with the button that starts or stops it. */
export function ClockLine({ clock }: { clock: ShiftClock }) {
  const now = useNow();
  const { since, stopped, isBusy } = clock;
  if (clock.isLoadingError)
    return (
      <ErrorBox
        text={t('Couldn’t load your clock')}
        onRetry={() => void clock.refetch()}
        retrying={clock.isFetching}
      />
    );
  if (!clock.isKnown) return <LoadingLine text={t('Loading your clock...')} className="h-8" />;
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 coarse:min-h-11">
      <span className="flex min-w-0 flex-1 items-center gap-2 text-control">
        <Timer className={since === null ? 'text-fg-3' : 'text-good'} />
        <span className="min-w-0">
          {stopped?.ended_at ? stoppedText(stopped.ended_at, now) : clockText(since, now)}
        </span>
      </span>
      <Button busy={isBusy} onClick={since === null ? clock.clockIn : clock.clockOut}>
        {since === null ? (stopped ? t('Clock In Again') : t('Clock In')) : t('Clock Out')}
      </Button>
    </div>
  );
}
