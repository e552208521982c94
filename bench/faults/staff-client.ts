import { randomUUID } from 'node:crypto';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import type { ClientToServerEvents, ServerToClientEvents } from '@stagedoor/contract/realtime';
import { io, type Socket } from 'socket.io-client';
import { sendOverSocket } from '../../apps/server/test/send-over-socket.ts';
import type { Call } from '../lib/calls.ts';
import type { Client, Outcome } from './client.ts';
import type { Ledger } from './ledger.ts';
import { clientCall, persist } from './persist.ts';

/** A staff member with their own session, who sends as the console does. */
export interface StaffClient extends Client {
  readonly call: Call;
}

export function openStaffClient(
  name: string,
  { url, token, ledger }: { url: string; token: string; ledger: Ledger },
): StaffClient {
  const call = clientCall(url, token, ledger);
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io(url, {
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
    reconnectionDelay: 200,
    reconnectionDelayMax: 1_000,
  });
  socket.on('disconnect', (reason) => {
    // Socket.IO doesn't reconnect by itself after the server disconnects.
    if (reason === 'io server disconnect') socket.connect();
  });

  return {
    name,
    kind: 'staff',
    senders: 1,
    pauseMs: 40,
    call,
    async send(conversation_id, content): Promise<Outcome> {
      const tempId = `temp-${randomUUID()}`;
      const live = await sendOverSocket(socket, { tempId, conversation_id, content });
      if (live !== null) return live;
      return persist(async () => {
        const headers = { 'idempotency-key': tempId };
        return (await call(sendMessage, { headers, body: { conversation_id, content } })).data;
      });
    },
    close: () => void socket.disconnect(),
  };
}
