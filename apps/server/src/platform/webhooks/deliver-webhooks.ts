import type { Database } from '../../db/database.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { WebhookSource } from './bodies.ts';
import { postWebhook, type Receiver } from './post-webhook.ts';
import * as store from './queues.store.ts';
import { webhookId } from './webhook-id.ts';

/** When and for how long failed tries are repeated. Seconds. */
export interface WebhookTiming {
  /** The pause before the second try. Each further pause is about twice as long. Whole seconds, like `longestPause`. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** The maximum age of an event, from when it was queued. An older event is given up after its next failed try. */
  readonly giveUpAfter: number;
  /** How long a try waits for an answer. */
  readonly timeout: number;
}

export const WEBHOOK_TIMING: WebhookTiming = {
  firstPause: 1,
  longestPause: 15 * 60,
  giveUpAfter: 3 * 24 * 60 * 60,
  timeout: 15,
};

/** The number of queues processed at a time. */
const CONCURRENCY = 6;
/** The maximum number of tries. Never reached, because events are given up by age. */
const TRIES = 1_000_000;
/** The interval between checks for new events without a wake-up. Milliseconds. */
const POLL_MS = 2_000;
/** How long a stop waits for tries in progress. Milliseconds. */
const STOP_WAIT_MS = 3_000;

interface DeliveryDependencies {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly receiver: Receiver;
  readonly timing: WebhookTiming;
  /** Returns the current body of an event as JSON; null if there is nothing left to send. */
  readonly bodyOf: (event: WebhookSource) => Promise<string | null>;
  readonly log: (error: unknown) => void;
}

export interface Deliveries {
  /** Delivers new events immediately; without this call, they wait for the next check. Call it after the commit. */
  wake(): void;
  /** Starts delivering, beginning with queued events. */
  start(): void;
  /** Takes no more events, and aborts the tries in progress after a moment. Aborted tries are repeated after the next start. */
  stop(): Promise<void>;
}

/**
 * Delivers queued events, in order within each conversation's queue. An open queue has a job for its first event; the
 * transaction that settles the event adds the job for the next one. Call this before the jobs start.
 */
export async function defineDeliveries(deps: DeliveryDependencies): Promise<Deliveries> {
  const { db, jobs, receiver, timing, bodyOf, log } = deps;
  const cut = new AbortController();
  const queue = await jobs.define<store.Head>({
    name: 'webhooks',
    concurrency: CONCURRENCY,
    retries: {
      attempts: TRIES,
      firstPause: timing.firstPause,
      longestPause: timing.longestPause,
    },
    yields: ({ mass }) => mass,
    run: deliver,
    gaveUp: async () => undefined,
  });

  async function deliver(head: store.Head): Promise<void> {
    const event = await store.findHead(db, head.lane);
    if (event?.id !== head.event) {
      // The job's event was erased, or an earlier run of the job settled it and the process died right after.
      await store.closeIfEmpty(db, head.lane);
      return;
    }
    let body: string | null;
    try {
      body = await bodyOf(event);
    } catch (error) {
      log(error);
      // Usually a database error. An event whose body can never be built must not block its queue forever.
      if (event.age < timing.giveUpAfter) throw error;
      body = null;
    }
    const attempt =
      body === null
        ? null
        : await postWebhook(receiver, { id: webhookId(event.event_id), body }, cut.signal);
    if (attempt !== null && !attempt.succeeded) {
      // The process is stopping, so the receiver is not at fault.
      if (cut.signal.aborted) throw new Error('stopped');
      if (event.age + attempt.durationMs / 1_000 < timing.giveUpAfter) {
        await store.noteFailure(db, event.id, attempt);
        throw new Error('not delivered');
      }
    }
    await finish(head, attempt);
  }

  async function finish(head: store.Head, attempt: store.Try | null): Promise<void> {
    const state = attempt?.succeeded ? 'delivered' : 'failed';
    await db.kysely.transaction().execute(async (tx) => {
      const next = await store.settle(tx, head, state, attempt);
      if (next !== null) await queue.add(tx, [next]);
    });
    queue.wake();
  }

  /** @returns whether there may be more events */
  async function relay(): Promise<boolean> {
    const count = await db.kysely.transaction().execute(async (tx) => {
      const relayed = await store.relayEvents(tx);
      if (relayed.heads.length > 0) await queue.add(tx, relayed.heads);
      return relayed.count;
    });
    if (count > 0) queue.wake();
    return count === store.RELAY_BATCH;
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

/** Creates a bell that wakes a waiting loop, or makes the loop's next wait return immediately. */
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
