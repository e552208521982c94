import { FAN_NAMESPACE, fanServerEvents } from '@stagedoor/contract/platform/fan-realtime';
import {
  type ClientToServerEvents,
  type ServerToClientEvents,
  serverEvents,
} from '@stagedoor/contract/realtime';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import type * as z from 'zod/mini';

/** Milliseconds that an event may take to arrive before the test counts it as missing. */
const PATIENCE_MS = 5_000;

/** What a server may tell, by event name. */
type Events = Readonly<Record<string, z.ZodMiniType>>;
type Name<E extends Events> = keyof E & string;

/** A live connection, with everything that it was told. */
interface LiveSocket<E extends Events, S> {
  readonly socket: S;
  /**
   * The oldest event of that name that matches and was not returned before; it may have arrived already.
   * @throws Error when none comes in time
   */
  nextEvent<N extends Name<E>>(
    name: N,
    matches?: (event: z.infer<E[N]>) => boolean,
  ): Promise<z.infer<E[N]>>;
  /** All events of that name so far, in the order of their arrival. */
  received<N extends Name<E>>(name: N): readonly z.infer<E[N]>[];
  /** Every event so far by its name, in the order of their arrival. */
  everything(): readonly { name: string; payload: unknown }[];
  /** Resolves with the reason once the server, or the connection, has ended it. */
  readonly closed: Promise<string>;
  close(): void;
}

export type StaffSocket = LiveSocket<
  typeof serverEvents,
  Socket<ServerToClientEvents, ClientToServerEvents>
>;
export type FanSocket = LiveSocket<typeof fanServerEvents, Socket>;

/** How a handshake was refused. */
export interface HandshakeRefusal {
  readonly message: string;
  /** The wire's error shape, where the server gave one. */
  readonly data: unknown;
}

export type HandshakeOptions = Partial<ManagerOptions & SocketOptions>;

/** Connects as the web client does. @throws Error with the refusal's text when the handshake is refused */
export async function connectSocket(
  baseUrl: string,
  token: string | undefined,
  options: HandshakeOptions = {},
): Promise<StaffSocket> {
  const socket: StaffSocket['socket'] = unconnected(baseUrl, token, options);
  return connected(record(socket, serverEvents));
}

/** Connects as the fan client does. @throws Error with the refusal's text when the handshake is refused */
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

/** A handshake that must be refused. @param namespace the staff's unless told @throws Error when it is accepted */
export async function refusedHandshake(
  baseUrl: string,
  token: string | undefined,
  options: HandshakeOptions = {},
  namespace: '' | typeof FAN_NAMESPACE = '',
): Promise<HandshakeRefusal & { readonly told: readonly unknown[] }> {
  const socket: Socket = unconnected(baseUrl + namespace, token, options);
  const live = record(socket, { ...serverEvents, ...fanServerEvents });
  const refusal = await handshake(socket);
  live.close();
  if (refusal === null) throw new Error('the handshake was accepted');
  return { ...refusal, told: live.everything() };
}

function unconnected(url: string, token: string | undefined, options: HandshakeOptions): Socket {
  return io(url, {
    transports: ['websocket'],
    auth: token === undefined ? {} : { token },
    // A test says itself when it connects again.
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
  socket.onAny((name: Name<E>, payload: unknown) => {
    // What a client is told keeps to the contract, whichever test looks on.
    schemas[name]?.parse(payload);
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
