import type { AddressInfo } from 'node:net';
import { bindEndpoints } from './bind-endpoints.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { createAdminsService } from './features/admins/admins.service.ts';
import { createAuthService } from './features/auth/auth.service.ts';
import { liveSessions } from './features/auth/auth.store.ts';
import { createConversationsService } from './features/conversations/conversations.service.ts';
import { creatorReemitters } from './features/creator/creator.routes.ts';
import { serveAvatars } from './features/creator/serve-avatars.ts';
import { FAN_WELCOME_PATH, serveFanClient } from './features/fan-app/serve-fan-client.ts';
import { fanClientUrls } from './features/fan-sessions/fan-client-url.ts';
import { createFanSessions } from './features/fan-sessions/fan-sessions.service.ts';
import { findFan } from './features/fans/fans.store.ts';
import { openGuardRails } from './features/guard-rails/guard-rails.service.ts';
import { createHandoversService } from './features/handovers/handovers.service.ts';
import { defineInviteMails, INVITE_RETRIES } from './features/invites/deliver-invites.ts';
import { inviteUrl, serveInviteLink } from './features/invites/invite-link.ts';
import { inviteTokens } from './features/invites/invite-token.ts';
import { createInvitesService } from './features/invites/invites.service.ts';
import { createMediaLinks } from './features/media/media-links.ts';
import { serveMedia } from './features/media/serve-media.ts';
import { createFanUpdates } from './features/messages/fan-updates.ts';
import { createMessagesService } from './features/messages/messages.service.ts';
import { bindMessageEvents } from './features/messages/messages.socket.ts';
import {
  openNotifications,
  type PushSettings,
} from './features/notifications/open-notifications.ts';
import { openPasskeys } from './features/passkeys/open-passkeys.ts';
import { openPayments, type PaymentSettings } from './features/payments/open-payments.ts';
import { createPlatformKeys } from './features/platform-keys/platform-keys.service.ts';
import { bindPresenceEvents } from './features/presence/presence.socket.ts';
import { createPresence } from './features/presence/presence.ts';
import { createPurchasesService } from './features/purchases/purchases.service.ts';
import { createQueueService } from './features/queue/queue.service.ts';
import { defineRetention } from './features/retention/retention.ts';
import { createScheduledService } from './features/scheduled/scheduled.service.ts';
import { startScheduledSends } from './features/scheduled/send-scheduled.ts';
import { createMentionsService } from './features/staff-notes/mentions.service.ts';
import { createStaffNotesService } from './features/staff-notes/staff-notes.service.ts';
import { createStatementsService } from './features/statements/statements.service.ts';
import { openWebhooks, type WebhookSettings } from './features/webhooks/open-webhooks.ts';
import { countDeliveries } from './features/webhooks/webhooks.store.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createMetrics } from './http/metrics.ts';
import { serveOperations } from './http/operations.routes.ts';
import { type Authenticators, createRouter, type Router } from './http/route.ts';
import { createHttpServer, PATIENCE, type Patience } from './http/server.ts';
import type { Retries } from './jobs/jobs.ts';
import { openJobs } from './jobs/pg-boss-jobs.ts';
import type { Logger } from './log.ts';
import { type DevelopmentMailbox, serveDevelopmentMailbox } from './mail/development-mailbox.ts';
import type { Mailer } from './mail/mailer.ts';
import { watchedMailer } from './mail/watched-mailer.ts';
import type { Broker } from './realtime/broker.ts';
import { createFanNamespace } from './realtime/fan-socket.ts';
import { ONE_NODE, startOutbox } from './realtime/outbox.ts';
import { createPublisher } from './realtime/publish.ts';
import { createReconnects } from './realtime/reconnect.ts';
import { createSocketServer } from './realtime/socket.ts';
import { startRounds } from './rounds.ts';
import { serveSampleAvatars } from './sample/avatars.ts';
import type { ObjectStorage } from './storage/storage.ts';

/** While closing, idle connections are looked for this often. */
const CLOSE_IDLE_MS = 50;

