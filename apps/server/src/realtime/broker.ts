import { createHash } from 'node:crypto';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import { createEventStream } from './event-stream.ts';
import { openRedisLink } from './redis-link.ts';

/** How long the start waits for Redis; afterwards the node starts without it. Milliseconds. */
const START_MS = 3_000;
/** Timeout for an answer from Redis. Milliseconds. */
const ANSWER_MS = 2_000;

/** Connects nodes through Redis: exchanges events and counts calls. Without Redis, everything essential still works. */
export interface Broker {
  readonly adapter: ReturnType<typeof createAdapter>;
  /** Checks whether events travel between this node and the others, in both directions. */
  isUp(): boolean;
  /**
   * Waits for pending publications. Returns whether Redis accepted everything that was emitted after `since`.
   * @param since a time of `performance.now()`
   */
  accepted(since: number): Promise<boolean>;
  /** @param listener called after each gap in which events of other nodes may have been missed */
  onMissed(listener: () => void): void;
  /**
   * Counts a call.
   * @param key calls with the same key are counted together
   * @param windowMs length of the window
   * @returns the number of calls in the current window, on all nodes, and the milliseconds until the window ends
   * @throws Error if Redis does not respond
   */
  count(key: string, windowMs: number): Promise<{ current: number; ttl: number }>;
  /** Finishes pending publications, and disconnects. */
  close(): Promise<void>;
}

interface BrokerSettings {
  readonly url: string;
  /** Distinguishes installations that share one Redis. */
  readonly installationId: string;
  readonly log: { warn(details: object, message: string): void };
}

const COUNT = `local count = redis.call('incr', KEYS[1])
if count == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
return {count, redis.call('pttl', KEYS[1])}`;

/** Connects to Redis. Resolves even if Redis is down; the connection is then retried until it succeeds. */
export async function openBroker({ url, installationId, log }: BrokerSettings): Promise<Broker> {
  const prefix = `stagedoor:${createHash('sha256').update(installationId).digest('hex').slice(0, 16)}:`;
  const listeners: (() => void)[] = [];
  let wasUp: boolean | null = null;
  const writer = openRedisLink(url, (isUp, error) => {
    if (isUp) stream.writerIsBack();
    report(isUp, error);
  });
  const reader = openRedisLink(url, () => undefined);
  const stream = createEventStream({
    name: `${prefix}events`,
    writer,
    reader,
    missed: () => {
      for (const listener of listeners) listener();
    },
  });

  function report(isUp: boolean, error: Error | null): void {
    if (isUp === wasUp || (isUp && wasUp === null)) return;
    wasUp = isUp;
    if (isUp) log.warn({}, 'Redis is up again');
    else
      log.warn({ err: error }, 'Redis is down: events reach other nodes with a delay of a second');
  }

  const adapter = createAdapter(stream.client);
  const isUp = () => writer.isUp() && stream.isReading();
  const deadline = Date.now() + START_MS;
  while (!isUp() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
  if (!isUp()) report(false, new Error('Redis did not respond at startup'));
  return {
    adapter,
    isUp,
    accepted: stream.accepted,
    onMissed: (listener) => void listeners.push(listener),
    async count(key, windowMs) {
      const answer = await writer.run(
        (client) =>
          client.eval(COUNT, { keys: [`${prefix}calls:${key}`], arguments: [String(windowMs)] }),
        ANSWER_MS,
      );
      const [current, ttl] = answer as [number, number];
      return { current, ttl };
    },
    async close() {
      await stream.close();
      writer.close();
      reader.close();
    },
  };
}
