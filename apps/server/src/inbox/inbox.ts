import { PRESENCE_EVERY_MS } from '@stagedoor/contract/realtime';
import { limitedSegmentSearch } from '../db/searches.ts';
import type { Base, Domain } from '../domain.ts';
import { every } from '../realtime/outbox.ts';
import {
  bindConversationRoutes,
  type SegmentFilter,
} from './conversations/conversations.routes.ts';
import {
  type ConversationsService,
  createConversationsService,
} from './conversations/conversations.service.ts';
import { bindMessageSearchRoutes } from './message-search/message-search.routes.ts';
import { createPresence, type Presence } from './presence/presence.ts';
import { createBulkService, type ReadAll } from './queue/bulk.service.ts';
import { bindQueueRoutes } from './queue/queue.routes.ts';
import { createQueueService } from './queue/queue.service.ts';
import { bindViewRoutes } from './views/views.routes.ts';

/** The interval of the job that releases expired claims. */
const RELEASE_MS = 5_000;

export interface Inbox extends Domain {
  readonly conversations: ConversationsService;
  readonly presence: Presence;
}

/**
 * Wires the inbox: the conversation list, claims, the queue, views, search and presence.
 * @param segmentFilter finds the filter for a segment; from selling, which the inbox may not import
 * @param readAll marks conversations as read; from messaging, which the inbox may not import either
 */
export function openInbox(base: Base, segmentFilter: SegmentFilter, readAll: ReadAll): Inbox {
  const { db, logError } = base;
  const conversations = createConversationsService(base);
  const segmentSearch = limitedSegmentSearch(db);
  const queue = createQueueService(base, conversations, segmentSearch);
  const presence = createPresence(base.publish);
  const intervals = [
    every(RELEASE_MS, conversations.releaseExpired, logError),
    every(PRESENCE_EVERY_MS, presence.broadcastAll, logError),
  ];
  return {
    conversations,
    presence,
    bind(router) {
      bindConversationRoutes(router, { ...base, conversations, segmentFilter, segmentSearch });
      const bulk = createBulkService({ db, conversations, readAll });
      bindQueueRoutes(router, { db, queue, bulk, segmentFilter });
      bindViewRoutes(router, db);
      bindMessageSearchRoutes(router, db);
    },
    reemitters: { ...conversations.reemitters, ...queue.reemitters },
    sweeps: [],
    stop: () => Promise.all([queue.stop(), ...intervals.map((interval) => interval.stop())]),
  };
}
