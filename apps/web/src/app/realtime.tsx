import type { ServerEventName } from '@stagedoor/contract/realtime';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { createSender, SenderContext } from '../features/conversation/sender.ts';
import { endSession, useAdmin, useSession } from '../lib/session.ts';
import { createSocket, type RealtimeSocket, SocketContext } from '../lib/socket.ts';
import { createLiveCache, type LiveCache } from './live-cache.ts';
import { watchOccasions } from './refresh-occasions.ts';

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
    const stopWatching = watchOccasions(realtime);
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
