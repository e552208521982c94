import { X } from 'lucide-react';
import { useId } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { firstWeekday } from '../../lib/text/typed-time.ts';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/form/date-field.tsx';
import { FieldError } from '../../ui/form/field-error.tsx';
import { type Pattern, WEEKDAYS } from './pattern.ts';
import { addDays } from './week.ts';
import { dateIn } from './words.ts';

/** Any Sunday, used to format the names of the weekdays. */
const SUNDAY = '2026-11-22';
const EXCEPTIONS_MAX = 100;

interface PatternFieldsProps {
  pattern: Pattern;
  /** The first day, as `2026-11-23`. */
  start: string;
  zone: string;
  error: string | null;
  onChange: (pattern: Pattern) => void;
}

/** The weekdays of a weekly pattern, its last day, and days that it leaves out. */
export function PatternFields({ pattern, start, zone, error, onChange }: PatternFieldsProps) {
  const id = useId();
  const { weekdays, until, except } = pattern;
  const order = WEEKDAYS.map((_, index) => (index + firstWeekday()) % 7);
  return (
    <div className="flex flex-col gap-3 rounded-control border border-line p-3">
      <fieldset aria-describedby={error === null ? undefined : id} className="min-w-0">
        <legend className="mb-1 text-meta font-medium text-fg-2">{t('Weekdays')}</legend>
        <div className="grid grid-cols-7 gap-1">
          {order.map((index) => {
            const day = WEEKDAYS[index] ?? 'MO';
            const date = addDays(SUNDAY, index);
            return (
              <label
                key={day}
                className="relative flex h-8 min-w-0 cursor-pointer items-center justify-center rounded-chip border border-control text-meta font-medium text-fg-2 has-checked:border-accent has-checked:bg-selected has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-accent-text coarse:h-11"
              >
                <input
                  type="checkbox"
                  aria-label={dateIn(date, { weekday: 'long' })}
                  checked={weekdays.includes(day)}
                  onChange={({ currentTarget: { checked } }) =>
                    onChange({
                      ...pattern,
                      weekdays: checked
                        ? [...weekdays, day]
                        : weekdays.filter((other) => other !== day),
                    })
                  }
                  className="absolute inset-0 m-0 cursor-pointer appearance-none opacity-0"
                />
                <span aria-hidden="true" className="max-[420px]:hidden">
                  {dateIn(date, { weekday: 'short' })}
                </span>
                <span aria-hidden="true" className="min-[421px]:hidden">
                  {dateIn(date, { weekday: 'narrow' })}
                </span>
              </label>
            );
          })}
        </div>
      </fieldset>
      <DateField
        label={t('Until')}
        value={until}
        min={start}
        zone={zone}
        onChange={(date) => onChange({ ...pattern, until: date })}
      />
      <DateField
        label={t('Leave out a day')}
        value=""
        min={start}
        max={until}
        zone={zone}
        onChange={(date) => {
          if (date === '' || except.includes(date) || except.length >= EXCEPTIONS_MAX) return;
          onChange({ ...pattern, except: [...except, date].toSorted() });
        }}
      />
      {except.length > 0 && (
        <ul aria-label={t('Left out')} className="flex flex-wrap gap-1.5">
          {except.map((date) => (
            <li key={date}>
              <Button
                size="small"
                aria-label={t('Plan {day} again', { day: dateIn(date, { dateStyle: 'medium' }) })}
                onClick={() =>
                  onChange({ ...pattern, except: except.filter((other) => other !== date) })
                }
              >
                {dateIn(date, { dateStyle: 'medium' })}
                <X size={14} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error !== null && <FieldError id={id}>{error}</FieldError>}
    </div>
  );
}
