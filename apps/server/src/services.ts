import type { FastifyInstance } from 'fastify';
import type { EndpointServices } from './bind-endpoints.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { fanClientUrls } from './fans/fan-sessions/fan-client-url.ts';
import { openInvites } from './fans/invites/open-invites.ts';
import { createStatementsService } from './fans/statements/statements.service.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { Metrics } from './http/metrics.ts';
import { createConversationsService } from './inbox/conversations/conversations.service.ts';
import { createPresence, type Presence } from './inbox/presence/presence.ts';
import { createQueueService } from './inbox/queue/queue.service.ts';
import type { Jobs, Retries } from './jobs/jobs.ts';
import { openJobs } from './jobs/pg-boss-jobs.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import { createMediaLinks } from './media/media-links.ts';
import { createPictures } from './media/pictures.ts';
import { draftReemitters } from './messaging/drafts/drafts.routes.ts';
import { createHandoversService } from './messaging/handovers/handovers.service.ts';
import { defineRetention } from './messaging/retention/retention.ts';
import type { ScheduledSends } from './messaging/scheduled/send-scheduled.ts';
import { createMentionsService } from './messaging/staff-notes/mentions.service.ts';
import { createStaffNotesService } from './messaging/staff-notes/staff-notes.service.ts';
import { openMessaging } from './messaging.ts';
import { createPlatformKeys } from './platform/platform-keys/platform-keys.service.ts';
import { openWebhooks, type WebhookSettings } from './platform/webhooks/open-webhooks.ts';
import type { Broker } from './realtime/broker.ts';
import { createOutbox, ONE_NODE } from './realtime/outbox.ts';
import { type Publisher, plainReemitters } from './realtime/publish.ts';
import { createEmitShared } from './realtime/shared-updates.ts';
import { startRounds } from './rounds.ts';
import { openPayments, type PaymentSettings } from './selling/payments/open-payments.ts';
import type { ObjectStorage } from './storage/storage.ts';
import { createAdminsService } from './team/admins/admins.service.ts';
import { defineSecurityNotices } from './team/admins/security-notices.ts';
import { creatorReemitters } from './team/creator/creator.routes.ts';
import { openNotifications, type PushSettings } from './team/notifications/open-notifications.ts';
import { openPasskeys } from './team/passkeys/open-passkeys.ts';

/** Those of the app's parts that its services are made of. */
export interface ServiceParts {
  readonly config: Pick<Config, 'dataDir' | 'publicUrl' | 'retention'>;
  readonly db: Database;
  /** By which nodes hear each other, the app's to close; none unless given: then one process serves alone. */
  readonly broker?: Broker;
  readonly storage: ObjectStorage;
  /** Milliseconds that a picture waits for its turn; as usual unless given. */
  readonly picturePatience?: number;
  readonly log: Logger;
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
}

/** What the app has made before its services. */
interface Surroundings {
  readonly http: FastifyInstance;
  readonly metrics: Metrics;
  readonly mailer: Mailer;
  readonly publish: Publisher;
  /** The server's address as people reach it, without a trailing slash. */
  readonly base: () => string;
  readonly logError: (error: unknown) => void;
}

interface Stoppable {
  stop(): Promise<unknown>;
}

/** What endpoints act through, and beside it what sockets do, and what is to be started or stopped. */
interface Services extends EndpointServices {
  readonly jobs: Jobs;
  readonly sends: ScheduledSends;
  readonly housekeeping: Stoppable;
  readonly presence: Presence;
  readonly rounds: Stoppable;
}

/** The services of all features, and what works in the background. Jobs and webhooks wait for their `start`. */
export async function openServices(
  parts: ServiceParts,
  surroundings: Surroundings,
): Promise<Services> {
  const { config, db, storage, log, broker = null } = parts;
  const { http, metrics, mailer, publish, base, logError } = surroundings;
  const outbox = createOutbox({
    db,
    reach: broker ?? ONE_NODE,
    log: logError,
    expired: (count) => metrics.outboxExpired.inc(count),
  });
  const emitShared = createEmitShared(publish, outbox);
  const conversations = createConversationsService({ db, publish, outbox });
  const { changed: conversationChanged } = conversations;
  const queue = createQueueService({ db, publish, outbox, conversations, log: logError });
  const jobs = await openJobs(db, log);
  const notices = await defineSecurityNotices({ db, jobs, mailer, log });
  const admins = createAdminsService({ db, publish, outbox, notices, conversationChanged });
  const mentions = createMentionsService({ db, publish, outbox });
  const handovers = createHandoversService({ db, publish, outbox, conversationChanged });
  const links = createMediaLinks(parts.mediaKey);
  const pictures = createPictures(config.dataDir, parts.picturePatience);
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
  const staffNotes = createStaffNotesService({ db, publish, outbox, mentioned: notifier.mention });
  const { guardRails, messages, sends, scheduled, purchases } = await openMessaging({
    db,
    publish,
    outbox,
    emitShared,
    conversations,
    links,
    webhooks,
    notifier,
    metrics,
    logError,
  });
  const statements = createStatementsService({ db, publish, outbox });
  const passkeys = openPasskeys({ db, notices, publish });
  const urls = fanClientUrls(parts.mediaKey);
  const selling = { http, db, jobs, log, purchases, base };
  const payments = await openPayments(parts.payments ?? 'platform', selling);
  const keys = createPlatformKeys({ db, settingsKey: parts.platformKey });
  const invites = await openInvites({
    db,
    jobs,
    mailer,
    key: parts.inviteKey,
    retries: parts.inviteRetries,
    webhooks,
    base,
  });
  const retention = await defineRetention({ db, jobs, settings: config.retention, log });
  const housekeeping = startHousekeeping(
    { db, storage, retention, deliveryDays: config.retention.deliveries },
    logError,
  );
  const presence = createPresence(publish);
  const rounds = startRounds({ db, conversations, presence, payments }, logError);
  outbox.start({
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
    ...draftReemitters({ db, publish }),
    ...plainReemitters(publish),
  });
  return {
    outbox,
    emitShared,
    conversations,
    queue,
    admins,
    staffNotes,
    mentions,
    handovers,
    links,
    pictures,
    jobs,
    webhooks,
    notifications,
    guardRails,
    messages,
    sends,
    scheduled,
    purchases,
    statements,
    passkeys,
    urls,
    payments,
    keys,
    invites,
    housekeeping,
    presence,
    rounds,
  };
}
