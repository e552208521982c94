import { WifiOff } from 'lucide-react';
import { useConnection, useSocket } from '../../lib/server/socket.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Spinner } from '../../ui/spinner.tsx';

interface ConnectionBarProps {
  /** Whether the bar belongs to the list. If so, it is shown at the bottom instead of the top. */
  isInList?: boolean;
  /** Whether the open conversation beside the list already shows the full bar. */
  isBeside?: boolean;
}

/** Shows that live updates are interrupted. It overlays the content, so that nothing moves when it appears. */
export function ConnectionBar({ isInList = false, isBeside = false }: ConnectionBarProps) {
  const { status, error } = useConnection();
  const socket = useSocket();
  if (status === 'connected' || status === 'connecting') return null;
  const isDown = error !== null;
  const text = isBeside ? t('The list isn’t updating') : (error ?? t('Reconnecting…'));
  return (
    <div
      className={classes(
        'pointer-events-none absolute inset-x-0 flex justify-center px-4',
        isInList ? 'bottom-[max(8px,env(safe-area-inset-bottom))] z-20' : 'top-2 z-10',
      )}
    >
      <div
        role={isBeside ? undefined : isDown ? 'alert' : 'status'}
        className="pointer-events-auto flex items-center gap-2 rounded-full border border-line bg-surface py-1 pe-1.5 ps-3 text-control text-fg-2 shadow-overlay"
      >
        {isDown ? (
          <WifiOff className="text-danger-text" />
        ) : (
          <Spinner className="text-accent-text" />
        )}
        <span className="py-0.5 pe-1.5">{text}</span>
        {status === 'failed' && !isBeside && (
          <Button size="small" className="rounded-full" onClick={socket.retry}>
            {t('Retry')}
          </Button>
        )}
      </div>
    </div>
  );
}
