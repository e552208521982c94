import type { Message } from '@stagedoor/contract/messaging/messages';
import type { ClientToServerEvents, ServerToClientEvents } from '@stagedoor/contract/realtime';
import type { Socket } from 'socket.io-client';

/** The web client's value. Milliseconds. */
const CONFIRMATION_TIMEOUT = 5_000;

/** Sends a message over a socket. @returns the confirmed message; null if the socket doesn't confirm it */
export function sendOverSocket(
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
