import { Timer, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { createStored } from '../../lib/server/stored.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Bar } from './bar.tsx';
import { stoppedText } from './clock-line.tsx';
import type { ShiftClock } from './use-clock.ts';

/** The id of the stopped clock whose notice was dismissed. */
const dismissed = createStored({
  name: 'stopped_clock',
  empty: '',
  parse: (text) => String(JSON.parse(text)),
});

/** Says that the admin's clock stopped as idle, until the notice is dismissed or the clock runs again. */
export function StoppedBar({ clock: { stopped, isBusy, clockIn } }: { clock: ShiftClock }) {
  const now = useNow();
  const seen = useSyncExternalStore(dismissed.subscribe, dismissed.get);
  if (!stopped?.ended_at || stopped.id === seen) return null;
  return (
    <Bar
      icon={<Timer />}
      tone="warn"
      text={<span role="status">{stoppedText(stopped.ended_at, now)}</span>}
    >
      <Button size="small" busy={isBusy} onClick={clockIn}>
        {t('Clock In Again')}
      </Button>
      <IconButton
        label={t('Dismiss')}
        icon={<X />}
        className="-my-1"
        onClick={() => dismissed.set(stopped.id)}
      />
    </Bar>
  );
}
