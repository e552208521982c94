import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Base, Core } from './domain.ts';
import { openFans } from './fans/fans.ts';
import { serveInviteLink } from './fans/invites/invite-link.ts';
import { startHousekeeping } from './housekeeping.ts';
import { clientAddress } from './http/client-address.ts';
import { createFailureCount } from './http/failed-credentials.ts';
import { createMetrics } from './http/metrics.ts';
import { serveOperations } from './http/operations.routes.ts';
import { createRouter, type Router } from './http/route.ts';
import { createHttpServer, PATIENCE, type Patience } from './http/server.ts';
import { openInbox } from './inbox/inbox.ts';
import { bindPresenceEvents } from './inbox/presence/presence.socket.ts';
import type { Retries } from './jobs/jobs.ts';
import { openJobs } from './jobs/pg-boss-jobs.ts';
import type { Logger } from './log.ts';
import { type DevelopmentMailbox, serveDevelopmentMailbox } from './mail/development-mailbox.ts';
import type { Mailer } from './mail/mailer.ts';
import { watchedMailer } from './mail/watched-mailer.ts';
import { createMediaLinks } from './media/media-links.ts';
import { sweepFiles } from './media/new-objects.ts';
import { createPictures } from './media/pictures.ts';
import { serveMedia } from './media/serve-media.ts';
import { bindMessageEvents } from './messaging/messages/messages.socket.ts';
import { unsendMessages } from './messaging/messages/unsend.store.ts';
import { openMessaging } from './messaging/messaging.ts';
import { FAN_WELCOME_PATH, serveFanClient } from './platform/fan-app/serve-fan-client.ts';
import { openPlatform } from './platform/platform.ts';
import { openWebhooks, type WebhookSettings } from './platform/webhooks/open-webhooks.ts';
import { countDeliveries } from './platform/webhooks/webhooks.store.ts';
import type { Broker } from './realtime/broker.ts';
import { createOutbox, ONE_NODE } from './realtime/outbox.ts';
import { plainReemitters } from './realtime/publish.ts';
import { createChangeShared, createEmitShared } from './realtime/shared-updates.ts';
import { releaseWork } from './release-work.ts';
import type { PaymentSettings } from './selling/payments/open-payments.ts';
import { segmentFilter } from './selling/segments/segment-filter.ts';
import { openSelling } from './selling/selling.ts';
import { openSockets } from './sockets.ts';
import type { ObjectStorage } from './storage/storage.ts';
import { defineSecurityNotices } from './team/admins/security-notices.ts';
import { createAuthService } from './team/auth/auth.service.ts';
import { serveAvatars } from './team/creator/serve-avatars.ts';
import type { PushSettings } from './team/notifications/open-notifications.ts';
import { createActs } from './team/shifts/acts.ts';
import { openTeam } from './team/team.ts';

/** How often idle connections are closed during shutdown. */
const CLOSE_IDLE_MS = 50;

export interface AppParts {
  readonly config: Pick<
    Config,
    'host' | 'port' | 'publicUrl' | 'trustProxy' | 'dataDir' | 'retention' | 'metricsToken'
  >;
  readonly db: Database;
  /** Connects this node to the others; the app closes the broker. Omitted if a single process serves alone. */
  readonly broker?: Broker;
  readonly storage: ObjectStorage;
  readonly mailer: Mailer | DevelopmentMailbox;
  readonly log: Logger;
  readonly codeKey: Buffer;
  /** The key that signs file URLs. */
  readonly mediaKey: Buffer;
  readonly inviteKey: Buffer;
  /** Retries of an invitation email; by default, they go on for hours. */
  readonly inviteRetries?: Retries;
  /** The provider that takes fans' payments; by default, the platform takes them. */
  readonly payments?: PaymentSettings;
  /** The platform API key from the settings. Null: only keys created by managers are valid. */
  readonly platformKey: string | null;
  /** Where webhooks are sent; null disables them. */
  readonly webhook: WebhookSettings | null;
  /** How notifications are pushed to staff's browsers. */
  readonly push?: PushSettings;
  readonly webRoot: string | null;
  readonly fanRoot: string | null;
  /** Timeouts for slow clients. */
  readonly patience?: Partial<Patience>;
  /** The maximum time that an image job waits for its turn. Milliseconds. */
  readonly picturePatience?: number;
  /** Serves the sample fans' pictures, if there are any. */
  readonly serveSampleAvatars?: (http: FastifyInstance) => void;
}

export interface App {
  /** The address that the server listens on, for example `http://127.0.0.1:3000`. */
  readonly address: string;
  readonly router: Router;
  /** Every route, including the contract's endpoints, for example `GET /api/health`. */
  readonly routes: ReadonlySet<string>;
  readonly openapi: () => object;
  /** Closes all sockets at once. Their clients reconnect, here or to another node. */
  dropSockets(): void;
  /** Stops accepting requests, finishes those in progress, and closes everything but the database. */
  close(): Promise<void>;
}

