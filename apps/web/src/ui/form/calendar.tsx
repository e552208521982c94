import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type ChevronProps, type DayButtonProps, DayPicker } from 'react-day-picker';
import { locale, t } from '../../lib/text/i18n.ts';
import { firstWeekday } from '../../lib/text/typed-time.ts';

const formatIn = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { calendar: 'gregory', ...options });
const month = formatIn({ month: 'long', year: 'numeric' });
const narrowWeekday = formatIn({ weekday: 'narrow' });
const weekday = formatIn({ weekday: 'long' });
const dayOfMonth = formatIn({ day: 'numeric' });
const fullDate = formatIn({ dateStyle: 'full' });

/** Returns noon of a day, because some zones skip midnight when the clocks change. */
const dateOf = (day: string) => new Date(`${day}T12:00`);
const two = (value: number) => String(value).padStart(2, '0');
const dayOf = (date: Date) =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

const dayName = (date: Date, { today }: { today?: boolean | undefined }) =>
  today ? t('{date}, today', { date: fullDate.format(date) }) : fullDate.format(date);

const MOVE =
  'inline-flex size-8 items-center justify-center rounded-control text-fg-2 transition-colors duration-80 hover:bg-hover hover:text-fg coarse:size-11';

/** Styles by the library's element names. The other elements have none. */
const CLASSES = {
  month: 'grid grid-cols-[auto_1fr_auto] items-center',
  month_caption: 'text-center font-semibold',
  button_previous: MOVE,
  button_next: MOVE,
  month_grid: 'col-span-3 border-collapse',
  weekday: 'h-7 w-9 p-0 text-meta font-normal text-fg-3 coarse:w-11',
  day: 'group p-0',
  day_button:
    'relative flex size-9 items-center justify-center rounded-control tabular-nums transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 group-data-outside:text-fg-3 group-data-today:font-semibold group-data-today:text-accent-text group-data-today:inset-ring group-data-today:inset-ring-current group-data-selected:bg-accent group-data-selected:text-white group-data-selected:hover:bg-accent-hover disabled:opacity-40 disabled:hover:bg-transparent aria-disabled:opacity-40 coarse:size-11',
};

interface CalendarProps {
  /** All dates are as `2026-11-23`, or empty. */
  value: string;
  today: string;
  min: string;
  max: string;
  onChoose: (date: string) => void;
}

/** A month's grid of days, which takes the focus. Arrow keys, Home, End and Page keys move in it; Enter chooses. */
export function Calendar({ value, today, min, max, onChoose }: CalendarProps) {
  const selected = value === '' ? undefined : dateOf(value);
  return (
    <DayPicker
      mode="single"
      required
      autoFocus
      navLayout="around"
      fixedWeeks
      showOutsideDays
      dir={document.dir || 'ltr'}
      weekStartsOn={firstWeekday() as 0}
      today={dateOf(today)}
      selected={selected}
      defaultMonth={selected ?? dateOf(today)}
      disabled={[
        ...(min === '' ? [] : [{ before: dateOf(min) }]),
        ...(max === '' ? [] : [{ after: dateOf(max) }]),
      ]}
      onSelect={(date: Date) => onChoose(dayOf(date))}
      classNames={CLASSES}
      components={{ Chevron, DayButton }}
      formatters={{
        formatCaption: (date) => month.format(date),
        formatWeekdayName: (date) => narrowWeekday.format(date),
        formatDay: (date) => dayOfMonth.format(date),
      }}
      labels={{
        labelGrid: (date) => month.format(date),
        labelWeekday: (date) => weekday.format(date),
        labelDayButton: dayName,
        labelPrevious: () => t('Previous month'),
        labelNext: () => t('Next month'),
      }}
    />
  );
}

function Chevron({ orientation }: ChevronProps) {
  const Icon = orientation === 'left' ? ChevronLeft : ChevronRight;
  return <Icon />;
}

function DayButton({ day, modifiers, ...rest }: DayButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (modifiers.focused) button.current?.focus();
  }, [modifiers.focused]);
  const current = modifiers.today ? 'date' : undefined;
  return <button ref={button} {...rest} value={day.isoDate} aria-current={current} />;
}
