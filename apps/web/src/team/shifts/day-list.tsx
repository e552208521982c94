import type { Shift } from '@stagedoor/contract/team/shifts';
import { CalendarClock, Timer } from 'lucide-react';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Week } from './use-plan.ts';
import { type Gap, piecesOf } from './week.ts';
import { ClockChange, Uncovered } from './week-frame.tsx';
import { dateIn, timesOn } from './words.ts';

interface DayListProps {
  week: Week;
  isReady: boolean;
  gaps: readonly Gap[];
  onOpen: (shift: Shift) => void;
}

/** A week on a phone: one day at a time. */
export function DayList({ week, isReady, gaps, onOpen }: DayListProps) {
  const { days, today, zone, shifts, clocks, staff } = week;
  const [chosen, setChosen] = useState(today);
  const current =
    days.find(({ date }) => date === chosen) ?? days.find(({ date }) => date === today) ?? days[0];
  if (current === undefined) return null;
  const planned = piecesOf(shifts, [current], zone);
  const clocked = piecesOf(clocks, [current], zone);
  const counts = days.map((day) => piecesOf(shifts, [day], zone).length);
  return (
    <div>
      <fieldset className="grid grid-cols-7 gap-1">
        <legend className="sr-only">{t('Day')}</legend>
        {days.map(({ date }, index) => (
          <label
            key={date}
            className={classes(
              'relative flex min-h-14 cursor-pointer flex-col items-center justify-center rounded-control border border-line bg-surface text-meta text-fg-3 has-checked:border-accent has-checked:bg-selected has-focus-visible:outline-2 has-focus-visible:outline-accent-text',
              date === today && 'text-accent-text',
            )}
          >
            <input
              type="radio"
              name="day"
              value={date}
              checked={date === current.date}
              onChange={() => setChosen(date)}
              aria-label={t('{day}, {count, plural, one {# shift} other {# shifts}}', {
                day: dateIn(date, { weekday: 'long', day: 'numeric', month: 'long' }),
                count: counts[index] ?? 0,
              })}
              className="absolute inset-0 m-0 cursor-pointer appearance-none opacity-0"
            />
            <span aria-hidden="true">{dateIn(date, { weekday: 'narrow' })}</span>
            <span aria-hidden="true" className="text-message font-semibold tabular-nums">
              {dateIn(date, { day: 'numeric' })}
            </span>
            <span
              aria-hidden="true"
              className={classes(
                'size-1 rounded-full',
                (counts[index] ?? 0) > 0 ? 'bg-accent-text' : 'bg-transparent',
              )}
            />
          </label>
        ))}
      </fieldset>
      <h3 className="mt-4 mb-2 flex flex-wrap items-baseline gap-x-2 font-semibold">
        {dateIn(current.date, { weekday: 'long', day: 'numeric', month: 'long' })}
        <ClockChange day={current} />
        <Uncovered gaps={gaps.filter(({ day }) => days[day] === current)} />
      </h3>
      {isReady && planned.length === 0 && clocked.length === 0 && (
        <EmptyState
          icon={<CalendarClock size={22} />}
          title={t('No shifts on this day')}
          text={t('Planned shifts and time on the clock will appear here.')}
        />
      )}
      <ul aria-label={t('Shifts')} className="flex flex-col gap-2 empty:hidden">
        {planned.map(({ item }) => (
          <li key={item.id}>
            <button
              type="button"
              onClick={() => onOpen(item)}
              style={{ '--t': staff.get(item.admin_id)?.display_color } as CSSProperties}
              className="tinted flex min-h-14 w-full flex-col items-start justify-center rounded-control border-s-4 border-s-own px-3 py-2 text-start"
            >
              <Line name={staff.get(item.admin_id)?.codename ?? ''}>
                {timesOn(current, item, zone)}
              </Line>
              {item.note !== '' && (
                <span className="line-clamp-3 text-control wrap-anywhere">{item.note}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {clocked.length > 0 && (
        <>
          <h4 className="mt-4 mb-1 text-meta font-medium text-fg-2">{t('Time on the Clock')}</h4>
          <ul className="divide-y divide-line rounded-control border border-line bg-surface">
            {clocked.map(({ item }) => (
              <li key={item.id} className="flex items-center gap-2 px-3 py-2 text-control">
                <Timer style={{ color: staff.get(item.admin_id)?.display_color }} />
                <Line name={staff.get(item.admin_id)?.codename ?? ''}>
                  {item.isRunning
                    ? t('{times}, running', { times: timesOn(current, item, zone) })
                    : timesOn(current, item, zone)}
                </Line>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="flex w-full min-w-0 flex-wrap justify-between gap-x-3">
      <span className="min-w-0 truncate font-semibold">{name}</span>
      <span className="tabular-nums">{children}</span>
    </span>
  );
}
