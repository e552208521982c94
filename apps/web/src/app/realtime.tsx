import type { ServerEventName } from '@stagedoor/contract/realtime';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { createSender, SenderContext } from '../features/conversation/sender.ts';
import { endSession, getToken, useAdmin, useSession } from '../lib/session.ts';
import { createSocket, type RealtimeSocket, SocketContext } from '../lib/socket.ts';
import { createLiveCache, type LiveCache } from './live-cache.ts';

/** The page is looked at again: it is refreshed this much later, when its connection has had time to come back. */
const VISIBLE_REFRESH_MS = 500;

interface Realtime {
  socket: RealtimeSocket;
  sender: ReturnType<typeof createSender>;
  live: LiveCache;
}

function createRealtime(client: QueryClient, adminId: string): Realtime {
  const socket = createSocket({
    onEvent: (name: ServerEventName, payload) => live.receive(name, payload),
    onUnauthorized: endSession,
  });
  const sender = createSender({ client, socket });
  const live = createLiveCache({ client, adminId, sender });
  return { socket, sender, live };
}

/**
 * Refreshes all that is loaded whenever the connection comes about or the page is looked at again. The first time too: what
 * happened between the first fetches and the connection was told to nobody here.
 */
function watch({ socket, live }: Realtime): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onConnection = () => {
    if (socket.getConnection().status === 'connected') live.refreshSoon();
  };
  const onVisible = () => {
    clearTimeout(timer);
    if (document.visibilityState !== 'visible') return;
    if (socket.getConnection().status === 'failed') socket.retry();
    timer = setTimeout(() => {
      if (socket.getConnection().status === 'connected' && getToken() !== null) live.refresh();
    }, VISIBLE_REFRESH_MS);
  };
  const stop = socket.subscribe(onConnection);
  document.addEventListener('visibilitychange', onVisible);
  window.addEventListener('online', socket.retry);
  return () => {
    stop();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
    window.removeEventListener('online', socket.retry);
  };
}

/** Keeps everything below it live while an admin is signed in. */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const admin = useAdmin();
  const session = useSession();
  const token = session.status === 'signed_in' ? session.token : null;
  const [realtime] = useState(() => createRealtime(client, admin.id));

  useEffect(() => {
    const { socket, live } = realtime;
    const stopLive = live.start();
    const stopWatching = watch(realtime);
    socket.connect(token);
    return () => {
      stopWatching();
      stopLive();
      socket.disconnect();
    };
  }, [realtime, token]);

  return (
    <SocketContext value={realtime.socket}>
      <SenderContext value={realtime.sender}>{children}</SenderContext>
    </SocketContext>
  );
}
