import type { Core, Domain } from '../domain.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { bindMediaRoutes } from '../media/media.routes.ts';
import type { Notifier } from '../team/notifications/notifier.ts';
import { bindDraftRoutes, draftReemitters } from './drafts/drafts.routes.ts';
import { purgeDrafts } from './drafts/drafts.store.ts';
import { bindGuardRailRoutes } from './guard-rails/guard-rails.routes.ts';
import { type GuardRailsService, openGuardRails } from './guard-rails/guard-rails.service.ts';
import { bindHandoverRoutes } from './handovers/handovers.routes.ts';
import { createHandoversService } from './handovers/handovers.service.ts';
import { createFanUpdates, type FanUpdates } from './messages/fan-updates.ts';
import { bindMessageRoutes } from './messages/messages.routes.ts';
import { createMessagesService, type MessagesService } from './messages/messages.service.ts';
import { createSendFunction } from './messages/send.store.ts';
import { defineRetention } from './retention/retention.ts';
import { bindScheduledRoutes } from './scheduled/scheduled.routes.ts';
import { createScheduledService } from './scheduled/scheduled.service.ts';
import { pruneScheduled } from './scheduled/scheduled.store.ts';
import { startScheduledSends } from './scheduled/send-scheduled.ts';
import { createMentionsService } from './staff-notes/mentions.service.ts';
import { bindStaffNotesRoutes } from './staff-notes/staff-notes.routes.ts';
import { createStaffNotesService } from './staff-notes/staff-notes.service.ts';
import { purgeTemplateFiles } from './templates/template-files.store.ts';
import { bindTemplateRoutes } from './templates/templates.routes.ts';
import { createTemplatesService } from './templates/templates.service.ts';

interface MessagingParts {
  readonly conversations: Inbox['conversations'];
  readonly notifier: Pick<Notifier, 'fanMessage' | 'mention'>;
}

export interface Messaging extends Domain {
  readonly messages: MessagesService;
  readonly showProduct: FanUpdates['showProduct'];
  readonly showNew: FanUpdates['showNew'];
  /** Returns why a guard rail refuses a staff message; null: it doesn't. */
  readonly refusalOf: GuardRailsService['refusalOf'];
}

/** Wires messages and related features: drafts, templates, guard rails, scheduled messages, staff notes, handovers. */
export async function openMessaging(
  core: Core,
  { conversations, notifier }: MessagingParts,
): Promise<Messaging> {
  const { config, db, storage, jobs, metrics, publish, outbox, emitShared } = core;
  const { links, pictures, webhooks, log, logError } = core;
  const { changed: conversationChanged, get: requireConversation } = conversations;
  await createSendFunction(db);
  const guardRails = await openGuardRails({ db, emitShared, log: logError });
  const fanUpdates = createFanUpdates({ db, publish, links });
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
      conversationChanged,
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
    requireConversation,
  });
  const templates = createTemplatesService({
    db,
    storage,
    pictures,
    links,
    emitShared,
    requireConversation,
  });
  const staffNotes = createStaffNotesService({ db, publish, outbox, mentioned: notifier.mention });
  const mentions = createMentionsService({ db, publish, outbox });
  const handovers = createHandoversService({ db, publish, outbox, conversationChanged });
  const retention = await defineRetention({ db, jobs, settings: config.retention, log });
  return {
    messages,
    showProduct: fanUpdates.showProduct,
    showNew: fanUpdates.showNew,
    refusalOf: guardRails.refusalOf,
    bind(router) {
      bindMessageRoutes(router, { db, links, messages });
      bindMediaRoutes(router, { db, storage, pictures, links, requireConversation });
      bindDraftRoutes(router, { db, publish, outbox });
      bindTemplateRoutes(router, { templates });
      bindScheduledRoutes(router, { scheduled });
      bindGuardRailRoutes(router, { guardRails });
      bindStaffNotesRoutes(router, { staffNotes, mentions });
      bindHandoverRoutes(router, { handovers });
    },
    reemitters: {
      ...messages.reemitters,
      ...staffNotes.reemitters,
      ...mentions.reemitters,
      ...handovers.reemitters,
      ...draftReemitters({ db, publish }),
    },
    sweeps: [
      () => purgeDrafts(db),
      () => pruneScheduled(db),
      () => purgeTemplateFiles(db),
      () => retention.today(),
    ],
    stop: () => Promise.all([guardRails.stop(), sends.stop()]),
  };
}
