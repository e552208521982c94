import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PushPayload } from '@stagedoor/contract/team/notifications';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Vapid } from '../../push/vapid.ts';
import { type PushAnswer, type PushRules, postPush } from './post-push.ts';
import { encryptPush, type PushKeys, topicOf } from './push-encryption.ts';

/** Milliseconds before each retry. */
const RETRIES_MS = [1_000, 5_000];
/** The maximum wait that a push service's `Retry-After` can impose. */
const LONGEST_WAIT_MS = 30_000;
/** Limits per push service: concurrent requests, and pushes that are queued, running or waiting for a retry. */
const AT_ONCE = 16;
const MOST_WAITING = 5_000;
/** Seconds that a push service stores a notification for a closed browser. Older notifications are no longer useful. */
const TTL_SECONDS = 4 * 3_600;

/** Statuses that mean the browser must subscribe again: its push address is gone, or belongs to another key of the server. */
const GONE = new Set([401, 403, 404, 410]);

export interface Push {
  readonly endpoint: string;
  readonly keys: PushKeys;
  readonly payload: PushPayload;
}

/** Sends notifications to push services. */
export interface Pusher {
  /** Queues a push. @param onGone called if the browser must subscribe again */
  push(push: Push, onGone: () => Promise<void>): void;
  /** Aborts running pushes. */
  stop(): Promise<void>;
}

interface PushService {
  readonly limit: LimitFunction;
  readonly underWay: Set<Promise<void>>;
}

interface PusherOptions {
  readonly vapid: Vapid;
  readonly rules: PushRules;
  /** Milliseconds before each retry; {@link RETRIES_MS} by default. */
  readonly retries?: readonly number[];
  readonly log: (error: unknown) => void;
}

export function createPusher({ vapid, rules, retries = RETRIES_MS, log }: PusherOptions): Pusher {
  const stopping = new AbortController();
  // Avoids Node's warning about many listeners: every running push adds one.
  setMaxListeners(0, stopping.signal);
  /** Indexed by origin, so that a slow push service delays only the pushes to that service. */
  const services = new Map<string, PushService>();

  function serviceOf(endpoint: string): PushService {
    const { origin } = new URL(endpoint);
    const known = services.get(origin);
    if (known !== undefined) return known;
    const service = { limit: pLimit(AT_ONCE), underWay: new Set<Promise<void>>() };
    services.set(origin, service);
    return service;
  }

  async function attempt({ endpoint, keys, payload }: Push): Promise<PushAnswer> {
    const body = encryptPush(Buffer.from(JSON.stringify(payload)), keys);
    const subject = payload.conversation_id ?? `${payload.title} ${payload.body}`;
    const headers = {
      authorization: vapid.authorization(endpoint, Date.now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(TTL_SECONDS),
      urgency: 'high',
      topic: topicOf(`${payload.kind} ${subject}`),
    };
    return postPush({ endpoint, headers, body }, rules, stopping.signal);
  }

  /** Delivers a push with retries. A push that waits for a retry doesn't hold a concurrency slot. */
  async function deliver(
    limit: LimitFunction,
    push: Push,
    onGone: () => Promise<void>,
  ): Promise<void> {
    for (const wait of [...retries, null]) {
      const answer = await limit(() => attempt(push)).catch(() => null);
      if (stopping.signal.aborted) return;
      if (answer !== null && GONE.has(answer.status)) return onGone();
      const isPassing = answer === null || answer.status === 429 || answer.status >= 500;
      if (!isPassing || wait === null) return;
      const asked = (answer?.retryAfter ?? 0) * 1_000;
      await sleep(Math.max(wait, Math.min(asked, LONGEST_WAIT_MS)), undefined, {
        signal: stopping.signal,
      }).catch(() => undefined);
    }
  }

  return {
    push(push, onGone) {
      const { limit, underWay } = serviceOf(push.endpoint);
      if (stopping.signal.aborted || underWay.size >= MOST_WAITING) return;
      const work = deliver(limit, push, onGone)
        .catch(log)
        .finally(() => {
          underWay.delete(work);
          if (underWay.size === 0) services.delete(new URL(push.endpoint).origin);
        });
      underWay.add(work);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...services.values()].flatMap(({ underWay }) => [...underWay]));
    },
  };
}
