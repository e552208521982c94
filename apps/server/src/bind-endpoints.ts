import type { Database } from './db/database.ts';
import { bindAdminRoutes } from './features/admins/admins.routes.ts';
import type { AdminsService } from './features/admins/admins.service.ts';
import { bindAnalyticsRoutes } from './features/analytics/analytics.routes.ts';
import { bindAuditRoutes } from './features/audit/audit.routes.ts';
import { bindAuthRoutes } from './features/auth/auth.routes.ts';
import type { AuthService } from './features/auth/auth.service.ts';
import { bindConversationRoutes } from './features/conversations/conversations.routes.ts';
import type { ConversationsService } from './features/conversations/conversations.service.ts';
import { bindCreatorRoutes } from './features/creator/creator.routes.ts';
import { bindDraftRoutes } from './features/drafts/drafts.routes.ts';
import { bindFanAppRoutes } from './features/fan-app/fan-app.routes.ts';
import { bindFanFactsRoutes } from './features/fan-facts/fan-facts.routes.ts';
import type { FanClientUrls } from './features/fan-sessions/fan-client-url.ts';
import { bindFanSessionRoutes } from './features/fan-sessions/fan-sessions.routes.ts';
import type { FanSessionsService } from './features/fan-sessions/fan-sessions.service.ts';
import { bindFanRoutes } from './features/fans/fans.routes.ts';
import { bindGuardRailRoutes } from './features/guard-rails/guard-rails.routes.ts';
import type { GuardRailsService } from './features/guard-rails/guard-rails.service.ts';
import { bindHandoverRoutes } from './features/handovers/handovers.routes.ts';
import type { HandoversService } from './features/handovers/handovers.service.ts';
import { bindInviteRoutes } from './features/invites/invites.routes.ts';
import type { InvitesService } from './features/invites/invites.service.ts';
import { bindWelcomeRoutes } from './features/invites/welcome.routes.ts';
import { bindMediaRoutes } from './features/media/media.routes.ts';
import type { MediaLinks } from './features/media/media-links.ts';
import { sweepFiles } from './features/media/new-objects.ts';
import type { Pictures } from './features/media/pictures.ts';
import { bindMessageSearchRoutes } from './features/message-search/message-search.routes.ts';
import { bindMessageRoutes } from './features/messages/messages.routes.ts';
import type { MessagesService } from './features/messages/messages.service.ts';
import { bindNotificationRoutes } from './features/notifications/notifications.routes.ts';
import type { Notifications } from './features/notifications/open-notifications.ts';
import type { Passkeys } from './features/passkeys/open-passkeys.ts';
import { bindPasskeyRoutes } from './features/passkeys/passkeys.routes.ts';
import { bindDoublePaymentRoutes } from './features/payments/double-payments.routes.ts';
import { bindPaymentRoutes } from './features/payments/payments.routes.ts';
import { createPaymentsService } from './features/payments/payments.service.ts';
import type { Payments } from './features/payments/payments.ts';
import { bindPlatformRoutes } from './features/platform/platform.routes.ts';
import { bindPlatformKeyRoutes } from './features/platform-keys/platform-keys.routes.ts';
import type { PlatformKeysService } from './features/platform-keys/platform-keys.service.ts';
import { bindProductRoutes } from './features/products/products.routes.ts';
import { bindPurchaseRoutes } from './features/purchases/purchases.routes.ts';
import type { PurchasesService } from './features/purchases/purchases.service.ts';
import { createBulkService } from './features/queue/bulk.service.ts';
import { bindQueueRoutes } from './features/queue/queue.routes.ts';
import type { QueueService } from './features/queue/queue.service.ts';
import { bindScheduledRoutes } from './features/scheduled/scheduled.routes.ts';
import type { ScheduledService } from './features/scheduled/scheduled.service.ts';
import { bindSettingsRoutes } from './features/settings/settings.routes.ts';
import type { MentionsService } from './features/staff-notes/mentions.service.ts';
import { bindStaffNotesRoutes } from './features/staff-notes/staff-notes.routes.ts';
import type { StaffNotesService } from './features/staff-notes/staff-notes.service.ts';
import { bindStatementRoutes } from './features/statements/statements.routes.ts';
import type { StatementsService } from './features/statements/statements.service.ts';
import { bindSubscriptionRoutes } from './features/subscriptions/subscriptions.routes.ts';
import { bindTagRoutes } from './features/tags/tags.routes.ts';
import { bindTemplateRoutes } from './features/templates/templates.routes.ts';
import { createTemplatesService } from './features/templates/templates.service.ts';
import { bindViewRoutes } from './features/views/views.routes.ts';
import type { Webhooks } from './features/webhooks/open-webhooks.ts';
import { bindWebhookRoutes } from './features/webhooks/webhooks.routes.ts';
import { createWebhooksService } from './features/webhooks/webhooks.service.ts';
import type { Router } from './http/route.ts';
import type { Outbox } from './realtime/outbox.ts';
import type { Publisher } from './realtime/publish.ts';
import type { EmitShared } from './realtime/shared-updates.ts';
import type { ObjectStorage } from './storage/storage.ts';

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
