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
  /** Those of the sessions that are still good. */
  readonly liveSessions: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Sessions that ended a moment ago, on whatever node; more than once the same. */
  readonly justEnded: () => Promise<readonly string[]>;
  readonly log: { warn(details: object, message: string): void };
}

type FanSocket = FanNamespace extends { sockets: Map<string, infer S extends Socket> } ? S : never;

/** Windows of one fan that may listen at once: more than anyone opens, connections that died unnoticed included. */
const SOCKETS_PER_FAN = 30;
/** Of one fan: a phone that loses its network all the time makes a few. */
const HANDSHAKES = { max: 120, timeWindow: 60_000 };
/** Messages that a connection may send although there is nothing to send: who goes on is cut off. */
const MESSAGES_MAX = 20;
/** Sessions that another node ended are looked for this often, so that they are out within a second. Milliseconds. */
const ENDINGS_MS = 500;
/**
 * Whoever ends a session closes its sockets; this finds those that ran out, or ended while their handshake was under way.
 * The newest come first, then all in turn: 5,000 take 20 seconds. Milliseconds, and sockets at a time.
 */
const RECHECK_MS = 2_000;
const RECHECK_BATCH = 500;

/** The namespace of the fan client: sockets that are told, and are not listened to. `stop` comes before the server's. */
export function createFanNamespace(io: StaffServer, deps: FanSocketDependencies) {
  // The server's types are those of the staff's events, which are none of this namespace's.
  const namespace = io.of(FAN_NAMESPACE) as unknown as FanNamespace;
  const fresh = new Set<FanSocket>();
  const allowHandshake = limitHandshakes(HANDSHAKES);
  let round = namespace.sockets.values();

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

  /** The next that are to be looked at. */
  function takeBatch(): FanSocket[] {
    const batch = [...fresh].slice(0, RECHECK_BATCH);
    for (const socket of batch) fresh.delete(socket);
    while (batch.length < RECHECK_BATCH) {
      const { value, done } = round.next();
      if (done) {
        round = namespace.sockets.values();
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
    /** Open sockets. */
    connected: () => namespace.sockets.size,
    async stop(): Promise<void> {
      await Promise.all([rechecking.stop(), closingEnded.stop()]);
      namespace.local.disconnectSockets(true);
    },
  };
}