/** Creates and connects all parts of the server, and starts listening. */
export async function startApp(parts: AppParts): Promise<App> {
  const { config, db, storage, log, broker = null } = parts;
  const metrics = createMetrics();
  const mailer = watchedMailer(parts.mailer, () => metrics.mailFailures.inc());
  const publicOrigin = config.publicUrl === null ? null : new URL(config.publicUrl).origin;
  const secure = publicOrigin?.startsWith('https:') ?? false;
  const logError = (error: unknown) => log.error({ err: error }, 'background work failed');

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
  const address = () => config.publicUrl ?? addressOf(config.host, http.server.address());

  const acts = createActs(db);
  const jobs = await openJobs(db, log);
  const notices = await defineSecurityNotices({ db, jobs, mailer, base: address, log });
  const auth = createAuthService({ db, mailer, notices, codeKey: parts.codeKey, log });
  const failed = createFailureCount(broker);
  const addressBehind = clientAddress(config.trustProxy);
  const { sockets, fanSessions, fanSockets, publish, reconnects } = openSockets({
    server: http.server,
    db,
    auth,
    failed: (request) => failed(addressBehind(request)),
    acted: acts.note,
    publicOrigin,
    broker,
    handshakeMs: parts.patience?.handshake ?? PATIENCE.handshake,
    log,
  });
  const outbox = createOutbox({
    db,
    reach: broker ?? ONE_NODE,
    log: logError,
    expired: (count) => metrics.outboxExpired.inc(count),
  });
  const links = createMediaLinks(parts.mediaKey);
  const webhooks = await openWebhooks({
    db,
    jobs,
    settings: parts.webhook,
    links,
    base: address,
    log: logError,
  });
  const emitShared = createEmitShared(publish, outbox);
  const base: Base = {
    config,
    publicUrl: config.publicUrl,
    db,
    storage,
    jobs,
    mailer,
    metrics,
    http,
    publish,
    outbox,
    emitShared,
    changeShared: createChangeShared(db, emitShared),
    links,
    pictures: createPictures(config.dataDir, parts.picturePatience),
    webhooks,
    base: address,
    secure,
    log,
    logError,
  };

  const inbox = openInbox(base, segmentFilter, (ids) => messages.readAllByStaff(ids));
  const { changed: conversationChanged, get: requireConversation } = inbox.conversations;
  const core: Core = { ...base, conversationChanged, requireConversation };
  const team = openTeam(core, {
    auth,
    notices,
    acts,
    releaseWork,
    push: parts.push ?? {},
    secret: parts.mediaKey,
  });
  const messaging = await openMessaging(core, team.notifier);
  const { messages, showProduct, showNew, refusalOf } = messaging;
  const fans = await openFans(core, {
    sessions: fanSessions,
    linkKey: parts.mediaKey,
    inviteKey: parts.inviteKey,
    inviteRetries: parts.inviteRetries,
  });
  const selling = await openSelling(core, {
    messages,
    showProduct,
    showNew,
    unsend: unsendMessages,
    refusalOf,
    sold: team.notifier.sale,
    notifyOfEarnings: team.notifier.earning,
    payments: parts.payments ?? 'platform',
  });
  const platform = openPlatform(core, {
    webhooks,
    messages,
    paymentProvider: selling.paymentProvider,
    platformKey: parts.platformKey,
  });
  const domains = [inbox, team, messaging, fans, selling, platform];

  const router = createRouter(http, {
    admin: auth.authenticate,
    avatarCookie: auth.authenticateAvatarCookie,
    platform: platform.authenticate,
    fan: fanSessions.authenticate,
    failed,
    acted: acts.note,
    changed: auth.changed,
    publicOrigin,
  });
  for (const domain of domains) domain.bind(router);
  bindMessageEvents(sockets.events, messages);
  bindPresenceEvents(sockets.events, { presence: inbox.presence, requireConversation });
  serveMedia(http, { db, storage, links, gate: auth });
  serveAvatars(http, storage);
  if (await serveFanClient(http, { fanRoot: parts.fanRoot, urls: fans.urls, publicOrigin })) {
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
  parts.serveSampleAvatars?.(http);

  outbox.start(
    Object.assign({}, plainReemitters(publish), ...domains.map(({ reemitters }) => reemitters)),
  );
  const housekeeping = startHousekeeping(
    [...domains.flatMap(({ sweeps }) => sweeps), () => sweepFiles({ db, storage }, 60_000)],
    logError,
  );
  await http.listen({ host: config.host, port: config.port });
  await jobs.start();
  webhooks.start();
  return {
    address: addressOf(config.host, http.server.address()),
    router,
    routes,
    openapi: () => http.swagger(),
    dropSockets: reconnects.atOnce,
    async close() {
      // From here on, new connections are refused; requests in progress are still answered.
      const closed = http.close();
      reconnects.stop();
      // A connection that is still sending a reply becomes idle later and would then stay open, so close idle ones repeatedly.
      const idle = setInterval(() => http.server.closeIdleConnections(), CLOSE_IDLE_MS);
      // A slow client could keep a download open forever. Clients resume or retry a download that was cut off.
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
        outbox.close(),
        housekeeping.stop(),
        ...domains.map((domain) => domain.stop()),
        jobs.stop(),
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
