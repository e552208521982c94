import type { Server as HttpServer } from 'node:http';
import type { Database } from './db/database.ts';
import { createFanSessions } from './fans/fan-sessions/fan-sessions.service.ts';
import type { Logger } from './log.ts';
import type { Broker } from './realtime/broker.ts';
import { createFanNamespace } from './realtime/fan-socket.ts';
import type { FailedHandshake } from './realtime/handshake.ts';
import { createPublisher } from './realtime/publish.ts';
import { createReconnects } from './realtime/reconnect.ts';
import { createSocketServer } from './realtime/socket.ts';
import type { AuthService } from './team/auth/auth.service.ts';
import { liveSessions } from './team/auth/auth.store.ts';

interface SocketsDependencies {
  readonly server: HttpServer;
  readonly db: Database;
  readonly auth: Pick<AuthService, 'authenticate' | 'authenticateRecent'>;
  readonly failed: FailedHandshake;
  /** Records an admin's confirmed act, which keeps their work clock running. */
  readonly acted: (adminId: string) => void;
  /** The console's origin, if configured. */
  readonly publicOrigin: string | null;
  readonly broker: Broker | null;
  /** How long a new connection has to authenticate. Milliseconds. */
  readonly handshakeMs: number;
  readonly log: Logger;
}

/**
 * Opens the sockets of staff and fans, and the publisher that emits to them. Also creates the service for fan sessions, because
 * ending a session closes its sockets.
 */
export function openSockets(dependencies: SocketsDependencies) {
  const { server, db, auth, failed, acted, publicOrigin, broker, handshakeMs, log } = dependencies;
  const sockets = createSocketServer(server, {
    authenticate: auth.authenticate,
    authenticateRecent: auth.authenticateRecent,
    failed,
    acted,
    liveSessions: (ids) => liveSessions(db, ids),
    publicOrigin,
    broker,
    handshakeMs,
    log,
  });
  const fanSessions = createFanSessions({
    db,
    ended: (sessionIds) => publish.fanSessionsEnded(sessionIds),
    fanLeft: (conversationId) => publish.fanLeft(conversationId),
  });
  const fanSockets = createFanNamespace(sockets.io, {
    authenticate: fanSessions.authenticate,
    failed,
    liveSessions: fanSessions.live,
    justEnded: fanSessions.justEnded,
    log,
  });
  const publish = createPublisher(sockets.io, fanSockets.namespace, broker !== null);
  const reconnects = createReconnects([sockets.io.sockets, fanSockets.namespace]);
  broker?.onMissed(reconnects.all);
  return { sockets, fanSessions, fanSockets, publish, reconnects };
}
