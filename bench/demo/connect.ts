import { io, type Socket } from 'socket.io-client';
import { isMassMessage } from './campaign.ts';
import type { Ledger, Watcher } from './ledger.ts';

interface Seen {
  readonly id: string;
  readonly conversation_id: string;
  readonly seq: number;
  readonly content: string;
}

/**
 * Opens a socket and records in the ledger which messages it receives.
 * @param conversation the fan's conversation; null for staff, who receive all
 * @param onMessage called with each `new_message`
 * @returns the socket, once it is connected
 * @throws Error when the handshake is refused
 */
export function openSocket<Event extends { readonly message: Seen }>(
  url: string,
  token: string,
  ledger: Ledger,
  conversation: string | null,
  onMessage: (event: Event) => void,
): Promise<Socket> {
  const socket = io(url, { transports: ['websocket'], auth: { token }, forceNew: true });
  return new Promise((resolve, reject) => {
    let watcher: Watcher | null = null;
    socket.on('connect', () => {
      if (watcher !== null) ledger.interrupted(watcher);
      watcher ??= ledger.watch(conversation === null ? 'staff' : 'fan', conversation);
      resolve(socket);
    });
    socket.on('connect_error', (error) => {
      // Socket.IO retries network errors by itself, but a refused handshake is final.
      if (watcher === null && !socket.active) reject(error);
    });
    socket.on('new_message', (event: Event) => {
      // Mass messages are emitted in batches, so a newer message may arrive first. Clients sort by `seq`.
      if (watcher !== null && !isMassMessage(event.message)) ledger.arrive(watcher, event.message);
      onMessage(event);
    });
  });
}
