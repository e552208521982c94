import { Moon } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { fanTime } from './fan-time.ts';

interface FanClockProps {
  timeZone: string;
  /** Whether the city may be hidden if there is little room. */
  isBrief: boolean;
}

/** The fan's local time; nothing for a time zone that this browser does not know. */
export function FanClock({ timeZone, isBrief }: FanClockProps) {
  const time = fanTime(timeZone, useNow());
  if (!time) return null;
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap tabular-nums">
      <span>
        ≈ {time.clock}
        <span className={isBrief ? '@max-[300px]:hidden' : undefined}>
          {' '}
          {t('in {place}', { place: time.city })}
        </span>
      </span>
      {time.isNight && <Moon aria-label={t('It’s night there')} role="img" size={12} />}
    </span>
  );
}
