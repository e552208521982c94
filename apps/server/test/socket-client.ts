import type {
  ClientToServerEvents,
  ServerEvent,
  ServerEventName,
  ServerToClientEvents,
} from '@stagedoor/contract/realtime';
import { serverEvents } from '@stagedoor/contract/realtime';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';

/** Milliseconds that an event may take to arrive before the test counts it as missing. */
const PATIENCE_MS = 5_000;

type RawSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

/** A staff member's live connection, with everything that it was told. */
export interface StaffSocket {
  readonly socket: RawSocket;
  /**
   * The oldest event of that name that matches and was not returned before; it may have arrived already.
   * @throws Error when none comes in time
   */
  nextEvent<N extends ServerEventName>(
    name: N,
    matches?: (event: ServerEvent<N>) => boolean,
  ): Promise<ServerEvent<N>>;
  /** All events of that name so far, in the order of their arrival. */
  received<N extends ServerEventName>(name: N): readonly ServerEvent<N>[];
  /** Every event so far by its name, in the order of their arrival. */
  everything(): readonly { name: string; payload: unknown }[];
  /** Resolves with the reason once the server, or the connection, has ended it. */
  readonly closed: Promise<string>;
  close(): void;
}

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
  const socket = unconnected(baseUrl, token, options);
  const staff = record(socket);
  const refusal = await handshake(socket);
  if (refusal !== null) throw new Error(`the handshake was refused: ${refusal.message}`);
  return staff;
}

/** A handshake that must be refused. @throws Error when it is accepted */
export async function refusedHandshake(
  baseUrl: string,
  token: string | undefined,
  options: HandshakeOptions = {},
): Promise<HandshakeRefusal & { readonly told: readonly unknown[] }> {
  const socket = unconnected(baseUrl, token, options);
  const staff = record(socket);
  const refusal = await handshake(socket);
  staff.close();
  if (refusal === null) throw new Error('the handshake was accepted');
  return { ...refusal, told: staff.everything() };
}

function unconnected(
  baseUrl: string,
  token: string | undefined,
  options: HandshakeOptions,
): RawSocket {
  return io(baseUrl, {
    transports: ['websocket'],
    auth: token === undefined ? {} : { token },
    // A test says itself when it connects again.
    reconnection: false,
    forceNew: true,
    autoConnect: false,
    ...options,
  });
}

function handshake(socket: RawSocket): Promise<HandshakeRefusal | null> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(null));
    socket.once('connect_error', (error) => {
      socket.disconnect();
      resolve({ message: error.message, data: 'data' in error ? error.data : undefined });
    });
    socket.connect();
  });
}

function record(socket: RawSocket): StaffSocket {
  const events: { name: string; payload: unknown; returned: boolean }[] = [];
  const listeners = new Set<() => void>();
  socket.onAny((name: ServerEventName, payload: unknown) => {
    // What a client is told keeps to the contract, whichever test looks on.
    serverEvents[name].parse(payload);
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
    received: <N extends ServerEventName>(name: N) =>
      events.filter((event) => event.name === name).map((event) => event.payload as ServerEvent<N>),
    nextEvent<N extends ServerEventName>(
      name: N,
      matches: (event: ServerEvent<N>) => boolean = () => true,
    ) {
      return new Promise<ServerEvent<N>>((resolve, reject) => {
        const look = () => {
          const found = events.find(
            (event) =>
              event.name === name && !event.returned && matches(event.payload as ServerEvent<N>),
          );
          if (found === undefined) return;
          found.returned = true;
          settle(() => resolve(found.payload as ServerEvent<N>));
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
