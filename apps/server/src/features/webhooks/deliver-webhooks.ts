import type { Database } from '../../db/database.ts';
import type { ToldEvent } from './bodies.ts';
import {
  claimLanes,
  findHead,
  hurryLanes,
  type Lane,
  type Outcome,
  type QueuedEvent,
  relayEvents,
  releaseLane,
  settle,
  type Try,
} from './lanes.store.ts';
import { postWebhook, type Receiver } from './post-webhook.ts';
import { webhookId } from './webhook-id.ts';

/** How long failed tries are repeated, and how far apart. Milliseconds. */
export interface WebhookTiming {
  /** Before the second try; each further pause is about twice as long. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** A try that fails after that long is the last. Counted from when the event was queued. */
  readonly giveUpAfter: number;
  /** Until a try without an answer has failed. */
  readonly timeout: number;
}

export const WEBHOOK_TIMING: WebhookTiming = {
  firstPause: 1_000,
  longestPause: 60 * 60_000,
  giveUpAfter: 3 * 24 * 60 * 60_000,
  timeout: 15_000,
};

/** Lanes that are worked on at a time. */
const CONCURRENCY = 6;
/** How often work is looked for when nobody says that there is some. Milliseconds. */
const POLL_MS = 2_000;
/** A pause is longer by up to this part of it. */
const JITTER = 0.2;
/** Stopping waits this long for tries under way. Milliseconds. */
const STOP_WAIT_MS = 3_000;

interface DeliveryDependencies {
  readonly db: Database;
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
  /** Begins no more tries, and after a moment ends those under way: they are made again after the next start. */
  stop(): Promise<void>;
}

/** Delivers what is queued, lane by lane: within one an event follows only when the one before is delivered or given up. */
export function createDeliveries(dependencies: DeliveryDependencies): Deliveries {
  const { db, log } = dependencies;
  const busy = new Set<Promise<void>>();
  const cut = new AbortController();
  const bell = createBell();
  let stopping = false;
  let loop = Promise.resolve();

  async function startDue(): Promise<void> {
    await relayEvents(db);
    const free = CONCURRENCY - busy.size;
    if (free === 0) return;
    for (const lane of await claimLanes(db, free)) {
      const work: Promise<void> = deliverNext(dependencies, lane, cut.signal)
        .then(bell.ringIn, log)
        .finally(() => void busy.delete(work));
      busy.add(work);
    }
  }

  async function run(): Promise<void> {
    while (!stopping) {
      await startDue().catch(log);
      if (!stopping) await bell.wait(POLL_MS);
    }
  }

  return {
    wake: () => bell.ringIn(0),
    start() {
      loop = run();
    },
    async stop() {
      stopping = true;
      bell.ringIn(0);
      await loop;
      const late = setTimeout(() => cut.abort(), STOP_WAIT_MS);
      await Promise.all(busy);
      clearTimeout(late);
    },
  };
}

/**
 * Delivers the event whose turn it is in a lane, or notes that it could not.
 * @returns milliseconds until there may be more to do in this lane
 */
async function deliverNext(
  { db, receiver, timing, bodyOf, log }: DeliveryDependencies,
  lane: Lane,
  cut: AbortSignal,
): Promise<number> {
  const event = await findHead(db, lane);
  if (event === null) {
    await releaseLane(db, lane);
    return 0;
  }
  const attempt = await tryOnce(event);
  if (cut.aborted && attempt?.succeeded === false) {
    // The process is ending: the receiver is not to blame, and the next start begins here.
    await releaseLane(db, lane);
    return 0;
  }
  const outcome = outcomeOf(event, attempt, timing);
  await settle(db, lane, event, outcome);
  if (event.type === 'webhook.test' && outcome.state === 'delivered') await hurryLanes(db);
  return outcome.pauseMs;

  /** Null where there is nothing to tell. */
  async function tryOnce({ event_id }: QueuedEvent): Promise<Try | null> {
    let body: string | null;
    try {
      body = await bodyOf(event as QueuedEvent);
    } catch (error) {
      log(error);
      const answer = 'The event could not be put into words';
      return { durationMs: 0, status: null, answer, succeeded: false };
    }
    return body === null ? null : postWebhook(receiver, { id: webhookId(event_id), body }, cut);
  }
}

/** Whether an event has come to its end, and how long its lane rests. */
function outcomeOf(event: QueuedEvent, attempt: Try | null, timing: WebhookTiming): Outcome {
  if (attempt === null) return { state: 'failed', attempt, pauseMs: 0 };
  if (attempt.succeeded) return { state: 'delivered', attempt, pauseMs: 0 };
  if (event.age_ms + attempt.durationMs >= timing.giveUpAfter) {
    return { state: 'failed', attempt, pauseMs: 0 };
  }
  const pause = Math.min(timing.longestPause, timing.firstPause * 2 ** event.tries);
  // Not all lanes at the same moment.
  return { state: 'waiting', attempt, pauseMs: pause * (1 + JITTER * Math.random()) };
}

/** Wakes one who waits: at once, in a moment, or when they have waited long enough. */
function createBell() {
  let rung = false;
  let wakeUp = () => {};
  const ring = () => {
    rung = true;
    wakeUp();
  };
  return {
    /** Longer than anyone waits is as good as not at all. */
    ringIn(ms: number): void {
      if (ms <= 0) ring();
      else if (ms < POLL_MS) setTimeout(ring, ms).unref();
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
