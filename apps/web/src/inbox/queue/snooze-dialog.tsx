import { SNOOZE_MAX_DAYS } from '@stagedoor/contract/inbox/queue';
import { type FormEvent, useId, useState } from 'react';
import { locale, t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { snoozeChoices } from './snooze-times.ts';

const DAY_MS = 86_400_000;
const time = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  hour: 'numeric',
  minute: '2-digit',
});

interface SnoozeDialogProps {
  fanName: string;
  /** @param until ISO; null: until the fan writes */
  onChoose: (until: string | null) => void;
  onClose: () => void;
}

/** Chooses until when a conversation is snoozed, for everyone. */
export function SnoozeDialog({ fanName, onChoose, onClose }: SnoozeDialogProps) {
  const [choices] = useState(() => snoozeChoices(new Date()));
  return (
    <Dialog
      title={t('Snooze')}
      subtitle={t('{name} comes back for everyone at that time, or as soon as they write.', {
        name: fanName,
      })}
      onClose={onClose}
    >
      <ul className="-mx-2 pb-2">
        {choices.map(({ label, until }) => (
          <li key={label}>
            <button
              type="button"
              onClick={() => onChoose(until?.toISOString() ?? null)}
              className="flex min-h-9 w-full items-center justify-between gap-4 rounded-chip px-2 text-start text-control transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
            >
              {label}
              {until && (
                <span className="text-meta text-fg-3 tabular-nums">{time.format(until)}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <OwnTime onChoose={onChoose} />
    </Dialog>
  );
}

/** Returns a local time in the format of a date and time field. */
function fieldValue(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

function OwnTime({ onChoose }: Pick<SnoozeDialogProps, 'onChoose'>) {
  const fieldId = useId();
  const errorId = useId();
  const [earliest] = useState(() => fieldValue(new Date()));
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const at = new Date(value);
    const left = at.getTime() - Date.now();
    if (!(left > 0 && left < SNOOZE_MAX_DAYS * DAY_MS))
      setError(t('Choose a time within the next year'));
    else onChoose(at.toISOString());
  };
  return (
    <form noValidate onSubmit={submit} className="border-t border-line pt-3">
      <label htmlFor={fieldId} className="text-meta text-fg-2">
        {t('Or until')}
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id={fieldId}
          type="datetime-local"
          value={value}
          min={earliest}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : errorId}
          onChange={(event) => {
            setValue(event.target.value);
            setError(null);
          }}
          className="h-8 min-w-0 flex-1 rounded-control border border-control bg-surface px-2 text-control coarse:h-11 coarse:text-[16px]"
        />
        <Button type="submit" disabled={value === ''}>
          {t('Snooze')}
        </Button>
      </div>
      {error !== null && (
        <p id={errorId} role="alert" className="mt-1 text-meta text-danger-text">
          {error}
        </p>
      )}
    </form>
  );
}
