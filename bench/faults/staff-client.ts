import { randomUUID } from 'node:crypto';
import { type Message, sendMessage } from '@stagedoor/contract/messaging/messages';
import type { ClientToServerEvents, ServerToClientEvents } from '@stagedoor/contract/realtime';
import { io, type Socket } from 'socket.io-client';
import type { Call } from '../lib/calls.ts';
import type { Client, Outcome } from './client.ts';
import type { Ledger } from './ledger.ts';
import { clientCall, persist } from './persist.ts';

/** How long the console waits for a confirmation before it sends over HTTP. Milliseconds. */
const CONFIRMATION_TIMEOUT = 5_000;

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

/** Sends a message over a socket. @returns the confirmed message; null if the socket doesn't confirm it */
function sendOverSocket(
  socket: Socket<ServerToClientEvents, ClientToServerEvents>,
  message: { conversation_id: string; content: string; tempId: string },
): Promise<Message | null> {
  if (!socket.connected) return Promise.resolve(null);
  return new Promise((resolve) => {
    const settle = (outcome: Message | null) => {
      clearTimeout(timer);
      socket.off('message_sent', onSent).off('message_error', onError).off('disconnect', onLost);
      resolve(outcome);
    };
    const onSent: ServerToClientEvents['message_sent'] = (event) => {
      if (event.tempId === message.tempId) settle(event.message);
    };
    const onError: ServerToClientEvents['message_error'] = (event) => {
      if (event.tempId === message.tempId) settle(null);
    };
    const onLost = () => settle(null);
    const timer = setTimeout(onLost, CONFIRMATION_TIMEOUT);
    socket.on('message_sent', onSent).on('message_error', onError).on('disconnect', onLost);
    socket.emit('send_message', message);
  });
}
