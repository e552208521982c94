import {
  FAN_NAMESPACE,
  type FanServerEventName,
  type ServerToFanEvents,
} from '@stagedoor/contract/platform/fan-realtime';
import type { Socket } from 'socket.io-client';

interface LiveHandlers {
  onEvent: (name: FanServerEventName, payload: unknown) => void;
  /** Called after each connect. Events before it were missed and must be fetched. */
  onConnected: () => void;
  onLost: () => void;
  /** Called when the server ended or refused the connection. The session may be over. */
  onRefused: () => void;
}

export interface Live {
  /** Reconnects immediately if the connection is lost. */
  nudge: () => void;
  close: () => void;
}

/** The pause before a retry after a refusal or a failed import, which Socket.IO does not retry. Milliseconds. */
const PAUSE_MS = 5_000;

/**
 * Keeps a live connection to the server with the token until it is closed. Socket.IO is loaded after the conversation, which
 * works without it.
 */
export function connectLive(token: string, handlers: LiveHandlers): Live {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let socket: Socket<ServerToFanEvents> | null = null;
  let isClosed = false;

  async function open(): Promise<void> {
    try {
      const { io } = await import('socket.io-client');
      if (isClosed) return;
      socket = io(FAN_NAMESPACE, {
        auth: { token },
        transports: ['websocket', 'polling'],
        tryAllTransports: true,
        reconnectionDelay: 1_000,
        reconnectionDelayMax: 5_000,
        timeout: 20_000,
        forceNew: true,
      });
      listen(socket);
    } catch {
      if (isClosed) return;
      handlers.onLost();
      timer = setTimeout(() => void open(), PAUSE_MS);
    }
  }

  function listen(opened: Socket<ServerToFanEvents>): void {
    const refused = () => {
      handlers.onLost();
      handlers.onRefused();
      clearTimeout(timer);
      timer = setTimeout(() => opened.connect(), PAUSE_MS);
    };
    opened.onAny((name: FanServerEventName, payload: unknown) => handlers.onEvent(name, payload));
    opened.on('connect', handlers.onConnected);
    opened.on('disconnect', (reason) => {
      if (reason === 'io client disconnect') return;
      if (reason === 'io server disconnect') refused();
      else handlers.onLost();
    });
    opened.on('connect_error', () => {
      if (opened.active) handlers.onLost();
      else refused();
    });
  }

  void open();
  return {
    nudge() {
      if (socket?.connected === false) socket.connect();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      socket?.disconnect();
    },
  };
}
