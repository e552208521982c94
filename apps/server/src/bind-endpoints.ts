import type { Database } from './db/database.ts';
import { bindFanFactsRoutes } from './fans/fan-facts/fan-facts.routes.ts';
import type { FanClientUrls } from './fans/fan-sessions/fan-client-url.ts';
import { bindFanSessionRoutes } from './fans/fan-sessions/fan-sessions.routes.ts';
import type { FanSessionsService } from './fans/fan-sessions/fan-sessions.service.ts';
import { bindFanRoutes } from './fans/fans/fans.routes.ts';
import { bindInviteRoutes } from './fans/invites/invites.routes.ts';
import type { InvitesService } from './fans/invites/invites.service.ts';
import { bindWelcomeRoutes } from './fans/invites/welcome.routes.ts';
import { bindStatementRoutes } from './fans/statements/statements.routes.ts';
import type { StatementsService } from './fans/statements/statements.service.ts';
import { bindSubscriptionRoutes } from './fans/subscriptions/subscriptions.routes.ts';
import { bindTagRoutes } from './fans/tags/tags.routes.ts';
import type { Router } from './http/route.ts';
import { bindConversationRoutes } from './inbox/conversations/conversations.routes.ts';
import type { ConversationsService } from './inbox/conversations/conversations.service.ts';
import { bindMessageSearchRoutes } from './inbox/message-search/message-search.routes.ts';
import { createBulkService } from './inbox/queue/bulk.service.ts';
import { bindQueueRoutes } from './inbox/queue/queue.routes.ts';
import type { QueueService } from './inbox/queue/queue.service.ts';
import { bindViewRoutes } from './inbox/views/views.routes.ts';
import { bindMediaRoutes } from './media/media.routes.ts';
import type { MediaLinks } from './media/media-links.ts';
import { sweepFiles } from './media/new-objects.ts';
import type { Pictures } from './media/pictures.ts';
import { bindDraftRoutes } from './messaging/drafts/drafts.routes.ts';
import { bindGuardRailRoutes } from './messaging/guard-rails/guard-rails.routes.ts';
import type { GuardRailsService } from './messaging/guard-rails/guard-rails.service.ts';
import { bindHandoverRoutes } from './messaging/handovers/handovers.routes.ts';
import type { HandoversService } from './messaging/handovers/handovers.service.ts';
import { bindMessageRoutes } from './messaging/messages/messages.routes.ts';
import type { MessagesService } from './messaging/messages/messages.service.ts';
import { bindScheduledRoutes } from './messaging/scheduled/scheduled.routes.ts';
import type { ScheduledService } from './messaging/scheduled/scheduled.service.ts';
import type { MentionsService } from './messaging/staff-notes/mentions.service.ts';
import { bindStaffNotesRoutes } from './messaging/staff-notes/staff-notes.routes.ts';
import type { StaffNotesService } from './messaging/staff-notes/staff-notes.service.ts';
import { bindTemplateRoutes } from './messaging/templates/templates.routes.ts';
import { createTemplatesService } from './messaging/templates/templates.service.ts';
import { bindFanAppRoutes } from './platform/fan-app/fan-app.routes.ts';
import { bindPlatformRoutes } from './platform/platform-api/platform-api.routes.ts';
import { bindPlatformKeyRoutes } from './platform/platform-keys/platform-keys.routes.ts';
import type { PlatformKeysService } from './platform/platform-keys/platform-keys.service.ts';
import type { Webhooks } from './platform/webhooks/open-webhooks.ts';
import { bindWebhookRoutes } from './platform/webhooks/webhooks.routes.ts';
import { createWebhooksService } from './platform/webhooks/webhooks.service.ts';
import type { Outbox } from './realtime/outbox.ts';
import type { Publisher } from './realtime/publish.ts';
import type { EmitShared } from './realtime/shared-updates.ts';
import { bindAnalyticsRoutes } from './selling/analytics/analytics.routes.ts';
import { bindDoublePaymentRoutes } from './selling/payments/double-payments.routes.ts';
import { bindPaymentRoutes } from './selling/payments/payments.routes.ts';
import { createPaymentsService } from './selling/payments/payments.service.ts';
import type { Payments } from './selling/payments/payments.ts';
import { bindProductRoutes } from './selling/products/products.routes.ts';
import { bindPurchaseRoutes } from './selling/purchases/purchases.routes.ts';
import type { PurchasesService } from './selling/purchases/purchases.service.ts';
import type { ObjectStorage } from './storage/storage.ts';
import { bindAdminRoutes } from './team/admins/admins.routes.ts';
import type { AdminsService } from './team/admins/admins.service.ts';
import { bindAuditRoutes } from './team/audit/audit.routes.ts';
import { bindAuthRoutes } from './team/auth/auth.routes.ts';
import type { AuthService } from './team/auth/auth.service.ts';
import { bindCreatorRoutes } from './team/creator/creator.routes.ts';
import { bindNotificationRoutes } from './team/notifications/notifications.routes.ts';
import type { Notifications } from './team/notifications/open-notifications.ts';
import type { Passkeys } from './team/passkeys/open-passkeys.ts';
import { bindPasskeyRoutes } from './team/passkeys/passkeys.routes.ts';
import { bindSettingsRoutes } from './team/settings/settings.routes.ts';