export interface AppParts {
  readonly config: Pick<
    Config,
    'host' | 'port' | 'publicUrl' | 'trustProxy' | 'dataDir' | 'retention' | 'metricsToken'
  >;
  readonly db: Database;
  /** By which nodes hear each other, the app's to close; none unless given: then one process serves alone. */
  readonly broker?: Broker;
  readonly storage: ObjectStorage;
  readonly mailer: Mailer | DevelopmentMailbox;
  readonly log: Logger;
  /** The key of the codes' HMACs. */
  readonly codeKey: Buffer;
  /** The key that signs the URLs of files. */
  readonly mediaKey: Buffer;
  /** The key from which the links of invitations are derived. */
  readonly inviteKey: Buffer;
  /** How often an invitation's mail is tried; hours in all unless told. */
  readonly inviteRetries?: Retries;
  /** Who takes fans' payments; the platform unless told. */
  readonly payments?: PaymentSettings;
  /** The settings' key; null leaves the platform API to those that managers make. */
  readonly platformKey: string | null;
  /** Where the platform is told what staff do; null: nowhere. */
  readonly webhook: WebhookSettings | null;
  /** How staff's browsers are pushed to; as usual unless told. */
  readonly push?: PushSettings;
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
  const sockets = createSocketServer(http.server, {
    authenticate: auth.authenticate,
    liveSessions: (ids) => liveSessions(db, ids),
    publicOrigin,
    broker,
    handshakeMs: parts.patience?.handshake ?? PATIENCE.handshake,
    log,
  });
  const fanSessions = createFanSessions({
    db,
    ended: (sessionIds) => publish.fanSessionsEnded(sessionIds),
    fanLeft: (conversationId) => publish.fanLeft(conversationId),
  });
  const fanSockets = createFanNamespace(sockets.io, {
    authenticate: fanSessions.authenticate,
    liveSessions: fanSessions.live,
    justEnded: fanSessions.justEnded,
    log,
  });
  const publish = createPublisher(sockets.io, fanSockets.namespace, broker !== null);
  const reconnects = createReconnects([sockets.io.sockets, fanSockets.namespace]);
  broker?.onMissed(reconnects.all);
  const logError = (error: unknown) => log.error({ err: error }, 'background work failed');
  const outbox = startOutbox({
    db,
    reach: broker ?? ONE_NODE,
    reemitters: () => ({
      ...messages.reemitters,
      ...staffNotes.reemitters,
      ...mentions.reemitters,
      ...handovers.reemitters,
      ...conversations.reemitters,
      ...purchases.reemitters,
      ...statements.reemitters,
      ...admins.reemitters,
      ...queue.reemitters,
      ...creatorReemitters({ db, publish, publicUrl: config.publicUrl }),
    }),
    log: logError,
  });
  const conversations = createConversationsService({ db, publish, outbox });
  const queue = createQueueService({ db, publish, outbox, conversations, log: logError });
  const admins = createAdminsService({
    db,
    publish,
    outbox,
    conversationChanged: conversations.changed,
  });
  const staffNotes = createStaffNotesService({ db, publish, outbox });
  const mentions = createMentionsService({ db, publish, outbox });
  const handovers = createHandoversService({
    db,
    publish,
    outbox,
    conversationChanged: conversations.changed,
  });
  const links = createMediaLinks(parts.mediaKey);
  const base = () => config.publicUrl ?? addressOf(config.host, http.server.address());
  const jobs = await openJobs(db, log);
  const webhooks = await openWebhooks({
    db,
    jobs,
    settings: parts.webhook,
    links,
    base,
    log: logError,
  });
  const notifications = openNotifications({
    db,
    settings: parts.push ?? {},
    secret: parts.mediaKey,
    publicUrl: config.publicUrl,
    log: logError,
  });
  const { notifier } = notifications;
  const fanUpdates = createFanUpdates({ db, publish, outbox, links });
  const guardRails = await openGuardRails({ db, publish, log: logError });
  const messages = createMessagesService(
    {
      db,
      publish,
      outbox,
      links,
      webhooks,
      refusalOf: guardRails.refusalOf,
      stored: (from, conversationId, messageId) => {
        metrics.messages.inc({ from });
        if (from === 'fan') notifier.fanMessage(conversationId, messageId);
      },
      conversationChanged: conversations.changed,
    },
    fanUpdates,
  );
  const sends = startScheduledSends({ db, messages, publish, log: logError });
  const scheduled = createScheduledService({
    db,
    sends,
    refusalOf: guardRails.refusalOf,
    requireConversation: conversations.get,
  });
  const purchases = createPurchasesService({
    db,
    findFan: (externalId) => findFan(db, externalId),
    publish,
    fanUpdates,
    webhooks,
    sold: notifier.sale,
  });
  const statements = createStatementsService({ db, publish, outbox });
  const passkeys = await openPasskeys({ db, jobs, mailer, publish, log });
  const urls = fanClientUrls(parts.mediaKey);
  const selling = { http, db, jobs, log, purchases, base };
  const payments = await openPayments(parts.payments ?? 'platform', selling);
  const keys = createPlatformKeys({ db, settingsKey: parts.platformKey });
  const tokens = inviteTokens(parts.inviteKey);
  const invites = createInvitesService({
    db,
    tokens,
    webhooks,
    mails: await defineInviteMails({
      db,
      jobs,
      mailer,
      tokens,
      retries: parts.inviteRetries ?? INVITE_RETRIES,
      urlOf: (token) => inviteUrl(base(), token),
    }),
  });
  const retention = await defineRetention({ db, jobs, settings: config.retention, log });
  const housekeeping = startHousekeeping(
    { db, storage, retention, deliveryDays: config.retention.deliveries },
    logError,
  );
  const presence = createPresence(publish);
  const rounds = startRounds({ db, conversations, presence }, logError);

  const authenticators: Authenticators = {
    admin: auth.authenticate,
    avatarCookie: auth.authenticateAvatarCookie,
    platform: keys.authenticate,
    fan: fanSessions.authenticate,
    publicOrigin,
  };
  const router = createRouter(http, authenticators);
  bindEndpoints(router, {
    db,
    storage,
    publish,
    outbox,
    auth,
    passkeys,
    admins,
    conversations,
    queue,
    messages,
    guardRails,
    scheduled,
    staffNotes,
    mentions,
    handovers,
    links,
    purchases,
    statements,
    payments,
    invites,
    webhooks,
    notifications,
    keys,
    fanSessions,
    urls,
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
  await jobs.start();
  webhooks.start();
  return {
    address: addressOf(config.host, http.server.address()),
    router,
    routes,
    openapi: () => http.swagger(),
    async close() {
      // New connections are refused from here on; requests under way are answered.
      const closed = http.close();
      reconnects.stop();
      // A connection that still answers now falls idle only later, and would be kept for the next request.
      const idle = setInterval(() => http.server.closeIdleConnections(), CLOSE_IDLE_MS);
      await fanSockets.stop();
      await sockets.stop();
      await closed.finally(() => clearInterval(idle));
      await Promise.all([
        outbox.close(),
        housekeeping.stop(),
        rounds.stop(),
        queue.stop(),
        guardRails.stop(),
        sends.stop(),
        auth.settle(),
        jobs.stop(),
        webhooks.stop(),
        notifier.stop(),
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
