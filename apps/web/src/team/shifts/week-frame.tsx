import type { CSSProperties } from 'react';
import { lengthText } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import type { Week } from './use-plan.ts';
import { clockChangeOf, DAY_MINUTES, type Day, type Gap, minuteOf } from './week.ts';
import { dateIn, timeIn } from './words.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The names of a week's days, above their columns. */
export function DayHeads(props: { days: readonly Day[]; today: string; gaps: readonly Gap[] }) {
  const { days, today, gaps } = props;
  return (
    <div className="sticky top-0 z-30 grid grid-cols-[52px_repeat(7,minmax(0,1fr))] border-b border-line bg-surface">
      <span className="sticky start-0 z-10 -me-px border-e border-line bg-surface" />
      {days.map((day, index) => (
        <h3
          key={day.date}
          aria-current={day.date === today ? 'date' : undefined}
          className="flex flex-col items-center border-s border-line py-1.5 text-meta text-fg-3 aria-[current]:text-accent-text"
        >
          <span className="max-w-full truncate">{dateIn(day.date, { weekday: 'short' })}</span>
          <span
            className={classes(
              'text-message font-semibold tabular-nums',
              day.date === today ? 'text-accent-text' : 'text-fg',
            )}
          >
            {dateIn(day.date, { day: 'numeric' })}
          </span>
          <ClockChange day={day} />
          <Uncovered gaps={gaps.filter((gap) => gap.day === index)} />
        </h3>
      ))}
    </div>
  );
}

/** Says that the clocks change on a day. */
export function ClockChange({ day }: { day: Day }) {
  const change = clockChangeOf(day);
  if (change === 0) return null;
  return (
    <span className="max-w-full px-1 text-center text-badge font-normal text-warn">
      {change > 0 ? t('Clocks go forward') : t('Clocks go back')}
    </span>
  );
}

/** Shows for how long no shift is planned. */
export function Uncovered({ gaps }: { gaps: readonly Gap[] }) {
  const minutes = gaps.reduce((sum, gap) => sum + gap.minutes, 0);
  if (minutes === 0) return null;
  const text = t('{time} without cover', { time: lengthText(minutes * 60) });
  return (
    <span title={text} className="max-w-full truncate px-1 text-badge font-normal text-fg-3">
      {text}
    </span>
  );
}

export const HATCHED: CSSProperties = {
  background: 'repeating-linear-gradient(-45deg, var(--border) 0 1px, transparent 1px 7px)',
};

/** Hatches the times without a shift. */
export function GapMarks({ gaps }: { gaps: readonly Gap[] }) {
  return gaps.map(({ day, from, to }) => (
    <span
      key={`${day} ${from}`}
      aria-hidden="true"
      style={{
        ...HATCHED,
        top: `${(from / DAY_MINUTES) * 100}%`,
        height: `${((to - from) / DAY_MINUTES) * 100}%`,
        insetInlineStart: `calc(${day} * 100% / 7)`,
      }}
      className="pointer-events-none absolute w-[calc(100%/7)]"
    />
  ));
}

/** The hours of a day, beside the grid. */
export function Hours() {
  return (
    <div
      aria-hidden="true"
      className="sticky start-0 z-20 -me-px border-e border-line bg-surface text-end text-badge text-fg-3 tabular-nums"
    >
      {HOURS.map((hour) => (
        <span key={hour} style={{ top: `${(hour / 24) * 100}%` }} className="absolute end-2 pt-0.5">
          {timeIn(new Date(hour * 3_600_000).toISOString(), 'UTC')}
        </span>
      ))}
    </div>
  );
}

/** The lines between hours and days. */
export function HourLines({ week: { days, today } }: { week: Week }) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0">
      {HOURS.slice(1).map((hour) => (
        <span
          key={hour}
          style={{ top: `${(hour / 24) * 100}%` }}
          className="absolute inset-x-0 border-t border-line/70"
        />
      ))}
      {days.map(({ date }, index) => (
        <span
          key={date}
          style={{ insetInlineStart: `calc(${index} * 100% / 7)` }}
          className={classes(
            'absolute inset-y-0 w-[calc(100%/7)] border-s border-line',
            date === today && 'bg-accent/5',
          )}
        />
      ))}
    </div>
  );
}

/** The current time, above the shifts. */
export function NowLine({ week: { days, today, now, zone } }: { week: Week }) {
  const current = days.findIndex(({ date }) => date === today);
  if (current === -1) return null;
  return (
    <span
      aria-hidden="true"
      style={{
        top: `${(minuteOf(now, zone) / DAY_MINUTES) * 100}%`,
        insetInlineStart: `calc(${current} * 100% / 7)`,
      }}
      className="pointer-events-none absolute z-10 flex w-[calc(100%/7)] -translate-y-1/2 items-center"
    >
      <span className="size-2 rounded-full bg-danger" />
      <span className="h-0.5 flex-1 bg-danger" />
    </span>
  );
}
