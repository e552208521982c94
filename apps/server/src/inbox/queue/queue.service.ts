import { setTimeout as pause } from 'node:timers/promises';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { type NextReason, SNOOZE_MAX_DAYS } from '@stagedoor/contract/inbox/queue';
import { isUuid } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import type { Search } from '../../db/searches.ts';
import type { Base } from '../../domain.ts';
import { invalidRequest, tooManyPins } from '../../errors.ts';
import type { AdminActor, Writer } from '../../http/route.ts';
import { every } from '../../realtime/outbox.ts';
import { markUnread } from '../conversations/actions.store.ts';
import type { ConversationsService } from '../conversations/conversations.service.ts';
import type { ConversationFilter } from '../conversations/inbox-page.ts';
import { type Next, takeNext } from './next.store.ts';
import { deletePin, findPins, insertPin } from './pins.store.ts';
import { snooze, unsnooze, wakeDue } from './snooze.store.ts';

const DAY_MS = 86_400_000;
/** The interval of the job that ends snoozes. */
const WAKE_EVERY_MS = 1_000;
/** The maximum number of tries to claim the next conversation. All candidates may be locked for a moment. */
const NEXT_TRIES = 4;
const NEXT_PAUSE_MS = 25;

export type QueueService = ReturnType<typeof createQueueService>;

/** Picks the next conversation, and lets staff mark conversations as unread, snooze and pin them. */
export function createQueueService(
  base: Base,
  conversations: ConversationsService,
  segmentSearch: Search,
) {
  const { db, publish, outbox, logError } = base;

  async function take(
    adminId: string,
    skip: readonly string[],
    filter: ConversationFilter | null,
  ): Promise<Next | null> {
    for (let tries = 1; ; tries++) {
      const taken = await takeNext(db, adminId, skip.filter(isUuid), filter, segmentSearch);
      if (taken.id !== null) return taken;
      if (taken.candidates === 0 || tries === NEXT_TRIES) return null;
      await pause(NEXT_PAUSE_MS);
    }
  }

  /** Runs an action on a conversation, emits the change, and returns the conversation's new state. */
  async function act(id: string, run: () => Promise<ConversationTouched[]>): Promise<Conversation> {
    return conversations.settle(id, isUuid(id) ? await run() : []);
  }

  async function settlePins(
    adminId: string,
    change: number | 'unchanged' | 'too many',
  ): Promise<Conversation[]> {
    if (change === 'too many') throw tooManyPins();
    if (change !== 'unchanged') {
      await outbox.emit([change], () => publish.pinsUpdated(adminId));
    }
    return findPins(db, adminId);
  }

  const wake = async () => conversations.changed(await wakeDue(db));

  const waking = every(WAKE_EVERY_MS, wake, logError);
  return {
    /** Claims the next conversation that passes the filter. Returns it with the reasons, or null if no such fan is waiting. */
    async next({ admin }: Writer, skip: readonly string[], filter: ConversationFilter | null) {
      const taken = await take(admin.id, skip, filter);
      if (taken === null) return { data: null, reasons: [], claimed: false };
      const { id: conversationId, outbox_id: outboxId } = taken;
      const claimed = outboxId === null ? [] : [{ conversationId, outboxId }];
      const data = await conversations.settle(conversationId, claimed);
      return { data, reasons: reasonsOf(taken), claimed: claimed.length > 0 };
    },

    /** @throws AppError 404 */
    markUnread: (_actor: Writer, id: string) => act(id, () => markUnread(db, [id])),

    /** @param until ISO; null: until the fan writes. @throws AppError 404, or 400 for a time in the past or too far ahead */
    async snooze({ admin }: Writer, id: string, until: string | null): Promise<Conversation> {
      const end = snoozeEnd(until);
      return act(id, () => snooze(db, [id], admin.id, end));
    },

    /** @throws AppError 404 */
    unsnooze: ({ admin }: Writer, id: string) => act(id, () => unsnooze(db, [id], admin.id)),

    listPins: ({ admin }: AdminActor) => findPins(db, admin.id),

    /** @throws AppError 404, or 409 `too_many_pins` */
    async pin({ admin }: AdminActor, id: string): Promise<Conversation[]> {
      await conversations.get(id);
      return settlePins(admin.id, await insertPin(db, admin.id, id));
    },

    /** @throws AppError 404 */
    async unpin({ admin }: AdminActor, id: string): Promise<Conversation[]> {
      await conversations.get(id);
      return settlePins(admin.id, await deletePin(db, admin.id, id));
    },

    /** Re-emits events that the originating node failed to emit. */
    reemitters: {
      pins_updated: ({ admin_id }: { admin_id: string }) => publish.pinsUpdated(admin_id),
    },

    /** Stops the job that ends snoozes. */
    stop: () => waking.stop(),
  };
}

/** Returns when a snooze ends; null if it ends when the fan writes. @throws AppError 400 for a time in the past or too far ahead */
export function snoozeEnd(until: string | null): Date | null {
  if (until === null) return null;
  const left = Date.parse(until) - Date.now();
  if (left <= 0 || left > SNOOZE_MAX_DAYS * DAY_MS) {
    throw invalidRequest({ until: `Must be within the next ${SNOOZE_MAX_DAYS} days` });
  }
  return new Date(until);
}

function reasonsOf({ waiting_since, is_mine, status, ends_at, offered, bought }: Next) {
  const reasons: NextReason[] = [{ kind: 'waiting', since: waiting_since.toISOString() }];
  if (is_mine) reasons.push({ kind: 'mine' });
  if (status !== null && ends_at !== null)
    reasons.push({ kind: 'ends', status, ends_at: ends_at.toISOString() });
  if (bought > 0) reasons.push({ kind: 'bought', bought, offered });
  return reasons;
}
