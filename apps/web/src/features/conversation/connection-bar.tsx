import { WifiOff } from 'lucide-react';
import { t } from '../../lib/i18n.ts';
import { useConnection, useSocket } from '../../lib/socket.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';

/** Tells that live updates are interrupted. Lies over the thread, so that nothing moves when it comes and goes. */
export function ConnectionBar() {
  const { status, error } = useConnection();
  const socket = useSocket();
  if (status === 'connected' || status === 'connecting') return null;
  const isDown = error !== null;
  return (
    <div className="pointer-events-none absolute inset-x-0 top-2 z-10 flex justify-center px-4">
      <div
        role={isDown ? 'alert' : 'status'}
        className="pointer-events-auto flex items-center gap-2 rounded-full border border-line bg-surface py-1 pe-1.5 ps-3 text-control text-fg-2 shadow-overlay"
      >
        {isDown ? (
          <WifiOff aria-hidden="true" size={16} strokeWidth={1.75} className="text-danger-text" />
        ) : (
          <Spinner className="text-accent-text" />
        )}
        <span className="py-0.5 pe-1.5">{error ?? t('Reconnecting…')}</span>
        {status === 'failed' && (
          <Button size="small" className="rounded-full" onClick={socket.retry}>
            {t('Retry')}
          </Button>
        )}
      </div>
    </div>
  );
}
