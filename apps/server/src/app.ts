import type { AddressInfo } from 'node:net';
import { bindEndpoints } from './bind-endpoints.ts';
import type { Config } from './config.ts';
import { serveInviteLink } from './fans/invites/invite-link.ts';
import { clientAddress } from './http/client-address.ts';
import { createFailureCount } from './http/failed-credentials.ts';
import { createMetrics } from './http/metrics.ts';
import { serveOperations } from './http/operations.routes.ts';
import { type Authenticators, createRouter, type Router } from './http/route.ts';
import { createHttpServer, PATIENCE, type Patience } from './http/server.ts';
import { bindPresenceEvents } from './inbox/presence/presence.socket.ts';
import { type DevelopmentMailbox, serveDevelopmentMailbox } from './mail/development-mailbox.ts';
import type { Mailer } from './mail/mailer.ts';
import { watchedMailer } from './mail/watched-mailer.ts';
import { serveMedia } from './media/serve-media.ts';
import { bindMessageEvents } from './messaging/messages/messages.socket.ts';
import { FAN_WELCOME_PATH, serveFanClient } from './platform/fan-app/serve-fan-client.ts';
import { countDeliveries } from './platform/webhooks/webhooks.store.ts';
import { serveSampleAvatars } from './sample/avatars.ts';
import { openServices, type ServiceParts } from './services.ts';
import { openSockets } from './sockets.ts';
import { createAuthService } from './team/auth/auth.service.ts';
import { serveAvatars } from './team/creator/serve-avatars.ts';

/** While closing, idle connections are looked for this often. */
const CLOSE_IDLE_MS = 50;

export interface AppParts extends ServiceParts {
  readonly config: Pick<
    Config,
    'host' | 'port' | 'publicUrl' | 'trustProxy' | 'dataDir' | 'retention' | 'metricsToken'
  >;
  readonly mailer: Mailer | DevelopmentMailbox;
  /** The key of the codes' HMACs. */
  readonly codeKey: Buffer;
  /** The built web client's folder; null leaves it out. */
  readonly webRoot: string | null;
  /** The built fan client's folder; null leaves it out. */
  readonly fanRoot: string | null;
  /** How long slow clients are waited for; as usual unless told. */
  readonly patience?: Partial<Patience>;
  /** Whether the sample fans' pictures are served. */
  readonly sampleAvatars?: boolean;
}

export interface App {
  /** Where it listens, for example `http://127.0.0.1:3000`. */
  readonly address: string;
  /** What it serves, for documentation and tests. */
  readonly router: Router;
  /** All that it answers, those endpoints included: `GET /api/health`. */
  readonly routes: ReadonlySet<string>;
  readonly openapi: () => object;
  /** Closes all sockets at once; their clients connect again, here or elsewhere. */
  dropSockets(): void;
  /** Stops taking work, ends what is under way, and closes everything but the database. */
  close(): Promise<void>;
}

/** Wires the whole server by hand and listens. */
export async function startApp(parts: AppParts): Promise<App> {
  const { config, db, storage, log, broker = null } = parts;
  const metrics = createMetrics();
  const mailer = watchedMailer(parts.mailer, () => metrics.mailFailures.inc());
  const publicOrigin = config.publicUrl === null ? null : new URL(config.publicUrl).origin;
  const secure = publicOrigin?.startsWith('https:') ?? false;

  const http = await createHttpServer({
    log,
    trustProxy: config.trustProxy,
    secure,
    webRoot: parts.webRoot,
    broker,
    patience: parts.patience,
  });
  const routes = new Set<string>();
  http.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.add(`${one} ${url}`);
  });
  const auth = createAuthService({ db, mailer, codeKey: parts.codeKey, log });
  const failed = createFailureCount(broker);
  const addressBehind = clientAddress(config.trustProxy);
  const { sockets, fanSessions, fanSockets, publish, reconnects } = openSockets({
    server: http.server,
    db,
    auth,
    failed: (request) => failed(addressBehind(request)),
    publicOrigin,
    broker,
    handshakeMs: parts.patience?.handshake ?? PATIENCE.handshake,
    log,
  });
  const base = () => config.publicUrl ?? addressOf(config.host, http.server.address());
  const logError = (error: unknown) => log.error({ err: error }, 'background work failed');
  const services = await openServices(parts, { http, metrics, mailer, publish, base, logError });
  const { conversations, messages, links, urls, keys, presence } = services;

  const authenticators: Authenticators = {
    admin: auth.authenticate,
    avatarCookie: auth.authenticateAvatarCookie,
    platform: keys.authenticate,
    fan: fanSessions.authenticate,
    failed,
    publicOrigin,
  };
  const router = createRouter(http, authenticators);
  bindEndpoints(router, {
    ...services,
    db,
    storage,
    publish,
    auth,
    fanSessions,
    base,
    publicUrl: config.publicUrl,
    secure,
    logError,
  });
  bindMessageEvents(sockets.events, { messages });
  bindPresenceEvents(sockets.events, { presence, requireConversation: conversations.get });
  serveMedia(http, { db, storage, links, gate: auth });
  serveAvatars(http, storage);
  if (await serveFanClient(http, { fanRoot: parts.fanRoot, urls, publicOrigin })) {
    serveInviteLink(http, FAN_WELCOME_PATH);
  }
  serveOperations(http, {
    metrics,
    metricsToken: config.metricsToken,
    publicUrl: config.publicUrl,
    dataDir: config.dataDir,
    db,
    broker,
    sockets,
    fanSockets,
    countDeliveries: () => countDeliveries(db),
  });
  if ('received' in parts.mailer) serveDevelopmentMailbox(http, parts.mailer);
  if (parts.sampleAvatars) serveSampleAvatars(http);

  await http.listen({ host: config.host, port: config.port });
  await services.jobs.start();
  services.webhooks.start();
  return {
    address: addressOf(config.host, http.server.address()),
    router,
    routes,
    openapi: () => http.swagger(),
    dropSockets: reconnects.atOnce,
    async close() {
      // New connections are refused from here on; requests under way are answered.
      const closed = http.close();
      reconnects.stop();
      // A connection that still answers now falls idle only later, and would be kept for the next request.
      const idle = setInterval(() => http.server.closeIdleConnections(), CLOSE_IDLE_MS);
      // A download takes as long as its client likes; clients resume it, or try again.
      const cut = setTimeout(
        () => http.server.closeAllConnections(),
        parts.patience?.closing ?? PATIENCE.closing,
      );
      await fanSockets.stop();
      await sockets.stop();
      await closed.finally(() => {
        clearInterval(idle);
        clearTimeout(cut);
      });
      await Promise.all([
        services.outbox.close(),
        services.housekeeping.stop(),
        services.rounds.stop(),
        services.queue.stop(),
        services.guardRails.stop(),
        services.sends.stop(),
        auth.settle(),
        services.jobs.stop(),
        services.webhooks.stop(),
        services.notifications.notifier.stop(),
      ]);
      await broker?.close();
    },
  };
}

function addressOf(host: string, address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${address.port}`;
}
