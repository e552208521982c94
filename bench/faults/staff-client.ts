import { randomUUID } from 'node:crypto';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import type { ClientToServerEvents, ServerToClientEvents } from '@stagedoor/contract/realtime';
import { io, type Socket } from 'socket.io-client';
import type { Call } from '../lib/calls.ts';
import type { Client, Outcome } from './client.ts';
import type { Ledger } from './ledger.ts';
import { clientCall, persist } from './persist.ts';

/** A message not confirmed within this time is sent over HTTP with the same id, as in the console. Milliseconds. */
const CONFIRM_MS = 5_000;

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

  /** Sends a message over the socket. @returns null if the socket doesn't confirm it */
  function overSocket(tempId: string, conversation_id: string, content: string) {
    if (!socket.connected) return Promise.resolve(null);
    return new Promise<{ id: string } | null>((resolve) => {
      const settle = (outcome: { id: string } | null) => {
        clearTimeout(late);
        socket.off('message_sent', onSent).off('message_error', onError).off('disconnect', onLost);
        resolve(outcome);
      };
      const onSent: ServerToClientEvents['message_sent'] = (event) => {
        if (event.tempId === tempId) settle(event.message);
      };
      const onError: ServerToClientEvents['message_error'] = (event) => {
        if (event.tempId === tempId) settle(null);
      };
      const onLost = () => settle(null);
      const late = setTimeout(onLost, CONFIRM_MS);
      socket.on('message_sent', onSent).on('message_error', onError).on('disconnect', onLost);
      socket.emit('send_message', { tempId, conversation_id, content });
    });
  }

  return {
    name,
    kind: 'staff',
    senders: 1,
    pauseMs: 40,
    call,
    async send(conversation_id, content): Promise<Outcome> {
      const tempId = `temp-${randomUUID()}`;
      const live = await overSocket(tempId, conversation_id, content);
      if (live !== null) return live;
      return persist(async () => {
        const headers = { 'idempotency-key': tempId };
        return (await call(sendMessage, { headers, body: { conversation_id, content } })).data;
      });
    },
    close: () => void socket.disconnect(),
  };
}
