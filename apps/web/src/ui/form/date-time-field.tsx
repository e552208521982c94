import { useId, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import {
  clockChangeAt,
  type FanZone,
  formatLocal,
  fromLocal,
  ownZone,
  toLocal,
} from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { DateField } from './date-field.tsx';
import { FieldError } from './field-error.tsx';
import { TimeField } from './time-field.tsx';

const HOUR_MS = 3_600_000;
const MORNING = '09:00';

/** The time zone a time is entered in, and the fan's, which is shown next to it. */
export interface Clocks {
  /** The time zone of the entered time. */
  zone: string;
  fan: FanZone | null;
}

interface DateTimeFieldProps {
  label: string;
  /** A local time as `2026-11-23T18:00`, or empty. */
  value: string;
  onChange: (value: string) => void;
  /** The clocks shown below the field; by default, only the admin's. */
  clocks?: Clocks;
  /** Whether the calendar only offers today and later. */
  isFuture?: boolean;
  error?: string | null;
  hint?: string;
  isReadOnly?: boolean;
}

/** A date and a time of day. If only one is entered, the other gets a likely value, which can be changed. */
export function DateTimeField({
  label,
  value,
  onChange,
  clocks = { zone: ownZone(), fan: null },
  isFuture = false,
  error = null,
  hint,
  isReadOnly = false,
}: DateTimeFieldProps) {
  const id = useId();
  const [parts, setParts] = useState(() => partsOf(value));
  // While only one part is entered, the value is empty, but the entered part must stay.
  const current = joined(parts) === value ? parts : partsOf(value);
  const { zone } = clocks;
  const today = toLocal(useNow(), zone).slice(0, 10);
  const change = (next: Parts) => {
    const filled = completed(next, current, zone);
    setParts(filled);
    if (joined(filled) !== value) onChange(joined(filled));
  };
  const part = {
    isInvalid: error !== null,
    isReadOnly,
    describedBy: `${id}-error ${id}-notes`,
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 text-meta font-medium text-fg-2">{label}</legend>
      <div className="grid grid-cols-[3fr_2fr] items-start gap-2">
        <DateField
          label={t('Date')}
          value={current.date}
          min={isFuture ? today : ''}
          zone={zone}
          part={{ ...part, isRequired: current.time !== '' }}
          onChange={(date) => change({ ...current, date })}
        />
        <TimeField
          label={t('Time', 'of day')}
          value={current.time}
          part={{ ...part, isRequired: current.date !== '' }}
          onChange={(time) => change({ ...current, time })}
        />
      </div>
      {error !== null && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <div id={`${id}-notes`} aria-live="polite" className="text-meta text-fg-3 empty:hidden">
        {bothClocks(value, clocks)}
        {clockChange(value, zone)}
        {hint !== undefined && <p>{hint}</p>}
      </div>
    </fieldset>
  );
}

interface Parts {
  date: string;
  time: string;
}

function partsOf(value: string): Parts {
  const [date = '', time = ''] = value.split('T');
  return { date, time };
}

const joined = ({ date, time }: Parts) => (date === '' || time === '' ? '' : `${date}T${time}`);

/**
 * Adds the missing part if it was never entered. A date gets the next hour if that is on the same day, otherwise the morning. A
 * time gets today, or tomorrow if it is past.
 */
function completed(next: Parts, before: Parts, zone: string): Parts {
  const now = Date.now();
  const [today = ''] = toLocal(now, zone).split('T');
  if (next.date !== '' && next.time === '' && before.time === '') {
    const inAnHour = partsOf(`${toLocal(now + HOUR_MS, zone).slice(0, 13)}:00`);
    return { ...next, time: next.date === inAnHour.date ? inAnHour.time : MORNING };
  }
  if (next.time !== '' && next.date === '' && before.date === '') {
    const isOver = `${today}T${next.time}` <= toLocal(now, zone);
    const tomorrow = new Date(Date.parse(`${today}T12:00Z`) + 24 * HOUR_MS);
    return { ...next, date: isOver ? tomorrow.toISOString().slice(0, 10) : today };
  }
  return next;
}

function bothClocks(value: string, { zone, fan }: Clocks) {
  const instant = fromLocal(value, zone);
  if (instant === null || fan === null) return null;
  const [theirs, own] = [toLocal(instant, fan.zone), toLocal(instant, ownZone())];
  const isSameDay = theirs.slice(0, 10) === own.slice(0, 10);
  return (
    <p>
      {t('{time} for {name} · {own} for you', {
        name: fan.name,
        time: formatLocal(theirs, isSameDay),
        own: formatLocal(own, isSameDay),
      })}
    </p>
  );
}

function clockChange(value: string, zone: string) {
  const instant = fromLocal(value, zone);
  const change = instant === null ? null : clockChangeAt(value, zone);
  if (instant === null || change === null) return null;
  const time = formatLocal(value, true);
  const used = formatLocal(toLocal(instant, zone), true);
  return (
    <p className="text-warn">
      {change === 'skipped'
        ? t('The clocks go forward and skip {time} that day. {used} is used.', { time, used })
        : t('The clocks go back, so {time} comes twice that day. The first one is used.', { time })}
    </p>
  );
}
