import { persistently } from '@stagedoor/browser/lazy-part';
import {
  type ClientEventName,
  type ClientToServerEvents,
  type ServerEventName,
  type ServerToClientEvents,
  SOCKET_OPTIONS,
} from '@stagedoor/contract/realtime';
import { createContext, useSyncExternalStore } from 'react';
import type { Socket } from 'socket.io-client';
import { afterPaint } from '../after-paint.ts';
import { createListeners } from '../listeners.ts';
import { t } from '../text/i18n.ts';
import { useProvided } from '../use-provided.ts';

/** The state of the socket. `failed` waits for {@link RealtimeSocket.retry}; `error` is the text to show. */
export type Connection =
  | { status: 'connecting' | 'connected' | 'reconnecting'; error: null }
  | { status: 'failed' | 'unauthenticated'; error: string };

/** The live connection to the server; one per tab. */
export interface RealtimeSocket {
  connect: (token: string | null) => void;
  disconnect: () => void;
  /** Reconnects after a failure. Does nothing while connected. */
  retry: () => void;
  /** Sends immediately or not at all. Returns false if there is no connection. */
  emit: <N extends ClientEventName>(
    name: N,
    payload: Parameters<ClientToServerEvents[N]>[0],
  ) => boolean;
  getConnection: () => Connection;
  subscribe: (listener: () => void) => () => void;
}

export interface SocketHandlers {
  onEvent: (name: ServerEventName, payload: unknown) => void;
  /** Called when the server rejects the token: the session is over. */
  onUnauthorized: () => void;
}

type Client = Socket<ServerToClientEvents, ClientToServerEvents>;

/** How long a connection must last to count as successful. It then resets the count of refusals. Milliseconds. */
const STABLE_MS = 10_000;

const CONNECTING: Connection = { status: 'connecting', error: null };
const CONNECTED: Connection = { status: 'connected', error: null };
const RECONNECTING: Connection = { status: 'reconnecting', error: null };
const FAILED: Connection = { status: 'failed', error: t('Failed to reconnect to server') };
const NO_TOKEN: Connection = { status: 'unauthenticated', error: t('No authentication token') };

/** Returns whether the server refused a handshake because of the token, so that a retry can't help. */
export function isAuthenticationError(error: Error & { data?: unknown }): boolean {
  const code = (error.data as { code?: unknown } | null | undefined)?.code;
  return code === 'unauthorized' || /not authenticated|authentication|token/i.test(error.message);
}

export function createSocket({ onEvent, onUnauthorized }: SocketHandlers): RealtimeSocket {
  let client: Client | null = null;
  let lastToken: string | null = null;
  let connection: Connection = CONNECTING;
  let refusals = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Lets a connection whose code is still loading detect that it was replaced. */
  let generation = 0;
  const listeners = createListeners();

  function change(next: Connection): void {
    if (next === connection) return;
    connection = next;
    listeners.notify();
  }

  function close(): void {
    generation += 1;
    clearTimeout(timer);
    client?.disconnect();
    client = null;
    refusals = 0;
  }

  /** Reconnects after the server closed or refused the connection. Socket.IO itself only reconnects lost connections. */
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
    // The socket code is loaded separately, because the page is already useful without live updates.
    const { io } = await persistently(() => import('socket.io-client'));
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

  function connect(token: string | null): void {
    close();
    lastToken = token;
    change(token === null ? NO_TOKEN : CONNECTING);
    if (token === null) return;
    open(token).catch((error: unknown) => {
      console.error('Socket error occurred', error);
      change(FAILED);
    });
  }

  return {
    connect,
    disconnect: close,
    retry() {
      // There is no client if the socket's code failed to load: load it again.
      if (!client && connection === FAILED) connect(lastToken);
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
    subscribe: listeners.subscribe,
  };
}

export const SocketContext = createContext<RealtimeSocket | null>(null);

/** Returns the tab's live connection. */
export const useSocket = () => useProvided(SocketContext);

export function useConnection(): Connection {
  const socket = useSocket();
  return useSyncExternalStore(socket.subscribe, socket.getConnection);
}
