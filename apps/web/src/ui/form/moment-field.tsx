import { useId } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { dayAt, formatMoment, fromLocal, toLocal } from '../../lib/text/zoned-time.ts';
import { Button } from '../button.tsx';
import { Segments } from './segments.tsx';
import { TextField } from './text-field.tsx';

const HOUR_MS = 3_600_000;
const EVENING = '18:00';
const MORNING = '09:00';

/** A time as it is typed, and by whose clock. */
export interface Moment {
  /** As `2026-11-21T18:00`, or empty. */
  local: string;
  zone: string;
}

interface MomentFieldProps {
  value: Moment;
  onChange: (value: Moment) => void;
  /** Whose clocks there are; the first is the viewer's own. */
  zones: readonly { readonly zone: string; readonly label: string }[];
  /** Milliseconds. */
  now: number;
  /** What is wrong with it. */
  error: string | null;
}

/** The instant that is meant, in milliseconds; null for none. */
export const instantOf = ({ local, zone }: Moment): number | null => fromLocal(local, zone);

function presetsAt(now: number, zone: string): { label: string; local: string }[] {
  const weekday = new Date(`${toLocal(now, zone).slice(0, 10)}T00:00Z`).getUTCDay();
  const untilMonday = (8 - weekday) % 7 || 7;
  const evening = dayAt(now, zone, 0, EVENING);
  return [
    { label: t('In an hour'), local: toLocal(now + HOUR_MS, zone) },
    ...(evening > toLocal(now, zone) ? [{ label: t('This evening'), local: evening }] : []),
    { label: t('Tomorrow morning'), local: dayAt(now, zone, 1, MORNING) },
    ...(untilMonday > 1
      ? [{ label: t('Monday morning'), local: dayAt(now, zone, untilMonday, MORNING) }]
      : []),
  ];
}

/** A moment to come, by one's own clock or another one's, with those that are meant most often. */
export function MomentField({ value, onChange, zones, now, error }: MomentFieldProps) {
  const hintId = useId();
  const instant = instantOf(value);
  const other = zones.find(({ zone }) => zone !== value.zone);
  return (
    <div className="flex flex-col gap-3">
      {zones.length > 1 && (
        <Segments
          label={t('By whose clock')}
          options={zones.map(({ zone, label }) => ({ value: zone, label }))}
          current={value.zone}
          onChange={(zone) => onChange({ ...value, zone })}
        />
      )}
      <div className="flex flex-wrap gap-1.5">
        {presetsAt(now, value.zone).map(({ label, local }) => (
          <Button
            key={label}
            size="small"
            aria-pressed={local === value.local}
            onClick={() => onChange({ ...value, local })}
            className="aria-pressed:border-accent aria-pressed:bg-selected"
          >
            {label}
          </Button>
        ))}
      </div>
      <TextField
        label={t('Date and time')}
        name="send_at"
        type="datetime-local"
        min={toLocal(now, value.zone)}
        value={value.local}
        error={error}
        aria-describedby={hintId}
        onChange={(event) => onChange({ ...value, local: event.currentTarget.value })}
      />
      {other && instant !== null && (
        <p id={hintId} className="text-meta text-fg-3">
          {other.label}: {formatMoment(instant, now, other.zone)}
        </p>
      )}
    </div>
  );
}
