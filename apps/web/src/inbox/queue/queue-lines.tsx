import { AlarmClock, SkipForward, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';

function Line({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div
      className={classes(
        'flex min-h-9 shrink-0 items-center gap-2 border-b border-line bg-surface-2 pe-2 ps-4 text-meta text-fg-2 max-md:ps-3',
        className,
      )}
    >
      {children}
    </div>
  );
}

/** Shows why this conversation is the next one. Can be dismissed. On a phone it covers part of the messages. */
export function NextLine({ reasons }: { reasons: readonly string[] }) {
  const [isShown, setShown] = useState(true);
  if (!isShown) return null;
  return (
    <Line className="max-md:absolute max-md:inset-x-2 max-md:top-21 max-md:z-10 max-md:rounded-card max-md:border max-md:bg-surface max-md:shadow-overlay">
      <SkipForward size={14} className="text-fg-3" />
      <ul
        aria-label={t('Why this fan is next')}
        className="flex min-w-0 flex-1 flex-wrap gap-x-1.5 py-1"
      >
        {reasons.map((reason, index) => (
          <li key={reason} className="flex gap-x-1.5">
            {index > 0 && <span aria-hidden="true">·</span>}
            <span className="first-letter:uppercase">{reason}</span>
          </li>
        ))}
      </ul>
      <IconButton
        label={t('Dismiss')}
        onClick={() => setShown(false)}
        className="size-7"
        icon={<X size={14} strokeWidth={2} />}
      />
    </Line>
  );
}

interface SnoozeLineProps {
  /** For example 'until they write'. */
  words: string;
  /** Null if the admin may not end the snooze. */
  onEnd: (() => void) | null;
}

/** Shows that a conversation is snoozed for everyone, and until when. */
export function SnoozeLine({ words, onEnd }: SnoozeLineProps) {
  return (
    <Line>
      <AlarmClock size={14} className="text-fg-3" />
      <span className="min-w-0 flex-1">{words}</span>
      {onEnd && (
        <Button variant="ghost" size="small" onClick={onEnd}>
          {t('End Snooze')}
        </Button>
      )}
    </Line>
  );
}
