import {
  FAN_NAMESPACE,
  type FanServerEventName,
  type ServerToFanEvents,
} from '@stagedoor/contract/fan-realtime';
import { io, type Socket } from 'socket.io-client';

interface LiveHandlers {
  onEvent: (name: FanServerEventName, payload: unknown) => void;
  /** Connected, for the first time or again: what was said meanwhile has to be fetched. */
  onConnected: () => void;
  onLost: () => void;
  /** The server ended or refused the connection: whether the session is over has to be asked. */
  onRefused: () => void;
}

export interface Live {
  /** Tries at once, where a connection is being waited for. */
  nudge: () => void;
  close: () => void;
}

/** Milliseconds. After a refusal the library would not try again by itself. */
const REFUSED_PAUSE_MS = 5_000;

/** Keeps a live connection to the server as the holder of the token, until it is closed. */
export function connectLive(token: string, handlers: LiveHandlers): Live {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const socket: Socket<ServerToFanEvents> = io(FAN_NAMESPACE, {
    auth: { token },
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 1_000,
    reconnectionDelayMax: 10_000,
    timeout: 20_000,
    forceNew: true,
  });
  const refused = () => {
    handlers.onLost();
    handlers.onRefused();
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), REFUSED_PAUSE_MS);
  };
  socket.onAny((name: FanServerEventName, payload: unknown) => handlers.onEvent(name, payload));
  socket.on('connect', handlers.onConnected);
  socket.on('disconnect', (reason) => {
    if (reason === 'io client disconnect') return;
    if (reason === 'io server disconnect') refused();
    else handlers.onLost();
  });
  socket.on('connect_error', () => {
    if (socket.active) handlers.onLost();
    else refused();
  });
  return {
    nudge() {
      if (!socket.connected) socket.connect();
    },
    close() {
      clearTimeout(timer);
      socket.disconnect();
    },
  };
}
