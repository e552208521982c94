import { randomUUID } from 'node:crypto';
import type { RedisClient, RedisLink } from './redis-link.ts';

/** Approximate maximum number of events in the stream; no node ever falls nearly this far behind. */
const EVENTS_MAX = 10_000;
/**
 * How long events are kept; twice as long if no other event follows. Short, because nodes read events immediately, and events
 * contain people's messages. Milliseconds.
 */
const KEPT_MS = 60_000;
/** How often older events are trimmed. Milliseconds. */
const TRIM_EVERY_MS = 10_000;
const READ_COUNT = 100;
/** How long one read waits for new events. Milliseconds. */
const BLOCK_MS = 1_000;
/** Timeout for an answer from Redis. Milliseconds. */
const ANSWER_MS = 2_000;
const PAUSE_MS = 200;

/** The field with the node's own event number. A gap in the numbers reveals a missed event. */
const SEQ_FIELD = 'place';
const NODE = 'node';

interface EventStreamDependencies {
  /** The stream's key. */
  readonly name: string;
  /** Must not be used for blocking commands, because a connection answers in order. */
  readonly writer: RedisLink;
  readonly reader: RedisLink;
  /** Called when events of other nodes may have been missed. */
  readonly missed: () => void;
}

type Entry = { readonly id: string; readonly message: Record<string, string> };

/** The stream through which nodes exchange events. Socket.IO's adapter takes `client` as its Redis client. */
export interface EventStream {
  readonly client: object;
  /** Checks whether events of other nodes arrive here. */
  isReading(): boolean;
  /**
   * Waits for pending publications. Returns whether Redis accepted everything that was published after `since`.
   * @param since a time of `performance.now()`
   */
  accepted(since: number): Promise<boolean>;
  /** Must be called when the writing connection is back. */
  writerIsBack(): void;
  /** Finishes pending publications, and stops reading. */
  close(): Promise<void>;
}

/**
 * Creates the stream. Publishing never waits for Redis and never fails, so a node's own sockets get each event immediately;
 * `accepted` returns the outcome. After a lost connection, reading restarts at the stream's end, because Redis may have lost the
 * events in between. `missed` is called then, and also when a node's event numbers have a gap.
 */
export function createEventStream(deps: EventStreamDependencies): EventStream {
  const { name, writer, reader, missed } = deps;
  const node = randomUUID();
  let published = 0;
  const underWay = new Set<Promise<void>>();
  let failedAt = Number.NEGATIVE_INFINITY;
  /** Whether a publication failed and the other nodes have yet to notice the gap in the numbers. */
  let hasUnseenGap = false;
  let trimmedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  function publish(fields: Record<string, string>): void {
    const entry = { ...fields, [NODE]: node, [SEQ_FIELD]: String(++published) };
    const publication = writer
      .run((client) => add(client, entry), ANSWER_MS)
      .then(trim, () => {
        failedAt = performance.now();
        hasUnseenGap = true;
      })
      .finally(() => underWay.delete(publication));
    underWay.add(publication);
  }

  /**
   * Adds the entry and sets the expiry in one transaction, so that the stream can't expire in between and lose the entry.
   * @returns the entry's id
   */
  async function add(client: RedisClient, entry: Record<string, string>): Promise<string> {
    const trimmed = {
      TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: EVENTS_MAX },
    } as const;
    const [id] = await client
      .multi()
      .xAdd(name, '*', entry, trimmed)
      .pExpire(name, 2 * KEPT_MS)
      .execTyped();
    return id;
  }

  /** Removes old entries. Ids contain the time on Redis's clock. Without new entries, the whole stream expires. */
  function trim(newest: string): void {
    const now = performance.now();
    if (now - trimmedAt < TRIM_EVERY_MS) return;
    trimmedAt = now;
    const oldest = Number(newest.split('-')[0]) - KEPT_MS;
    writer
      .run((client) => client.xTrim(name, 'MINID', oldest), ANSWER_MS)
      .catch(() => {
        trimmedAt = Number.NEGATIVE_INFINITY;
      });
  }

  /** The id of the last entry read; null: reading restarts at the end. */
  let position: string | null = null;
  const seqs = new Map<string, number>();

  async function read(): Promise<{ messages: Entry[] }[] | null> {
    if (closed) return new Promise(() => undefined);
    try {
      if (position === null) {
        const last = await reader.run(
          (client) => client.xRevRange(name, '+', '-', { COUNT: 1 }),
          ANSWER_MS,
        );
        position = last?.[0]?.id ?? '0-0';
        seqs.clear();
        missed();
      }
      const from = { key: name, id: position };
      const reply = (await reader.run(
        (client) => client.xRead(from, { COUNT: READ_COUNT, BLOCK: BLOCK_MS }),
        BLOCK_MS + ANSWER_MS,
      )) as { messages: Entry[] }[] | null;
      const messages = reply?.[0]?.messages ?? [];
      if (messages.filter(isAfterGap).length > 0) missed();
      position = messages.at(-1)?.id ?? position;
      return messages.length === 0 ? null : [{ messages }];
    } catch {
      position = null;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return null;
    }
  }

  function isAfterGap({ message }: Entry): boolean {
    const from = message[NODE] ?? '';
    const seq = Number(message[SEQ_FIELD]);
    const before = seqs.get(from);
    seqs.set(from, seq);
    return before !== undefined && seq !== before + 1;
  }

  const readingClient = {
    connect: async () => undefined,
    on: () => undefined,
    disconnect: () => undefined,
    // The adapter's requests between nodes use these channels and would carry tokens; we send no such requests.
    subscribe: () => undefined,
    sSubscribe: () => undefined,
    xRead: read,
  };
  return {
    client: {
      duplicate: () => readingClient,
      sSubscribe: () => undefined,
      async xAdd(_name: string, _id: string, fields: Record<string, string>) {
        publish(fields);
        return '0-0';
      },
    },
    isReading: () => position !== null && reader.isUp(),
    async accepted(since) {
      await Promise.all(underWay);
      return failedAt < since;
    },
    writerIsBack() {
      if (!hasUnseenGap) return;
      hasUnseenGap = false;
      // An entry without a namespace, which carries only its number.
      publish({});
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
    },
  };
}
