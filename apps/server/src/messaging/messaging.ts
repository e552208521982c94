import type { Core, Domain } from '../domain.ts';
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
import type { MessagesDependencies } from './messages/send.service.ts';
import { createSendFunction } from './messages/send.store.ts';
import { fillSentMessages } from './messages/sent-messages.store.ts';
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

export interface Messaging extends Domain {
  readonly messages: MessagesService;
  readonly showProduct: FanUpdates['showProduct'];
  readonly showNew: FanUpdates['showNew'];
  /** Returns why a guard rail refuses a staff message; null if none does. */
  readonly refusalOf: GuardRailsService['refusalOf'];
}

/** Wires messages and related features: drafts, templates, guard rails, scheduled messages, staff notes, handovers, retention. */
export async function openMessaging(core: Core, notifier: Notifier): Promise<Messaging> {
  const { db } = core;
  await createSendFunction(db);
  const guardRails = await openGuardRails(core);
  const { refusalOf } = guardRails;
  const fanUpdates = createFanUpdates(core);
  const stored: MessagesDependencies['stored'] = (from, conversationId, messageId) => {
    core.metrics.messages.inc({ from });
    if (from === 'fan') notifier.fanMessage(conversationId, messageId);
  };
  const messages = createMessagesService({ ...core, refusalOf, stored }, fanUpdates);
  const sends = startScheduledSends(core, messages);
  const scheduled = createScheduledService({ ...core, sends, refusalOf });
  const templates = createTemplatesService(core);
  const staffNotes = createStaffNotesService(core, notifier.mention);
  const mentions = createMentionsService(core);
  const handovers = createHandoversService(core);
  const retention = await defineRetention(core, core.config.retention);
  return {
    messages,
    showProduct: fanUpdates.showProduct,
    showNew: fanUpdates.showNew,
    refusalOf,
    bind(router) {
      bindMessageRoutes(router, core, messages);
      bindMediaRoutes(router, core);
      bindDraftRoutes(router, core);
      bindTemplateRoutes(router, templates);
      bindScheduledRoutes(router, scheduled);
      bindGuardRailRoutes(router, guardRails);
      bindStaffNotesRoutes(router, staffNotes, mentions);
      bindHandoverRoutes(router, handovers);
    },
    reemitters: {
      ...messages.reemitters,
      ...staffNotes.reemitters,
      ...mentions.reemitters,
      ...handovers.reemitters,
      ...draftReemitters(core),
    },
    sweeps: [
      () => purgeDrafts(db),
      () => pruneScheduled(db),
      () => purgeTemplateFiles(db),
      () => retention.today(),
      fillSentMessages(db),
    ],
    stop: () => Promise.all([guardRails.stop(), sends.stop()]),
  };
}
