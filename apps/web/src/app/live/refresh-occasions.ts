import { getToken } from '../../lib/server/session.ts';
import type { RealtimeSocket } from '../../lib/server/socket.ts';
import type { LiveCache } from './live-cache.ts';

/** Milliseconds between the page becoming visible and the refresh, which gives the connection time to come back. */
const VISIBLE_REFRESH_MS = 500;

interface Watched {
  socket: Pick<RealtimeSocket, 'getConnection' | 'retry' | 'subscribe'>;
  live: Pick<LiveCache, 'refresh' | 'refreshSoon'>;
}

interface Page {
  document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>;
}

/**
 * Refreshes all loaded data whenever the connection is established or the page becomes visible. This includes the first
 * connection, because events between the first fetches and that connection are missed.
 * @returns a function that stops this
 */
export function watchOccasions(
  { socket, live }: Watched,
  page: Page = { document, window },
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onConnection = () => {
    if (socket.getConnection().status === 'connected') live.refreshSoon();
  };
  const onVisible = () => {
    clearTimeout(timer);
    if (page.document.visibilityState !== 'visible') return;
    if (socket.getConnection().status === 'failed') socket.retry();
    timer = setTimeout(() => {
      if (socket.getConnection().status === 'connected' && getToken() !== null) live.refresh();
    }, VISIBLE_REFRESH_MS);
  };
  const stop = socket.subscribe(onConnection);
  page.document.addEventListener('visibilitychange', onVisible);
  page.window.addEventListener('online', socket.retry);
  return () => {
    stop();
    clearTimeout(timer);
    page.document.removeEventListener('visibilitychange', onVisible);
    page.window.removeEventListener('online', socket.retry);
  };
}