/** The services that endpoints act through. */
export interface EndpointServices {
  readonly outbox: Outbox;
  readonly emitShared: EmitShared;
  readonly passkeys: Passkeys;
  readonly admins: AdminsService;
  readonly conversations: ConversationsService;
  readonly queue: QueueService;
  readonly messages: MessagesService;
  readonly guardRails: GuardRailsService;
  readonly scheduled: ScheduledService;
  readonly staffNotes: StaffNotesService;
  readonly mentions: MentionsService;
  readonly handovers: HandoversService;
  readonly links: MediaLinks;
  readonly pictures: Pictures;
  readonly purchases: PurchasesService;
  readonly statements: StatementsService;
  readonly payments: Payments;
  readonly invites: InvitesService;
  readonly webhooks: Webhooks;
  readonly notifications: Notifications;
  readonly keys: PlatformKeysService;
  readonly urls: FanClientUrls;
}

/** All that the endpoints of all features act through. */
interface Services extends EndpointServices {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly publish: Publisher;
  readonly auth: AuthService;
  readonly fanSessions: FanSessionsService;
  /** The server's address as people reach it, without a trailing slash. */
  readonly base: () => string;
  /** What the URLs of pictures that others show begin with; null: they are paths. */
  readonly publicUrl: string | null;
  /** Whether browsers reach the server over TLS. */
  readonly secure: boolean;
  readonly logError: (error: unknown) => void;
}

/** Binds every endpoint of the contract: those of staff, of the platform and of the fan client. */
export function bindEndpoints(router: Router, services: Services): void {
  bindStaffEndpoints(router, services);
  bindPlatformEndpoints(router, services);
  bindFanEndpoints(router, services);
}

function bindStaffEndpoints(router: Router, services: Services): void {
  const { db, storage, pictures, publish, outbox, auth, admins, conversations, messages } =
    services;
  const { passkeys, queue, links, invites, webhooks, keys, statements, publicUrl, secure } =
    services;
  const { guardRails, staffNotes, mentions, handovers, emitShared } = services;
  const { changed: conversationChanged, get: requireConversation } = conversations;
  bindAuthRoutes(router, { db, auth, publish, secure });
  bindPasskeyRoutes(router, { db, ...passkeys, publicUrl, secure });
  bindAdminRoutes(router, { db, admins });
  bindAuditRoutes(router, { db });
  bindSettingsRoutes(router, { db });
  bindCreatorRoutes(router, { db, storage, pictures, publish, outbox, publicUrl, webhooks });
  bindConversationRoutes(router, { db, conversations });
  bindQueueRoutes(router, { queue, bulk: createBulkService({ db, conversations }) });
  bindViewRoutes(router, { db });
  bindFanRoutes(router, { db, conversationChanged });
  bindFanFactsRoutes(router, { db, emitShared });
  bindStatementRoutes(router, { db, statements, requireConversation });
  bindTagRoutes(router, { db, publish, outbox });
  bindMessageRoutes(router, { db, links, messages });
  bindMessageSearchRoutes(router, { db });
  bindDraftRoutes(router, { db, publish, outbox });
  bindNotificationRoutes(router, { db, ...services.notifications });
  bindStaffNotesRoutes(router, { staffNotes, mentions });
  bindHandoverRoutes(router, { handovers });
  bindMediaRoutes(router, { db, storage, pictures, links, requireConversation });
  bindTemplateRoutes(router, {
    templates: createTemplatesService({
      db,
      storage,
      pictures,
      links,
      emitShared,
      requireConversation,
    }),
  });
  bindGuardRailRoutes(router, { guardRails });
  bindScheduledRoutes(router, { scheduled: services.scheduled });
  bindProductRoutes(router, { db, storage, pictures, links, requireConversation });
  bindInviteRoutes(router, { db, invites, conversationChanged });
  bindAnalyticsRoutes(router, { db });
  bindPlatformKeyRoutes(router, { keys });
  bindWebhookRoutes(router, { webhooks: createWebhooksService({ db, webhooks }) });
}

function bindPlatformEndpoints(router: Router, services: Services): void {
  const { db, storage, publish, outbox, conversations, messages, links, purchases } = services;
  const { pictures, publicUrl, logError } = services;
  const sweepSoon = () => sweepFiles({ db, storage }).catch(logError);
  const { changed: conversationChanged } = conversations;
  bindPlatformRoutes(router, {
    db,
    storage,
    pictures,
    messages,
    publish,
    outbox,
    conversationChanged,
    links,
    sweepSoon,
    publicUrl,
  });
  bindPurchaseRoutes(router, { purchases });
  bindSubscriptionRoutes(router, { db, conversationChanged });
}

function bindFanEndpoints(router: Router, services: Services): void {
  const { db, storage, conversations, messages, links, purchases, payments } = services;
  const { pictures, webhooks, fanSessions: sessions, urls, base, publicUrl } = services;
  const payment = payments.provider;
  // Links to sessions are made by the platform; what they lead to is the fan's.
  bindFanSessionRoutes(router, { db, sessions, urls, base });
  bindFanAppRoutes(router, { db, storage, pictures, messages, links, payment, publicUrl });
  bindDoublePaymentRoutes(router, { db, payments, purchases });
  bindPaymentRoutes(router, { paying: createPaymentsService({ payments, purchases, messages }) });
  bindWelcomeRoutes(router, {
    db,
    sessions,
    conversationChanged: conversations.changed,
    webhooks,
    publicUrl,
  });
}
