import type { Server as HttpServer } from 'node:http';
import {
  actEvents,
  type ClientEvent,
  type ClientEventName,
  type ClientToServerEvents,
  clientEvents,
  presenceEvents,
  type ServerEvent,
  type ServerToClientEvents,
  SOCKET_MAX_FRAME_BYTES,
} from '@stagedoor/contract/realtime';
import { Server, type Socket } from 'socket.io';
import { AppError, mismatch, unauthorized } from '../errors.ts';
import { errorBody, toAppError } from '../http/error-reply.ts';
import { isOwnOrigin } from '../http/origin.ts';
import { type AdminActor, requireOnShift } from '../http/route.ts';
import { eventAllowance, limitHandshakes, shutOut } from './allowance.ts';
import type { Broker } from './broker.ts';
import { sendFramesTogether } from './frames-together.ts';
import { actorOf, type FailedHandshake, refuseHandshake } from './handshake.ts';
import { every } from './outbox.ts';
import {
  adminRoom,
  MANAGERS_ROOM,
  type SocketData,
  STAFF_ROOM,
  type StaffServer,
  sessionRoom,
} from './publish.ts';
import { dropStalledReaders } from './stalled-readers.ts';

type StaffSocket = Socket<ClientToServerEvents, ServerToClientEvents, object, SocketData>;

/** Emits to a single socket. */
type Emit = <N extends keyof ServerToClientEvents>(name: N, payload: ServerEvent<N>) => void;

/** The sender of an event, and how to reply. */
export interface EventContext {
  readonly actor: AdminActor;
  readonly socketId: string;
  /** The event's number in the order of arrival, counted over all sockets. */
  readonly arrival: number;
  /** Whether the socket is still connected. */
  isOpen(): boolean;
  /** Emits to the socket whose event is being handled. */
  readonly emit: Emit;
}

/** The fields of `message_error` that identify the event, so that the client knows which one failed. */
type ErrorReference = Pick<
  ServerEvent<'message_error'>,
  'tempId' | 'message_id' | 'conversation_id'
>;

/** Binds client events, as the router binds endpoints. */
export interface StaffEvents {
  on<N extends ClientEventName>(
    name: N,
    handle: (payload: ClientEvent<N>, context: EventContext) => Promise<void>,
    refer: (payload: ClientEvent<N>) => ErrorReference,
  ): void;
  /** @param listener called for each socket that connects, with a function that emits to the socket */
  opened(listener: (emit: Emit) => void): void;
  /** @param listener called with the id of each socket that disconnected */
  closed(listener: (socketId: string) => void): void;
}

