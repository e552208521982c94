import { createHash } from 'node:crypto';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import { createEventStream } from './event-stream.ts';
import { openRedisLink } from './redis-link.ts';

/** How long a start waits for Redis; without it a node starts all the same. Milliseconds. */
const START_MS = 3_000;
/** Redis must answer within this. Milliseconds. */
const ANSWER_MS = 2_000;

/** What several nodes share by way of Redis. Everything that counts goes on without it. */
export interface Broker {
  /** Carries events between the sockets of all nodes. */
  readonly adapter: ReturnType<typeof createAdapter>;
  /** Whether events reach the other nodes, and theirs us. */
  isUp(): boolean;
  /**
   * Whether Redis took everything that was emitted since then, once that is known.
   * @param since a time of `performance.now()`
   */
  accepted(since: number): Promise<boolean>;
  /** @param listener called each time when events of other nodes may have been missed, and no more are */
  onMissed(listener: () => void): void;
  /**
   * Counts a call.
   * @param key whose calls are counted together
   * @param windowMs after which the count begins again
   * @returns calls within the window by now, on all nodes, and how long it goes on in milliseconds
   * @throws Error where Redis does not respond
   */
  count(key: string, windowMs: number): Promise<{ current: number; ttl: number }>;
  /** Publishes what is under way, and lets go. */
  close(): Promise<void>;
}

interface BrokerSettings {
  readonly url: string;
  /** What tells installations apart that use the same Redis. */
  readonly installationId: string;
  readonly log: { warn(details: object, message: string): void };
}

const COUNT = `local count = redis.call('incr', KEYS[1])
if count == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
return {count, redis.call('pttl', KEYS[1])}`;

/** Connects to Redis. Resolves also where it is away: then it is looked for until it is there. */
export async function openBroker({ url, installationId, log }: BrokerSettings): Promise<Broker> {
  const prefix = `stagedoor:${createHash('sha256').update(installationId).digest('hex').slice(0, 16)}:`;
  const listeners: (() => void)[] = [];
  let wasUp: boolean | null = null;
  const writer = openRedisLink(url, (isUp, error) => {
    if (isUp) stream.writerIsBack();
    tell(isUp, error);
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

  function tell(isUp: boolean, error: Error | null): void {
    if (isUp === wasUp || (isUp && wasUp === null)) return;
    wasUp = isUp;
    if (isUp) log.warn({}, 'Redis is up again');
    else
      log.warn({ err: error }, 'Redis is down: events reach other nodes with a delay of a second');
  }

  const adapter = createAdapter(stream.client);
  const isUp = () => writer.isUp() && stream.hears();
  const deadline = Date.now() + START_MS;
  while (!isUp() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
  if (!isUp()) tell(false, new Error('Redis did not respond at startup'));
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
