import { CloudOff } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { t } from '../lib/i18n.ts';
import { Spinner } from '../ui/spinner.tsx';

/** How long the connection must be lost before the bar is shown. Milliseconds. */
const PATIENCE_MS = 2_500;

function subscribe(listener: () => void): () => void {
  for (const name of ['online', 'offline']) window.addEventListener(name, listener);
  return () => {
    for (const name of ['online', 'offline']) window.removeEventListener(name, listener);
  };
}

interface ConnectionBarProps {
  isLive: boolean;
  hasWaiting: boolean;
}

/** Shows that the connection is lost, and that waiting messages will still be sent. */
export function ConnectionBar({ isLive, hasWaiting }: ConnectionBarProps) {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (isLive) return;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isLive]);
  const isShown = !isOnline || (!isLive && isLong);
  return (
    <div role="status" className="shrink-0">
      {isShown && (
        <p className="flex min-h-9 items-center justify-center gap-2 bg-warn-bg px-4 py-1.5 text-center text-control text-warn">
          {isOnline ? <Spinner /> : <CloudOff size={16} />}
          {isOnline ? reconnectingText(hasWaiting) : offlineText(hasWaiting)}
        </p>
      )}
    </div>
  );
}

function reconnectingText(hasWaiting: boolean): string {
  return hasWaiting
    ? t('Reconnecting… Your messages will be sent when the connection is back.')
    : t('Reconnecting…');
}

function offlineText(hasWaiting: boolean): string {
  return hasWaiting
    ? t('You’re offline. Your messages will be sent when the connection is back.')
    : t('You’re offline.');
}
