import type { Database } from './db/database.ts';
import { findFan } from './fans/fans/fans.store.ts';
import type { Metrics } from './http/metrics.ts';
import type { ConversationsService } from './inbox/conversations/conversations.service.ts';
import type { MediaLinks } from './media/media-links.ts';
import {
  type GuardRailsService,
  openGuardRails,
} from './messaging/guard-rails/guard-rails.service.ts';
import { createFanUpdates } from './messaging/messages/fan-updates.ts';
import {
  createMessagesService,
  type MessagesService,
} from './messaging/messages/messages.service.ts';
import {
  createScheduledService,
  type ScheduledService,
} from './messaging/scheduled/scheduled.service.ts';
import { type ScheduledSends, startScheduledSends } from './messaging/scheduled/send-scheduled.ts';
import type { Webhooks } from './platform/webhooks/open-webhooks.ts';
import type { Outbox } from './realtime/outbox.ts';
import type { Publisher } from './realtime/publish.ts';
import type { EmitShared } from './realtime/shared-updates.ts';
import {
  createPurchasesService,
  type PurchasesService,
} from './selling/purchases/purchases.service.ts';
import type { Notifier } from './team/notifications/notifier.ts';

interface MessagingDependencies {
  readonly db: Database;
  readonly publish: Publisher;
  readonly outbox: Outbox;
  readonly emitShared: EmitShared;
  readonly conversations: ConversationsService;
  readonly links: MediaLinks;
  readonly webhooks: Webhooks;
  readonly notifier: Notifier;
  readonly metrics: Metrics;
  readonly logError: (error: unknown) => void;
}

interface Messaging {
  readonly guardRails: GuardRailsService;
  readonly messages: MessagesService;
  readonly sends: ScheduledSends;
  readonly scheduled: ScheduledService;
  readonly purchases: PurchasesService;
}

/** Messages, with all that hangs on them: what they may not say, those that wait for their time, what fans buy of them. */
export async function openMessaging(dependencies: MessagingDependencies): Promise<Messaging> {
  const {
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
  } = dependencies;
  const fanUpdates = createFanUpdates({ db, publish, links });
  const guardRails = await openGuardRails({ db, emitShared, log: logError });
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
  const sends = startScheduledSends({ db, messages, emitShared, log: logError });
  const scheduled = createScheduledService({
    db,
    links,
    sends,
    emitShared,
    refusalOf: guardRails.refusalOf,
    requireConversation: conversations.get,
  });
  const purchases = createPurchasesService({
    db,
    findFan: (externalId) => findFan(db, externalId),
    publish,
    outbox,
    showProduct: fanUpdates.showProduct,
    webhooks,
    sold: notifier.sale,
  });
  return { guardRails, messages, sends, scheduled, purchases };
}