interface SocketDependencies {
  readonly authenticate: (token: string) => Promise<AdminActor | null>;
  /** Like `authenticate`, for the events of an open socket. The result may be half a second old. */
  readonly authenticateRecent: (token: string) => Promise<AdminActor | null>;
  readonly failed: FailedHandshake;
  /** Records an admin's confirmed act, which keeps their work clock running. */
  readonly acted: (adminId: string) => void;
  /** Returns the ids of the sessions that are still valid, each with whether its admin manages admins. */
  readonly liveSessions: (ids: readonly string[]) => Promise<ReadonlyMap<string, boolean>>;
  /** The console's own origin, if configured. */
  readonly publicOrigin: string | null;
  /** Carries events to and from the sockets of other nodes; null without other nodes. */
  readonly broker: Pick<Broker, 'adapter'> | null;
  /** How long a new connection has to authenticate. Milliseconds. */
  readonly handshakeMs: number;
  readonly log: {
    error(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
}

/** Handshakes per session: enough for an integration that opens thousands of sockets, but a limit for a runaway program. */
const HANDSHAKES = { max: 30_000, timeWindow: 10_000 };
/** How often the sessions of open sockets are rechecked. A removed admin's sockets close within a second. */
const RECHECK_MS = 500;

/** Creates the socket server. `events` binds handlers; `stop` ends it, but not the HTTP server. */
export function createSocketServer(http: HttpServer, deps: SocketDependencies) {
  const io: StaffServer = new Server(http, {
    serveClient: false,
    maxHttpBufferSize: SOCKET_MAX_FRAME_BYTES,
    ...(deps.broker && { adapter: deps.broker.adapter }),
    connectTimeout: deps.handshakeMs,
    // Connection state recovery stays off: it would let a socket reconnect without authentication. CORS does not apply to
    // WebSockets, so the origin is checked here.
    allowRequest: (request, decide) => {
      const { origin, host } = request.headers;
      decide(null, origin === undefined || isOwnOrigin(origin, host, deps.publicOrigin));
    },
  });
  const handlers = new Map<
    ClientEventName,
    (socket: StaffSocket, payload: unknown) => Promise<void>
  >();
  const openedListeners: ((emit: Emit) => void)[] = [];
  const closedListeners: ((socketId: string) => void)[] = [];
  let underway = 0;
  let arrivals = 0;
  const allowHandshake = limitHandshakes(HANDSHAKES);
  const flooders = shutOut();

  io.use((socket, next) => {
    actorOf(socket, deps.authenticate, deps.failed)
      .then(({ sessionId, admin: { id: adminId, permissions } }) => {
        if (flooders.has(sessionId)) throw new AppError('rate_limited');
        allowHandshake(sessionId);
        const token = String(socket.handshake.auth.token);
        const manages = permissions.can_manage_admins;
        Object.assign(socket.data, { token, sessionId, adminId, manages } satisfies SocketData);
      })
      .then(
        () => next(),
        (error: unknown) => refuseHandshake(socket, next, error),
      );
  });

  io.on('connection', (socket) => {
    const { sessionId, adminId, manages } = socket.data;
    void socket.join([STAFF_ROOM, sessionRoom(sessionId), adminRoom(adminId)]);
    setManagersRoom(socket, manages);
    for (const listener of openedListeners) listener((name, body) => send(socket, name, body));
    socket.on('disconnect', () => {
      for (const listener of closedListeners) listener(socket.id);
    });
    const allowance = eventAllowance();
    socket.onAny((name: ClientEventName, payload: unknown) => {
      const handle = handlers.get(name);
      const may = handle === undefined ? allowance.refuse() : allowance.next();
      if (may === 'cut off') {
        // Events that had already arrived are still handled after the disconnect, but must not count as another flood.
        if (socket.connected) flooders.add(sessionId);
        socket.disconnect(true);
        return;
      }
      if (handle === undefined) return;
      if (may === 'refuse') {
        refuse(socket, new AppError('rate_limited'), referenceIn(payload));
        return;
      }
      underway++;
      void handle(socket, payload).finally(() => {
        allowance.done();
        underway--;
      });
    });
  });

  const rechecking = every(
    RECHECK_MS,
    async () => {
      const open = [...io.sockets.sockets.values()];
      if (open.length === 0) return;
      const live = await deps.liveSessions([...new Set(open.map((s) => s.data.sessionId))]);
      for (const socket of open) {
        const manages = live.get(socket.data.sessionId);
        if (manages === undefined) socket.disconnect(true);
        else setManagersRoom(socket, manages);
      }
    },
    (error) => deps.log.warn({ err: error }, 'could not check the sessions of open sockets'),
  );

  const stalled = dropStalledReaders(io);
  sendFramesTogether(io);

  const events: StaffEvents = {
    on(name, handle, refer) {
      handlers.set(name, async (socket, raw) => {
        const arrival = ++arrivals;
        const parsed = clientEvents[name].safeParse(raw);
        if (!parsed.success) {
          refuse(socket, mismatch(parsed.error.issues), referenceIn(raw));
          return;
        }
        const payload = parsed.data as ClientEvent<typeof name>;
        try {
          const actor = await deps.authenticateRecent(socket.data.token);
          if (actor === null) throw unauthorized();
          if (!presenceEvents.has(name)) requireOnShift(actor);
          await handle(payload, {
            actor,
            socketId: socket.id,
            arrival,
            isOpen: () => socket.connected,
            emit: (event, body) => send(socket, event, body),
          });
          if (actEvents.has(name)) deps.acted(actor.admin.id);
        } catch (error) {
          const known = toAppError(error);
          if (known.status >= 500) deps.log.error({ err: error, event: name }, 'event failed');
          refuse(socket, known, refer(payload));
          if (known.code === 'unauthorized') socket.disconnect(true);
        }
      });
    },
    opened: (listener) => void openedListeners.push(listener),
    closed: (listener) => void closedListeners.push(listener),
  };

  return {
    io,
    events,
    /** Returns the number of events being handled. */
    underway: () => underway,
    /** Returns the number of open sockets. */
    connected: () => io.sockets.sockets.size,
    /** Waits up to five seconds for running handlers, then closes all sockets. */
    async stop(): Promise<void> {
      stalled.stop();
      await rechecking.stop();
      const deadline = Date.now() + 5_000;
      while (underway > 0 && Date.now() < deadline) await new Promise((r) => setTimeout(r, 10));
      io.local.disconnectSockets(true);
      io.engine.close();
    },
  };
}

function setManagersRoom(socket: StaffSocket, manages: boolean): void {
  if (manages === socket.rooms.has(MANAGERS_ROOM)) return;
  void (manages ? socket.join(MANAGERS_ROOM) : socket.leave(MANAGERS_ROOM));
}

function send<N extends keyof ServerToClientEvents>(
  socket: StaffSocket,
  name: N,
  payload: ServerEvent<N>,
): void {
  // Socket.IO's types can't follow a name that is itself generic.
  (socket.emit as (event: string, body: unknown) => boolean).call(socket, name, payload);
}

function refuse(socket: StaffSocket, error: AppError, reference: ErrorReference): void {
  socket.emit('message_error', { ...errorBody(error), ...reference });
}

/** Returns the fields that identify an event whose payload has not been parsed. */
function referenceIn(payload: unknown): ErrorReference {
  if (typeof payload !== 'object' || payload === null) return {};
  const short = (key: string) => {
    const value: unknown = (payload as Record<string, unknown>)[key];
    return typeof value === 'string' && value.length <= 128 ? value : undefined;
  };
  const tempId = short('tempId');
  const messageId = short('message_id');
  return {
    ...(tempId !== undefined && { tempId }),
    ...(tempId === undefined && messageId !== undefined && { message_id: messageId }),
  };
}
