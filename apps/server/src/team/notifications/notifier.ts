import { randomUUID } from 'node:crypto';
import type { PushPayload } from '@stagedoor/contract/team/notifications';
import type { Core } from '../../domain.ts';
import { liveSessions } from '../auth/auth.store.ts';
import type { ShiftNotices } from '../shifts/shifts.service.ts';
import { type EarningNews, findNotices, type NotifiableEvent } from './notices.ts';
import { deleteSubscription, listSubscribers, type Subscriber } from './notifications.store.ts';
import type { Pusher } from './pusher.ts';
import { isQuiet } from './quiet-hours.ts';

/** The delay before a notification, in milliseconds. A message on an admin's screen is read by then and causes no notification. */
const READ_FIRST_MS = 2_500;
/** How often due notifications are sent while any are waiting, in milliseconds. */
const SWEEP_MS = 500;
/** How long overdue notifications are retried, in milliseconds. Later, they are no longer useful. */
const RETRIED_MS = 10 * 60_000;
/** The maximum number of waiting notifications. Beyond this backlog, more notifications wouldn't bring staff back sooner. */
const MOST_WAITING = 1_000;
/** The maximum number of notes per waiting entry. If newer notes are deleted before the push, an older note is pushed. */
const MOST_NOTES = 20;

interface Waiting {
  /** Newest first. The first one that still exists and is unread gets pushed. */
  readonly about: readonly NotifiableEvent[];
  /** Milliseconds. */
  readonly dueAt: number;
}

/** Sends push notifications to the browsers that staff subscribed. */
export interface Notifier extends ShiftNotices {
  /** Notifies of a fan's message. Call it after the commit; it returns immediately. */
  fanMessage(conversationId: string, messageId: string): void;
  sale(conversationId: string, messageId: string, amount: number): void;
  /** Notifies admins whom a teammate mentioned in a note. Call it after the commit; it returns immediately. */
  mention(
    note: { readonly id: string; readonly conversation_id: string },
    adminIds: readonly string[],
  ): void;
  /** Notifies staff of a contested earning, the answer to the contest, or an adjustment. */
  earning(news: EarningNews): void;
  stop(): Promise<void>;
}

/** @param readFirstMs milliseconds to wait for a message to be read before anyone is notified */
export function createNotifier(
  { db, logError }: Core,
  pusher: Pusher,
  readFirstMs = READ_FIRST_MS,
): Notifier {
  /** Waiting notifications, by event type and subject. Mentions add up; any other event replaces an earlier one. */
  const waiting = new Map<string, Waiting>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let sweep: Promise<void> = Promise.resolve();
  let stopped = false;

  function add(key: string, about: NotifiableEvent, waitMs = readFirstMs): void {
    if (stopped || (waiting.size >= MOST_WAITING && !waiting.has(key))) return;
    // The due time of the first message stays, so that a fan who continues writing doesn't delay the notification.
    const held = waiting.get(key);
    const earlier = about.kind === 'mention' ? (held?.about ?? []) : [];
    waiting.set(key, {
      about: [about, ...earlier].slice(0, MOST_NOTES),
      dueAt: held?.dueAt ?? Date.now() + waitMs,
    });
    schedule();
  }

  function schedule(): void {
    if (timer !== null || stopped || waiting.size === 0) return;
    timer = setTimeout(() => {
      sweep = pushDue()
        .catch(logError)
        .finally(() => {
          timer = null;
          schedule();
        });
    }, SWEEP_MS);
    timer.unref();
  }

  async function pushDue(): Promise<void> {
    const now = Date.now();
    const due = [...waiting].filter(([, { dueAt }]) => dueAt <= now);
    for (const [key] of due) waiting.delete(key);
    if (due.length === 0) return;
    const groups = due.map(([, { about }]) => about);
    const { awake, notices } = await prepare(groups, now).catch((error: unknown) => {
      // The next sweep retries them: the database may be available again.
      for (const [key, held] of due)
        if (!waiting.has(key) && now - held.dueAt < RETRIED_MS) waiting.set(key, held);
      throw error;
    });
    for (const notice of notices) {
      for (const subscriber of awake) {
        const payload = notice(subscriber);
        if (payload !== null) push(subscriber, payload);
      }
    }
  }

  /** Returns the notices to send, and the browsers that can receive notices now. */
  async function prepare(groups: readonly (readonly NotifiableEvent[])[], now: number) {
    const subscribers = await listSubscribers(db);
    if (subscribers.length === 0) return { awake: [], notices: [] };
    const live = await liveSessions(
      db,
      subscribers.map(({ sessionId }) => sessionId),
    );
    const awake = subscribers.filter(
      ({ sessionId, settings: { quiet, time_zone } }) =>
        live.has(sessionId) && !isQuiet(quiet, time_zone, now),
    );
    return { awake, notices: await findNotices(db, groups) };
  }

  function push({ sessionId, endpoint, keys }: Subscriber, payload: PushPayload): void {
    pusher.push({ endpoint, keys, payload }, () =>
      deleteSubscription(db, sessionId, endpoint).catch(logError),
    );
  }

  return {
    fanMessage: (conversationId, messageId) =>
      add(`message ${conversationId}`, { kind: 'message', messageId }),
    sale: (conversationId, messageId, amount) =>
      add(`sale ${conversationId}`, { kind: 'sale', messageId, amount }, 0),
    mention({ id: noteId, conversation_id: conversationId }, adminIds) {
      for (const adminId of adminIds)
        add(`mention ${conversationId} ${adminId}`, { kind: 'mention', noteId, adminId });
    },
    clockStopped: (adminId) => add(`clock ${adminId}`, { kind: 'clock', adminId }, 0),
    timeAsked: ({ id, codename }) => add(`time ${id}`, { kind: 'time', codename }, 0),
    earning: (news) => add(`earning ${randomUUID()}`, { kind: 'earning', ...news }, 0),
    timeGranted: (adminId, until) =>
      add(`granted ${adminId}`, { kind: 'granted', adminId, until }, 0),
    // One entry per admin: the same shift may have been taken from one admin and given to another.
    planChanged: (change) =>
      add(`shift ${change.shiftId} ${change.adminId}`, { kind: 'shift', ...change }, 0),
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      waiting.clear();
      await sweep;
      await pusher.stop();
    },
  };
}
