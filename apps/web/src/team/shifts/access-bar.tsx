import {
  askForTime,
  EXTENSION_OPEN_MINUTES,
  type ShiftExtension,
} from '@stagedoor/contract/team/shifts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Eye, Hourglass } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { clockTime } from '../../lib/text/times.ts';
import { Button } from '../../ui/button.tsx';
import { showProblem } from '../../ui/overlay/toast.ts';
import { Bar } from './bar.tsx';
import { refreshShifts } from './queries.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** How long before the end the countdown appears. A request for more time stays open just as long. Milliseconds. */
const SHOWN_MS = EXTENSION_OPEN_MINUTES * MINUTE_MS;
const URGENT_MS = 15 * MINUTE_MS;

interface AccessBarProps {
  /** Until when the admin can act; null if they can't. */
  until: string | null;
  /** The admin's request that has not been granted yet. */
  asked: ShiftExtension | null;
}

/** Counts down to the end of the time in which an admin can act, and says when that time is over. */
export function AccessBar({ until, asked }: AccessBarProps) {
  const client = useQueryClient();
  const left = useTimeLeft(until === null ? 0 : Date.parse(until));
  const isOver = left <= 0;
  // The time may have been extended.
  useEffect(() => {
    if (isOver) void refreshShifts(client);
  }, [isOver, client]);
  const ask = useMutation({
    mutationFn: () => call(askForTime),
    onError: (error) =>
      showProblem({ key: 'time', text: errorText(error, t('Couldn’t ask for more time')) }),
    onSettled: () => refreshShifts(client),
  });
  if (left > SHOWN_MS) return null;
  return (
    <Bar
      icon={isOver ? <Eye /> : <Hourglass />}
      tone={left <= URGENT_MS ? 'warn' : 'plain'}
      text={
        <span role={isOver ? 'status' : 'timer'} className="tabular-nums">
          {isOver
            ? t('Outside your shift you can read, not act')
            : t('You can act for {time}', { time: countdown(left) })}
        </span>
      }
    >
      {asked ? (
        <span role="status" className="text-meta">
          {t('Asked for 30 more minutes at {time}', { time: clockTime(asked.asked_at) })}
        </span>
      ) : (
        <Button size="small" busy={ask.isPending} onClick={() => ask.mutate()}>
          {t('Ask for 30 More Minutes')}
        </Button>
      )}
    </Bar>
  );
}

function countdown(left: number): string {
  const seconds = Math.ceil(left / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Returns the milliseconds until an instant; 0 once it has passed. Updates every second while the countdown is shown. */
function useTimeLeft(end: number): number {
  const [now, setNow] = useState(Date.now);
  const left = end - now;
  const isFar = left > SHOWN_MS;
  const isOver = left <= 0;
  useEffect(() => {
    const update = () => setNow(Date.now());
    // No timer runs after the end, so `now` may be long out of date when a new end is set.
    const first = setTimeout(update);
    const timer = isOver ? undefined : setInterval(update, isFar ? MINUTE_MS : SECOND_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [end, isFar, isOver]);
  return isOver ? 0 : left;
}
