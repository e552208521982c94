import type { PushPayload } from '@stagedoor/contract/team/notifications';
import type { Database } from '../../db/database.ts';
import { liveSessions } from '../auth/auth.store.ts';
import { findNotices, type Happened } from './notices.ts';
import { deleteSubscription, listSubscribers, type Subscriber } from './notifications.store.ts';
import type { Pusher } from './pusher.ts';
import { isQuiet } from './quiet-hours.ts';

/** What somebody has open and looks at is read within this long, and then nobody needs to be told. Milliseconds. */
const READ_FIRST_MS = 2_500;
/** What is due is looked for this often while anything waits. Milliseconds. */
const ROUND_MS = 500;
/** More conversations than this with news at once are not told of: who is not there by then won't be by a notification. */
const MOST_WAITING = 1_000;
/** Notes that are remembered in case the newer ones are deleted before they are pushed. */
const MOST_NOTES = 20;

interface Waiting {
  /** The newest first: the first that is still news is pushed. */
  readonly about: readonly Happened[];
  /** Milliseconds. */
  readonly dueAt: number;
}

export interface NotifierDependencies {
  readonly db: Database;
  readonly pusher: Pusher;
  readonly log: (error: unknown) => void;
  /** Milliseconds; {@link READ_FIRST_MS} unless told. */
  readonly readFirstMs?: number;
}

/** Tells staff who are elsewhere what has happened, by their browsers' push services. */
export interface Notifier {
  /** A fan has written. To be called after the commit; costs the caller nothing. */
  fanMessage(conversationId: string, messageId: string): void;
  /** A fan has bought something. */
  sale(conversationId: string, messageId: string, amount: number): void;
  /** A colleague has named these people in a note. To be called after the commit; costs the caller nothing. */
  mention(
    note: { readonly id: string; readonly conversation_id: string },
    adminIds: readonly string[],
  ): void;
  stop(): Promise<void>;
}

export function createNotifier(dependencies: NotifierDependencies): Notifier {
  const { db, pusher, log, readFirstMs = READ_FIRST_MS } = dependencies;
  /** Of a conversation's messages the newest, and of its notes those that name somebody. */
  const waiting = new Map<string, Waiting>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let round: Promise<void> = Promise.resolve();
  let stopped = false;

  function add(key: string, about: Happened, waitMs = readFirstMs): void {
    if (stopped || (waiting.size >= MOST_WAITING && !waiting.has(key))) return;
    // The first one's time counts: who goes on writing is told of all the same.
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
      round = tellDue()
        .catch(log)
        .finally(() => {
          timer = null;
          schedule();
        });
    }, ROUND_MS);
    timer.unref();
  }

  async function tellDue(): Promise<void> {
    const now = Date.now();
    const due = [...waiting].filter(([, { dueAt }]) => dueAt <= now);
    for (const [key] of due) waiting.delete(key);
    if (due.length === 0) return;
    const subscribers = await listSubscribers(db);
    if (subscribers.length === 0) return;
    const live = await liveSessions(
      db,
      subscribers.map(({ sessionId }) => sessionId),
    );
    const awake = subscribers.filter(
      ({ sessionId, settings: { quiet, time_zone } }) =>
        live.has(sessionId) && !isQuiet(quiet, time_zone, now),
    );
    const notices = await findNotices(
      db,
      due.map(([, { about }]) => about),
    );
    for (const notice of notices) {
      for (const subscriber of awake) {
        const payload = notice(subscriber);
        if (payload !== null) tell(subscriber, payload);
      }
    }
  }

  function tell({ sessionId, endpoint, keys }: Subscriber, payload: PushPayload): void {
    pusher.push({ endpoint, keys, payload }, () =>
      deleteSubscription(db, sessionId, endpoint).catch(log),
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
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      waiting.clear();
      await round;
      await pusher.stop();
    },
  };
}
