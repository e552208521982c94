import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messages';
import type { PushPayload } from '@stagedoor/contract/notifications';
import type { Database } from '../../db/database.ts';
import { liveSessions } from '../auth/auth.store.ts';
import {
  deleteSubscription,
  findNews,
  listSubscribers,
  type News,
  type Subscriber,
} from './notifications.store.ts';
import type { Pusher } from './pusher.ts';
import { isQuiet } from './quiet-hours.ts';

/** What somebody has open and looks at is read within this long, and then nobody needs to be told. Milliseconds. */
const READ_FIRST_MS = 2_500;
/** What is due is looked for this often while anything waits. Milliseconds. */
const ROUND_MS = 500;
/** More conversations than this with news at once are not told of: who is not there by then won't be by a notification. */
const MOST_WAITING = 1_000;
/** Characters of a message in a notification. */
const TEXT_CHARS = 120;

interface Waiting {
  readonly kind: PushPayload['kind'];
  readonly conversationId: string;
  readonly messageId: string;
  /** In USD; of a sale. */
  readonly amount: number;
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
  stop(): Promise<void>;
}

export function createNotifier(dependencies: NotifierDependencies): Notifier {
  const { db, pusher, log, readFirstMs = READ_FIRST_MS } = dependencies;
  /** Of a conversation's messages the newest. */
  const waiting = new Map<string, Waiting>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let round: Promise<void> = Promise.resolve();
  let stopped = false;

  function add(one: Waiting): void {
    const key = `${one.kind} ${one.conversationId}`;
    if (stopped || (waiting.size >= MOST_WAITING && !waiting.has(key))) return;
    // The first one's time counts: who goes on writing is told of all the same.
    waiting.set(key, { ...one, dueAt: waiting.get(key)?.dueAt ?? one.dueAt });
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
    const news = await findNews(
      db,
      due.map(([, { messageId }]) => messageId),
    );
    const byId = new Map(news.map((one) => [one.id, one]));
    for (const [, one] of due) {
      const about = byId.get(one.messageId);
      if (about === undefined) continue;
      for (const subscriber of awake) {
        const payload = payloadFor(subscriber, one, about);
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
      add({
        kind: 'message',
        conversationId,
        messageId,
        amount: 0,
        dueAt: Date.now() + readFirstMs,
      }),
    sale: (conversationId, messageId, amount) =>
      add({ kind: 'sale', conversationId, messageId, amount, dueAt: Date.now() }),
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      waiting.clear();
      await round;
      await pusher.stop();
    },
  };
}

const usd = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });

/** What somebody is told; null where they don't want to hear of it, or it was seen meanwhile. */
function payloadFor(
  { adminId, settings }: Subscriber,
  { kind, amount }: Waiting,
  { conversation_id, content, read_at, claimed_by, fan_name }: News,
): PushPayload | null {
  const title = fan_name.slice(0, TEXT_CHARS);
  if (kind === 'sale') {
    if (!settings.sales) return null;
    return { kind, conversation_id, title, body: `Bought for ${usd.format(amount)}` };
  }
  const isWanted =
    settings.fan_messages === 'all' || (settings.fan_messages === 'mine' && claimed_by === adminId);
  if (!isWanted || read_at !== null) return null;
  return { kind, conversation_id, title, body: bodyOf(content, settings.shows_text) };
}

function bodyOf(content: string, showsText: boolean): string {
  const text = content === ATTACHMENT_PLACEHOLDER ? '' : content.trim();
  if (!showsText) return 'New message';
  if (text === '') return 'New attachment';
  const characters = [...text];
  return characters.length > TEXT_CHARS ? `${characters.slice(0, TEXT_CHARS).join('')}…` : text;
}
