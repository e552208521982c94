import type { Database } from '../../db/database.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { ToldEvent } from './bodies.ts';
import {
  closeIfEmpty,
  findHead,
  type Head,
  noteFailure,
  RELAY_BATCH,
  relayEvents,
  settle,
  type Try,
} from './lanes.store.ts';
import { postWebhook, type Receiver } from './post-webhook.ts';
import { webhookId } from './webhook-id.ts';

/** How long failed tries are repeated, and how far apart. Seconds. */
export interface WebhookTiming {
  /** Before the second try; each further pause is about twice as long. Whole seconds, as is the longest. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** A try that fails after that long is the last. Counted from when the event was queued. */
  readonly giveUpAfter: number;
  /** Until a try without an answer has failed. */
  readonly timeout: number;
}

export const WEBHOOK_TIMING: WebhookTiming = {
  firstPause: 1,
  longestPause: 15 * 60,
  giveUpAfter: 3 * 24 * 60 * 60,
  timeout: 15,
};

/** Lanes that are worked on at a time. */
const CONCURRENCY = 6;
/** More tries than there is time for: an event is given up by its age. */
const TRIES = 1_000_000;
/** How often fresh events are looked for when nobody says that there are some. Milliseconds. */
const POLL_MS = 2_000;
/** Stopping gives tries under way this long. Milliseconds. */
const STOP_WAIT_MS = 3_000;

interface DeliveryDependencies {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly receiver: Receiver;
  readonly timing: WebhookTiming;
  /** The body of an event now, as JSON; null where there is nothing to tell any more. */
  readonly bodyOf: (event: ToldEvent) => Promise<string | null>;
  readonly log: (error: unknown) => void;
}

export interface Deliveries {
  /** Has new events seen at once; without it they are seen within seconds. To be called after the commit. */
  wake(): void;
  /** Begins with what is queued. */
  start(): void;
  /** Takes no more events, and after a moment ends the tries under way: they are made again after the next start. */
  stop(): Promise<void>;
}

/**
 * Delivers what is queued, lane by lane: an open lane has one job, for the event whose turn it is, and the next one's is added
 * by the transaction that settles it. Call it before the jobs start.
 */
export async function defineDeliveries(deps: DeliveryDependencies): Promise<Deliveries> {
  const { db, jobs, receiver, timing, bodyOf, log } = deps;
  const cut = new AbortController();
  const queue = await jobs.define<Head>({
    name: 'webhooks',
    concurrency: CONCURRENCY,
    retries: {
      attempts: TRIES,
      firstPause: timing.firstPause,
      longestPause: timing.longestPause,
    },
    run: deliver,
    gaveUp: async () => undefined,
  });

  async function deliver(head: Head): Promise<void> {
    const event = await findHead(db, head.lane);
    if (event?.id !== head.event) {
      // It was settled before, by this job in a process that died then, or erased.
      await closeIfEmpty(db, head.lane);
      return;
    }
    let body: string | null;
    try {
      body = await bodyOf(event);
    } catch (error) {
      log(error);
      // Mostly it is the database; what can't ever be put into words is not to hold up its lane for good.
      if (event.age < timing.giveUpAfter) throw error;
      body = null;
    }
    const attempt =
      body === null
        ? null
        : await postWebhook(receiver, { id: webhookId(event.event_id), body }, cut.signal);
    if (attempt !== null && !attempt.succeeded) {
      // The process is ending: the receiver is not to blame.
      if (cut.signal.aborted) throw new Error('stopped');
      if (event.age + attempt.durationMs / 1_000 < timing.giveUpAfter) {
        await noteFailure(db, event.id, attempt);
        throw new Error('not delivered');
      }
    }
    await finish(head, attempt);
  }

  async function finish(head: Head, attempt: Try | null): Promise<void> {
    const state = attempt?.succeeded ? 'delivered' : 'failed';
    await db.kysely.transaction().execute(async (tx) => {
      const next = await settle(tx, head, state, attempt);
      if (next !== null) await queue.add(tx, [next]);
    });
    queue.wake();
  }

  /** @returns whether there may be more */
  async function relay(): Promise<boolean> {
    const count = await db.kysely.transaction().execute(async (tx) => {
      const relayed = await relayEvents(tx);
      if (relayed.heads.length > 0) await queue.add(tx, relayed.heads);
      return relayed.count;
    });
    if (count > 0) queue.wake();
    return count === RELAY_BATCH;
  }

  const bell = createBell();
  let stopping = false;
  let loop = Promise.resolve();
  async function run(): Promise<void> {
    while (!stopping) {
      const more = await relay().catch(log);
      if (!stopping && !more) await bell.wait(POLL_MS);
    }
  }

  return {
    wake: bell.ring,
    start() {
      loop = run();
    },
    async stop() {
      stopping = true;
      bell.ring();
      setTimeout(() => cut.abort(), STOP_WAIT_MS).unref();
      await loop;
    },
  };
}

/** Wakes one who waits, or keeps the next from waiting. */
function createBell() {
  let rung = false;
  let wakeUp = () => {};
  return {
    ring() {
      rung = true;
      wakeUp();
    },
    async wait(ms: number): Promise<void> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
      wakeUp = () => {};
    },
  };
}
