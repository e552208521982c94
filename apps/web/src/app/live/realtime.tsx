import type { ServerEventName } from '@stagedoor/contract/realtime';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { afterFirstPaint, startLazyLoads, withPart } from '../../lib/lazy-loads.ts';
import { endSession, useAdmin, useSession } from '../../lib/server/session.ts';
import { createSocket, type RealtimeSocket, SocketContext } from '../../lib/server/socket.ts';
import { emitServerEvent } from '../../lib/server-event-bus.ts';
import { createSender, SenderContext } from '../../messaging/messages/sender.ts';
import { createLiveCache, type LiveCache } from './live-cache.ts';
import { watchOccasions } from './refresh-occasions.ts';

interface Realtime {
  socket: RealtimeSocket;
  sender: ReturnType<typeof createSender>;
  live: LiveCache;
}

function createRealtime(client: QueryClient, adminId: string): Realtime {
  const socket = createSocket({
    onEvent: (name: ServerEventName, payload) => {
      live.receive(name, payload);
      emitServerEvent(name, payload);
    },
    onUnauthorized: endSession,
  });
  const sender = createSender({ client, socket });
  const live = createLiveCache({ client, adminId, sender });
  return { socket, sender, live };
}

/** The maximum time the connection waits for the first list. Milliseconds. */
const LIST_PATIENCE_MS = 1_000;

/**
 * Calls back once no inbox list is being fetched and its rows are painted, so that on a slow connection the rows come first.
 * @returns a function that cancels this
 */
function whenListed(client: QueryClient, callback: () => void): () => void {
  // Also fires if nothing is painted, as in a background tab.
  const timer = setTimeout(finish, LIST_PATIENCE_MS);
  let frame = 0;
  let idle = 0;
  const unsubscribe = client.getQueryCache().subscribe(look);
  look();
  function look(): void {
    if (frame !== 0 || client.isFetching({ queryKey: ['inbox', 'list'] }) > 0) return;
    // The rows render in several steps, which are all painted before the browser becomes idle.
    frame = requestAnimationFrame(() => {
      // Safari has no `requestIdleCallback`: wait for the next frame.
      if ('requestIdleCallback' in window) idle = requestIdleCallback(finish);
      else frame = requestAnimationFrame(finish);
    });
  }
  function stop(): void {
    unsubscribe();
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    if (idle !== 0) cancelIdleCallback(idle);
  }
  function finish(): void {
    stop();
    callback();
  }
  return stop;
}

/** Starts the lazy live updates: drafts from other devices, and presence. @returns a function that stops them */
function startLazy(socket: RealtimeSocket): () => void {
  let stop: (() => void) | null = () => undefined;
  withPart(
    () => afterFirstPaint(() => import('./live-lazy.ts')),
    ({ startLive }) => {
      if (stop) stop = startLive(socket);
    },
  );
  return () => {
    stop?.();
    stop = null;
  };
}

/** Provides live updates to its children while an admin is signed in. */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const admin = useAdmin();
  const session = useSession();
  const token = session.status === 'signed_in' ? session.token : null;
  const [realtime] = useState(() => createRealtime(client, admin.id));
  useNews(client, admin.id);

  useEffect(() => {
    const { socket, live } = realtime;
    const stopLive = live.start();
    const stopWatching = watchOccasions(realtime);
    const stopWaiting = whenListed(client, () => {
      startLazyLoads();
      socket.connect(token);
    });
    const stopLazy = startLazy(socket);
    return () => {
      stopLazy();
      stopWaiting();
      stopWatching();
      stopLive();
      socket.disconnect();
    };
  }, [client, realtime, token]);

  return (
    <SocketContext value={realtime.socket}>
      <SenderContext value={realtime.sender}>{children}</SenderContext>
    </SocketContext>
  );
}

/** Milliseconds until the lazy code for notifications and offline data is loaded. */
const DELAY_MS = 2_000;

/** Notifies the admin of news and stores data for offline use. Neither is part of the first load. */
function useNews(client: QueryClient, adminId: string): void {
  const navigate = useNavigate();
  const open = useEffectEvent((path: string) => void navigate(path));
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isOver = false;
    const begin = async () => {
      const [{ watchNews }, { keepShown }] = await Promise.all([
        import('./watch-news.ts'),
        import('./keep-shown.ts'),
      ]);
      if (isOver) return;
      const stopKeeping = keepShown(client, adminId);
      const stopNews = watchNews({ client, adminId, open });
      stop = () => {
        stopNews();
        stopKeeping();
      };
    };
    const timer = setTimeout(() => {
      begin().catch((error: unknown) => console.error('Failed to watch for news', error));
    }, DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [client, adminId]);
}
