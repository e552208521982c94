import { setTimeout as pause } from 'node:timers/promises';
import { type Message, sendMessage } from '@stagedoor/contract/messaging/messages';
import type { ClientToServerEvents, ServerToClientEvents } from '@stagedoor/contract/realtime';
import { io, type Socket } from 'socket.io-client';
import { unique } from './factories.ts';
import { httpClient } from './http-client.ts';
import { sendOverSocket } from './send-over-socket.ts';

/** The web client's values. Milliseconds. */
const GIVE_UP_AFTER = 30_000;
const FIRST_RETRY = 250;
const LONGEST_RETRY = 2_000;

/**
 * Retries a call until it succeeds.
 * @param attempt throws if a retry makes sense
 * @returns null when it gave up
 */
export async function persist<T>(attempt: () => Promise<T>): Promise<T | null> {
  const deadline = Date.now() + GIVE_UP_AFTER;
  for (let wait = FIRST_RETRY; ; wait = Math.min(wait * 2, LONGEST_RETRY)) {
    try {
      return await attempt();
    } catch {
      if (Date.now() + wait > deadline) return null;
      await pause(wait);
    }
  }
}

/** Sends like the web client: over the socket, and if that is not confirmed, the same message over HTTP. */
export interface PersistentSender {
  /** @returns the confirmed message; null when it gave up */
  send(conversationId: string, content: string): Promise<Pick<Message, 'id' | 'seq'> | null>;
  /** The number of messages confirmed over the socket and over HTTP. */
  readonly confirmedBy: { live: number; http: number };
  close(): void;
}

export function persistentSender(url: string, token: string): PersistentSender {
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io(url, {
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
    reconnectionDelay: 100,
    reconnectionDelayMax: 500,
  });
  const client = httpClient(url, token);
  const confirmedBy = { live: 0, http: 0 };

  return {
    confirmedBy,
    async send(conversationId, content) {
      const tempId = unique('temp');
      const live = await sendOverSocket(socket, {
        conversation_id: conversationId,
        content,
        tempId,
      });
      if (live !== null) {
        confirmedBy.live++;
        return live;
      }
      const reply = await persist(() =>
        client.call(sendMessage, {
          headers: { 'idempotency-key': tempId },
          body: { conversation_id: conversationId, content },
        }),
      );
      if (reply === null) return null;
      confirmedBy.http++;
      return reply.body.data;
    },
    close: () => void socket.disconnect(),
  };
}
