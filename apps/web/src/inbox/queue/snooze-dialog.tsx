import { SNOOZE_MAX_DAYS } from '@stagedoor/contract/inbox/queue';
import { type FormEvent, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import {
  type FanZone,
  formatLocal,
  fromLocal,
  ownZone,
  toLocal,
} from '../../lib/text/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { DateTimeField } from '../../ui/form/date-time-field.tsx';
import { laterTimes } from '../../ui/form/later-times.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';

const DAY_MS = 86_400_000;

interface SnoozeDialogProps {
  /** Says which conversations return, and when. */
  subtitle: string;
  /** The fan's time zone; null if it is unknown or the same as the admin's, or if there are several fans. */
  fan: FanZone | null;
  /** @param until ISO; null: until the fan writes */
  onChoose: (until: string | null) => void;
  onClose: () => void;
}

/** Chooses until when conversations are snoozed, for everyone. */
export function SnoozeDialog({ subtitle, fan, onChoose, onClose }: SnoozeDialogProps) {
  const [choices] = useState(() => [
    ...laterTimes(Date.now(), ownZone()),
    { label: t('Until they write'), at: null },
  ]);
  return (
    <Dialog title={t('Snooze')} subtitle={subtitle} onClose={onClose}>
      <ul className="-mx-2 pb-2">
        {choices.map(({ label, at }) => (
          <li key={label}>
            <button
              type="button"
              onClick={() => onChoose(at === null ? null : new Date(at).toISOString())}
              className="flex min-h-9 w-full items-center justify-between gap-4 rounded-chip px-2 text-start text-control transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
            >
              {label}
              {at !== null && (
                <span className="text-meta text-fg-3 tabular-nums">
                  {formatLocal(toLocal(at, ownZone()), true)}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <OwnTime fan={fan} onChoose={onChoose} />
    </Dialog>
  );
}

function OwnTime({ fan, onChoose }: Pick<SnoozeDialogProps, 'fan' | 'onChoose'>) {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const at = fromLocal(value, ownZone()) ?? Number.NaN;
    const left = at - Date.now();
    if (!(left > 0 && left < SNOOZE_MAX_DAYS * DAY_MS))
      setError(t('Choose a time within the next year'));
    else onChoose(new Date(at).toISOString());
  };
  return (
    <form
      noValidate
      onSubmit={submit}
      className="flex flex-wrap items-start gap-2 border-t border-line pt-3"
    >
      <div className="min-w-0 flex-1 basis-72">
        <DateTimeField
          label={t('Or until')}
          value={value}
          onChange={(next) => {
            setValue(next);
            setError(null);
          }}
          clocks={{ zone: ownZone(), fan }}
          isFuture
          error={error}
        />
      </div>
      <Button type="submit" disabled={value === ''} className="max-md:w-full md:mt-5">
        {t('Snooze')}
      </Button>
    </form>
  );
}
