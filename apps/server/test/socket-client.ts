import { FAN_NAMESPACE, fanServerEvents } from '@stagedoor/contract/platform/fan-realtime';
import {
  type ClientToServerEvents,
  type ServerToClientEvents,
  serverEvents,
} from '@stagedoor/contract/realtime';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import type * as z from 'zod/mini';

/** How long to wait for an event before it counts as missing. Milliseconds. */
const PATIENCE_MS = 60_000;

/** The server's events, by name. */
type Events = Readonly<Record<string, z.ZodMiniType>>;
type Name<E extends Events> = keyof E & string;

/** A live connection and all its events. */
interface LiveSocket<E extends Events, S> {
  readonly socket: S;
  /**
   * Returns the oldest matching event of that name that was not returned before; it may have arrived already.
   * @throws Error when none arrives in time
   */
  nextEvent<N extends Name<E>>(
    name: N,
    matches?: (event: z.infer<E[N]>) => boolean,
  ): Promise<z.infer<E[N]>>;
  /** Returns all events of that name so far, in the order of arrival. */
  received<N extends Name<E>>(name: N): readonly z.infer<E[N]>[];
  /** Returns all events so far with their names, in the order of arrival. */
  everything(): readonly { name: string; payload: unknown }[];
  /** Resolves with the reason once the server or the network has closed the connection. */
  readonly closed: Promise<string>;
  close(): void;
}

export type StaffSocket = LiveSocket<
  typeof serverEvents,
  Socket<ServerToClientEvents, ClientToServerEvents>
>;
export type FanSocket = LiveSocket<typeof fanServerEvents, Socket>;

export interface HandshakeRefusal {
  readonly message: string;
  /** The error in the API's shape, if the server sent one. */
  readonly data: unknown;
}

export type HandshakeOptions = Partial<ManagerOptions & SocketOptions>;

/** Connects like the web client. @throws Error with the refusal's text when the handshake is refused */
export async function connectSocket(
  baseUrl: string,
  token: string | undefined,
  options: HandshakeOptions = {},
): Promise<StaffSocket> {
  const socket: StaffSocket['socket'] = unconnected(baseUrl, token, options);
  return connected(record(socket, serverEvents));
}

/** Connects like the fan client. @throws Error with the refusal's text when the handshake is refused */
export async function connectFanSocket(
  baseUrl: string,
  token: string | undefined,
  options: HandshakeOptions = {},
): Promise<FanSocket> {
  const socket = unconnected(baseUrl + FAN_NAMESPACE, token, options);
  return connected(record(socket, fanServerEvents));
}

async function connected<L extends LiveSocket<Events, Socket>>(live: L): Promise<L> {
  const refusal = await handshake(live.socket);
  if (refusal !== null) throw new Error(`the handshake was refused: ${refusal.message}`);
  return live;
}

/** Makes a handshake that must be refused. @param namespace the staff's by default @throws Error when it is accepted */
export async function refusedHandshake(
  baseUrl: string,
  token: string | undefined,
  options: HandshakeOptions = {},
  namespace: '' | typeof FAN_NAMESPACE = '',
): Promise<HandshakeRefusal & { readonly events: readonly unknown[] }> {
  const socket: Socket = unconnected(baseUrl + namespace, token, options);
  const live = record(socket, { ...serverEvents, ...fanServerEvents });
  const refusal = await handshake(socket);
  live.close();
  if (refusal === null) throw new Error('the handshake was accepted');
  return { ...refusal, events: live.everything() };
}

function unconnected(url: string, token: string | undefined, options: HandshakeOptions): Socket {
  return io(url, {
    transports: ['websocket'],
    auth: token === undefined ? {} : { token },
    // Tests reconnect explicitly.
    reconnection: false,
    forceNew: true,
    autoConnect: false,
    ...options,
  });
}

function handshake(socket: Socket): Promise<HandshakeRefusal | null> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(null));
    socket.once('connect_error', (error) => {
      socket.disconnect();
      resolve({ message: error.message, data: 'data' in error ? error.data : undefined });
    });
    socket.connect();
  });
}

function record<E extends Events, S extends Socket>(socket: S, schemas: E): LiveSocket<E, S> {
  const events: { name: string; payload: unknown; returned: boolean }[] = [];
  const listeners = new Set<() => void>();
  const versioned = new Set<string>();
  socket.onAny((name: Name<E>, payload: unknown) => {
    // Every event must match the contract, whichever test receives it.
    schemas[name]?.parse(payload);
    // A slow server may emit an event twice; like all clients, this one ignores duplicates.
    const text = JSON.stringify([name, payload]);
    if (versioned.has(text)) return;
    if ('version' in Object(payload)) versioned.add(text);
    events.push({ name, payload, returned: false });
    for (const listener of listeners) listener();
  });
  const closed = new Promise<string>((resolve) => {
    socket.once('disconnect', resolve);
  });

  return {
    socket,
    closed,
    everything: () => events,
    received: <N extends Name<E>>(name: N) =>
      events.filter((event) => event.name === name).map((event) => event.payload as z.infer<E[N]>),
    nextEvent<N extends Name<E>>(name: N, matches: (event: z.infer<E[N]>) => boolean = () => true) {
      return new Promise<z.infer<E[N]>>((resolve, reject) => {
        const look = () => {
          const found = events.find(
            (event) =>
              event.name === name && !event.returned && matches(event.payload as z.infer<E[N]>),
          );
          if (found === undefined) return;
          found.returned = true;
          settle(() => resolve(found.payload as z.infer<E[N]>));
        };
        const timer = setTimeout(() => {
          const seen = events.map((event) => event.name).join(', ') || 'nothing';
          settle(() => reject(new Error(`no such ${name} in ${PATIENCE_MS} ms; arrived: ${seen}`)));
        }, PATIENCE_MS);
        function settle(outcome: () => void): void {
          clearTimeout(timer);
          listeners.delete(look);
          outcome();
        }
        listeners.add(look);
        look();
      });
    },
    close: () => void socket.disconnect(),
  };
}
