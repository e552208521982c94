import { FAN_NAMESPACE } from '@stagedoor/contract/platform/fan-realtime';
import type { Socket } from 'socket.io';
import { AppError } from '../errors.ts';
import type { FanActor } from '../http/route.ts';
import { limitHandshakes } from './allowance.ts';
import { actorOf, type FailedHandshake, refuseHandshake } from './handshake.ts';
import { every } from './outbox.ts';
import {
  type FanNamespace,
  type FanSocketData,
  fanRoom,
  type StaffServer,
  sessionRoom,
} from './publish.ts';

interface FanSocketDependencies {
  readonly authenticate: (token: string) => Promise<FanActor | null>;
  readonly failed: FailedHandshake;
  /** Returns the ids of the sessions that are still valid. */
  readonly liveSessions: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Returns the ids of sessions that ended recently, on any node. Consecutive calls can return the same session. */
  readonly justEnded: () => Promise<readonly string[]>;
  readonly log: { warn(details: object, message: string): void };
}

type FanSocket = FanNamespace extends { sockets: Map<string, infer S extends Socket> } ? S : never;

/** Maximum open sockets per fan: more than anyone opens, even counting dead connections that were not noticed yet. */
const SOCKETS_PER_FAN = 30;
/** Handshakes per fan: leaves room for a phone that keeps losing its network. */
const HANDSHAKES = { max: 120, timeWindow: 60_000 };
/** A connection that sends more messages than this is cut off; fan clients have nothing to send. */
const MESSAGES_MAX = 20;
/** How often sessions that another node ended are looked up, so that their sockets close within a second. Milliseconds. */
const ENDINGS_MS = 500;
/**
 * The interval of the recheck in milliseconds, and the sockets checked per run. Ending a session closes its sockets; the recheck
 * finds sessions that expired, or that ended during a handshake. It checks the newest sockets first, then all in turn: 5,000
 * sockets take 20 seconds.
 */
const RECHECK_MS = 2_000;
const RECHECK_BATCH = 500;

/** Creates the fan client's namespace, whose sockets only receive. Call its `stop` before the socket server's. */
export function createFanNamespace(io: StaffServer, deps: FanSocketDependencies) {
  // The server's types describe the staff events, which this namespace doesn't use.
  const namespace = io.of(FAN_NAMESPACE) as unknown as FanNamespace;
  const fresh = new Set<FanSocket>();
  const allowHandshake = limitHandshakes(HANDSHAKES);
  let sweep = namespace.sockets.values();

  namespace.use((socket, next) => {
    void admit(socket).then(
      (data) => {
        Object.assign(socket.data, data);
        next();
      },
      (error: unknown) => refuseHandshake(socket, next, error),
    );
  });

  async function admit(socket: FanSocket): Promise<FanSocketData> {
    const actor = await actorOf(socket, deps.authenticate, deps.failed);
    const { conversation_id: conversationId } = actor.fan;
    allowHandshake(conversationId);
    const open = namespace.adapter.rooms.get(fanRoom(conversationId))?.size ?? 0;
    if (open >= SOCKETS_PER_FAN) throw new AppError('rate_limited');
    return { sessionId: actor.sessionId, conversationId };
  }

  namespace.on('connection', (socket) => {
    const { sessionId, conversationId } = socket.data;
    void socket.join([fanRoom(conversationId), sessionRoom(sessionId)]);
    fresh.add(socket);
    socket.on('disconnect', () => void fresh.delete(socket));
    let messages = 0;
    socket.conn.on('packet', ({ type }) => {
      if (type === 'message' && ++messages > MESSAGES_MAX) socket.disconnect(true);
    });
  });

  function takeBatch(): FanSocket[] {
    const batch = [...fresh].slice(0, RECHECK_BATCH);
    for (const socket of batch) fresh.delete(socket);
    while (batch.length < RECHECK_BATCH) {
      const { value, done } = sweep.next();
      if (done) {
        sweep = namespace.sockets.values();
        break;
      }
      batch.push(value);
    }
    return batch.filter(({ connected }) => connected);
  }

  const rechecking = every(
    RECHECK_MS,
    async () => {
      const batch = takeBatch();
      if (batch.length === 0) return;
      const live = await deps.liveSessions([...new Set(batch.map(({ data }) => data.sessionId))]);
      for (const socket of batch) if (!live.has(socket.data.sessionId)) socket.disconnect(true);
    },
    (error) => deps.log.warn({ err: error }, 'could not check the sessions of fan sockets'),
  );

  const closingEnded = every(
    ENDINGS_MS,
    async () => {
      if (namespace.sockets.size === 0) return;
      const here = (await deps.justEnded())
        .map(sessionRoom)
        .filter((room) => namespace.adapter.rooms.has(room));
      if (here.length > 0) namespace.local.in(here).disconnectSockets(true);
    },
    (error) => deps.log.warn({ err: error }, 'could not look up ended fan sessions'),
  );

  return {
    namespace,
    /** Returns the number of open sockets. */
    connected: () => namespace.sockets.size,
    async stop(): Promise<void> {
      await Promise.all([rechecking.stop(), closingEnded.stop()]);
      namespace.local.disconnectSockets(true);
    },
  };
}
