import { randomUUID } from 'node:crypto';
import type { RedisClient, RedisLink } from './redis-link.ts';

/** Events that the stream holds at most, about: what nodes are behind by is far less. */
const EVENTS_MAX = 10_000;
/** Events are read at once. They are kept for this long, or twice as long where no other follows: they say what people wrote. Milliseconds. */
const KEPT_MS = 60_000;
/** How often what is older is cut off. Milliseconds. */
const TRIM_EVERY_MS = 10_000;
const READ_COUNT = 100;
/** A reader waits this long for news. Milliseconds. */
const BLOCK_MS = 1_000;
/** Redis must answer within this. Milliseconds. */
const ANSWER_MS = 2_000;
const PAUSE_MS = 200;

/** The field by which each node numbers its events, so that one that is missing shows. */
const PLACE = 'place';
const NODE = 'node';

interface EventStreamDependencies {
  /** The key of the stream. */
  readonly name: string;
  /** To be used by nothing that waits: a connection answers in order. */
  readonly writer: RedisLink;
  readonly reader: RedisLink;
  /** Told when events of other nodes may have been missed. */
  readonly missed: () => void;
}

type Entry = { readonly id: string; readonly message: Record<string, string> };

/** The stream by which nodes tell each other what to emit, as a client of Redis' that Socket.IO's adapter takes. */
export interface EventStream {
  readonly client: object;
  /** Whether what other nodes tell arrives here. */
  hears(): boolean;
  /**
   * Whether Redis took everything that was published since then, once that is known.
   * @param since a time of `performance.now()`
   */
  accepted(since: number): Promise<boolean>;
  /** To be called when the writing connection is back. */
  writerIsBack(): void;
  /** Publishes what is under way, and reads no more. */
  close(): Promise<void>;
}

/**
 * Publishing never waits for Redis and never fails, so that a node's own sockets hear at once whatever becomes of it; `accepted`
 * says how it went. Reading begins anew at the stream's end whenever the connection was lost, as what came meanwhile may be
 * gone with Redis' memory: `missed` is called then, and also when the numbers of some node's events have a gap.
 */
export function createEventStream(deps: EventStreamDependencies): EventStream {
  const { name, writer, reader, missed } = deps;
  const node = randomUUID();
  let published = 0;
  const underWay = new Set<Promise<void>>();
  let failedAt = Number.NEGATIVE_INFINITY;
  /** Whether other nodes must find out that they have not heard all. */
  let owesNews = false;
  let trimmedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  function publish(fields: Record<string, string>): void {
    const entry = { ...fields, [NODE]: node, [PLACE]: String(++published) };
    const publication = writer
      .run((client) => add(client, entry), ANSWER_MS)
      .then(trim, () => {
        failedAt = performance.now();
        owesNews = true;
      })
      .finally(() => underWay.delete(publication));
    underWay.add(publication);
  }

  /** In one step with the expiry, so that no entry goes with a stream that expires at that moment. @returns its id */
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

  /** By Redis' own clock, which the ids of entries show. A stream to which nothing is added expires as a whole. */
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

  /** The last entry that was read; null: reading begins anew. */
  let position: string | null = null;
  const places = new Map<string, number>();

  async function read(): Promise<{ messages: Entry[] }[] | null> {
    if (closed) return new Promise(() => undefined);
    try {
      if (position === null) {
        const last = await reader.run(
          (client) => client.xRevRange(name, '+', '-', { COUNT: 1 }),
          ANSWER_MS,
        );
        position = last?.[0]?.id ?? '0-0';
        places.clear();
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
    const place = Number(message[PLACE]);
    const before = places.get(from);
    places.set(from, place);
    return before !== undefined && place !== before + 1;
  }

  const readingClient = {
    connect: async () => undefined,
    on: () => undefined,
    disconnect: () => undefined,
    // What nodes could ask each other by these would carry tokens; nothing of ours does.
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
    hears: () => position !== null && reader.isUp(),
    async accepted(since) {
      await Promise.all(underWay);
      return failedAt < since;
    },
    writerIsBack() {
      if (!owesNews) return;
      owesNews = false;
      // Of no namespace: it carries nothing but its number.
      publish({});
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
    },
  };
}
