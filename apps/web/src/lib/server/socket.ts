import {
  type ClientEventName,
  type ClientToServerEvents,
  type ServerEventName,
  type ServerToClientEvents,
  SOCKET_OPTIONS,
} from '@stagedoor/contract/realtime';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Socket } from 'socket.io-client';
import { afterPaint } from '../after-paint.ts';
import { t } from '../text/i18n.ts';

/** How the socket is. `failed` waits for {@link RealtimeSocket.retry}; `error` says what to tell. */
export type Connection =
  | { status: 'connecting' | 'connected' | 'reconnecting'; error: null }
  | { status: 'failed' | 'unauthenticated'; error: string };

/** The live connection to the server; one a tab. */
export interface RealtimeSocket {
  /** Connects as the holder of the token, in place of any connection before. */
  connect: (token: string | null) => void;
  disconnect: () => void;
  /** Starts over after a failure; does nothing while connected. */
  retry: () => void;
  /** Sends now or not at all: false when there is no connection. */
  emit: <N extends ClientEventName>(
    name: N,
    payload: Parameters<ClientToServerEvents[N]>[0],
  ) => boolean;
  getConnection: () => Connection;
  subscribe: (listener: () => void) => () => void;
}

export interface SocketHandlers {
  onEvent: (name: ServerEventName, payload: unknown) => void;
  /** The server does not accept the token: the session is over. */
  onUnauthorized: () => void;
}

type Client = Socket<ServerToClientEvents, ClientToServerEvents>;

/** A connection that lived this long was a real one: the next refusal starts counting anew. */
const STABLE_MS = 10_000;

const CONNECTING: Connection = { status: 'connecting', error: null };
const CONNECTED: Connection = { status: 'connected', error: null };
const RECONNECTING: Connection = { status: 'reconnecting', error: null };
const FAILED: Connection = { status: 'failed', error: t('Failed to reconnect to server') };
const NO_TOKEN: Connection = { status: 'unauthenticated', error: t('No authentication token') };

/** Whether the server refused a handshake because of who asks, so that asking again can't help. */
export function isAuthenticationError(error: Error & { data?: unknown }): boolean {
  const code = (error.data as { code?: unknown } | null | undefined)?.code;
  return code === 'unauthorized' || /not authenticated|authentication|token/i.test(error.message);
}

export function createSocket({ onEvent, onUnauthorized }: SocketHandlers): RealtimeSocket {
  let client: Client | null = null;
  let connection: Connection = CONNECTING;
  let refusals = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Tells a connection that is still loading its code that it was replaced. */
  let generation = 0;
  const listeners = new Set<() => void>();

  function change(next: Connection): void {
    if (next === connection) return;
    connection = next;
    for (const listener of listeners) listener();
  }

  function close(): void {
    generation += 1;
    clearTimeout(timer);
    client?.disconnect();
    client = null;
    refusals = 0;
  }

  /** The library reconnects lost connections by itself, but not those that the server ended or refused. */
  function connectAgain(to: Client): void {
    clearTimeout(timer);
    refusals += 1;
    if (refusals > SOCKET_OPTIONS.reconnectionAttempts) {
      change(FAILED);
      return;
    }
    change(RECONNECTING);
    const delay = SOCKET_OPTIONS.reconnectionDelay * 2 ** (refusals - 1);
    timer = setTimeout(() => to.connect(), Math.min(delay, SOCKET_OPTIONS.reconnectionDelayMax));
  }

  function listen(to: Client): void {
    to.onAny((name: ServerEventName, payload: unknown) => {
      const painted = afterPaint();
      if (painted === null) onEvent(name, payload);
      else void painted.then(() => client === to && onEvent(name, payload));
    });
    to.on('connect', () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        refusals = 0;
      }, STABLE_MS);
      change(CONNECTED);
    });
    to.on('disconnect', (reason) => {
      if (reason === 'io client disconnect') return;
      if (reason === 'io server disconnect') connectAgain(to);
      else change(RECONNECTING);
    });
    to.on('connect_error', (error) => {
      if (isAuthenticationError(error)) {
        close();
        onUnauthorized();
      } else if (to.active) {
        if (connection !== FAILED) change(RECONNECTING);
      } else {
        console.error(error.message || 'Socket error occurred', error);
        connectAgain(to);
      }
    });
    to.io.on('reconnect_failed', () => change(FAILED));
  }

  async function open(token: string): Promise<void> {
    generation += 1;
    const mine = generation;
    // Loaded beside the page, which is of use before it is live.
    const { io } = await import('socket.io-client');
    if (mine !== generation) return;
    const { transports, ...timing } = SOCKET_OPTIONS;
    client = io({
      ...timing,
      transports: [...transports],
      tryAllTransports: true,
      auth: { token },
      autoConnect: false,
    });
    listen(client);
    client.connect();
  }

  return {
    connect(token) {
      close();
      change(token === null ? NO_TOKEN : CONNECTING);
      if (token === null) return;
      open(token).catch((error: unknown) => {
        console.error('Socket error occurred', error);
        change(FAILED);
      });
    },
    disconnect: close,
    retry() {
      if (!client || client.connected) return;
      refusals = 0;
      change(RECONNECTING);
      client.connect();
    },
    emit(name, payload) {
      if (!client?.connected) return false;
      const untyped = client as Socket;
      untyped.emit(name, payload);
      return true;
    },
    getConnection: () => connection,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const SocketContext = createContext<RealtimeSocket | null>(null);

/** The tab's live connection. Only inside the provider. */
export function useSocket(): RealtimeSocket {
  const socket = useContext(SocketContext);
  if (!socket) throw new Error('useSocket outside of its provider');
  return socket;
}

/** How the connection is, re-rendering with it. */
export function useConnection(): Connection {
  const socket = useSocket();
  return useSyncExternalStore(socket.subscribe, socket.getConnection);
}
