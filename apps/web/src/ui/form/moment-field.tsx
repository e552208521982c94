import { useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import {
  type FanZone,
  formatLocal,
  fromLocal,
  ownZone,
  toLocal,
} from '../../lib/text/zoned-time.ts';
import { Button } from '../button.tsx';
import { DateTimeField } from './date-time-field.tsx';
import { laterTimes } from './later-times.ts';
import { Segments } from './segments.tsx';

/** A local time as entered in the field, and its time zone. */
export interface Moment {
  /** As `2026-11-21T18:00`, or empty. */
  local: string;
  zone: string;
}

interface MomentFieldProps {
  value: Moment;
  onChange: (value: Moment) => void;
  /** The fan's time zone, offered beside the admin's. */
  fan: FanZone | null;
  /** Milliseconds. */
  now: number;
  /** The error to show, or null. */
  error: string | null;
}

/** Returns the instant in milliseconds; null for an invalid time. */
export const instantOf = ({ local, zone }: Moment): number | null => fromLocal(local, zone);

/** Manages the state of a `MomentField`. */
export function useMoment(initial: Moment) {
  const [value, setValue] = useState(initial);
  const [error, setError] = useState<string | null>(null);
  const onChange = (next: Moment) => {
    setValue(next);
    setError(null);
  };
  /** Returns the chosen instant; null, with an error in the field, if it is invalid or in the past. */
  const future = (): number | null => {
    const instant = instantOf(value);
    const isOver = instant === null || instant <= Date.now();
    setError(isOver ? t('Choose a time in the future') : null);
    return isOver ? null : instant;
  };
  return { field: { value, error, onChange }, future, setError };
}

/** A field for a future time in one of several time zones, with common times as presets. */
export function MomentField({ value, onChange, fan, now, error }: MomentFieldProps) {
  return (
    <div className="flex flex-col gap-3">
      {fan && (
        <div className="flex">
          <Segments
            label={t('Time zone')}
            options={[
              { value: ownZone(), label: t('My time') },
              { value: fan.zone, label: t('{name}’s time', { name: fan.name }) },
            ]}
            current={value.zone}
            onChange={(zone) => onChange({ ...value, zone })}
          />
        </div>
      )}
      <div className="flex flex-wrap gap-1.5">
        {laterTimes(now, value.zone).map(({ label, at }) => {
          const local = toLocal(at, value.zone);
          return (
            <Button
              key={label}
              aria-pressed={local === value.local}
              onClick={() => onChange({ ...value, local })}
              className="aria-pressed:border-accent aria-pressed:bg-selected"
            >
              {label} <span className="text-meta text-fg-2">{formatLocal(local, true)}</span>
            </Button>
          );
        })}
      </div>
      <DateTimeField
        label={t('Date and time')}
        value={value.local}
        onChange={(local) => onChange({ ...value, local })}
        clocks={{ zone: value.zone, fan }}
        isFuture
        error={error}
      />
    </div>
  );
}
