import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type pg from 'pg';
import { createClient } from 'redis';
import { startRedis } from '../apps/server/test/servers/redis.ts';
import { MEASURING_ADMIN } from './generate.ts';
import { program, writeReport } from './lib/program.ts';
import { query } from './lib/query.ts';
import { openSizes } from './lib/reads/sizes.ts';
import { CACHE } from './lib/servers.ts';
import { startSession } from './lib/session.ts';
import { type Percentiles, percentiles } from './lib/statistics.ts';
import { sentences } from './lib/vocabulary.ts';

const WARM_UP = 30;
const BLOCKS = 6;

const USAGE = `Measures the cost of a send on databases of several sizes side by side: write-ahead log, size of tables and indexes,
memory of Redis, and whether it takes longer with more conversations.

  npm run bench:footprint -- [--folder DIR] [--sizes 10000,100000,1000000] [--sends 1200] [--json FILE]

The folder is that of bench:reads. Conversations are picked at random, the worst case for caches. The messages stay stored.
`;

const OPTIONS = {
  folder: path.join(CACHE, 'reads'),
  sizes: [10_000, 100_000, 1_000_000],
  sends: 1200,
  json: null,
} as const;

export const main = program(USAGE, OPTIONS, async ({ folder, sizes, sends, json }) => {
  const { server, urls } = await openSizes(path.resolve(folder), sizes);
  const sides: Side[] = [];
  try {
    for (const url of urls) sides.push(await openSide(url, sends));
    for (let block = 0; block < BLOCKS; block++) {
      for (const side of sides) await side.send(Math.floor(sends / BLOCKS));
    }
    const report: Record<string, Footprint> = {};
    for (const [at, side] of sides.entries()) {
      const title = (sizes[at] ?? 0).toLocaleString('en');
      report[title] = await side.report();
      console.log(title, report[title]);
    }
    await writeReport(json, report);
  } finally {
    for (const side of sides) await side.stop();
    await server.stop();
  }
});

interface Footprint {
  /** Milliseconds for one send over HTTP, without concurrency. */
  readonly send: Percentiles;
  /** Bytes per send: `log` in the write-ahead log, with full-page images after a checkpoint; `files` in tables and indexes. */
  readonly log: number;
  readonly files: number;
  /** Bytes of Redis memory per event, and events per send. */
  readonly redis: number;
  readonly events: number;
  /** Size of the outbox after all sends, in bytes. */
  readonly outbox: number;
}

interface Side {
  send(count: number): Promise<void>;
  report(): Promise<Footprint>;
  stop(): Promise<void>;
}

async function openSide(url: string, sends: number): Promise<Side> {
  const redis = await startRedis();
  const inRedis = createClient({ url: redis.url });
  await inRedis.connect();
  const session = await startSession(url, MEASURING_ADMIN, { REDIS_URL: redis.url });
  const one = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const [row] = await query<Row>(url, text, values);
    if (row === undefined) throw new Error(`no row: ${text}`);
    return row;
  };
  const { ids } = await one<{ ids: string[] }>(RANDOM_CONVERSATIONS, [sends + WARM_UP]);
  const nextSentence = sentences();
  const times: number[] = [];
  let log = 0;

  async function send(count: number): Promise<void> {
    const before = await one<{ at: string }>('select pg_current_wal_insert_lsn() as at');
    for (let n = 0; n < count; n++) {
      const body = { conversation_id: ids.pop(), content: nextSentence() };
      const started = performance.now();
      const response = await fetch(`${session.address}/api/messages/admin/send`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${session.token}`,
          'content-type': 'application/json',
          'idempotency-key': `temp-${randomUUID()}`,
        },
        body: JSON.stringify(body),
      });
      const reply = await response.text();
      times.push(performance.now() - started);
      if (response.status !== 201) throw new Error(`the send was refused: ${reply}`);
    }
    const { bytes } = await one<{ bytes: number }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 as bytes',
      [before.at],
    );
    log += bytes;
  }

  /**
   * Returns the stream's bytes per entry, and how many entries were ever added. Entries are trimmed after a minute or two.
   */
  async function stream() {
    for (const key of await inRedis.keys('*')) {
      if ((await inRedis.type(key)) !== 'stream') continue;
      const bytes = (await inRedis.memoryUsage(key, { SAMPLES: 0 })) ?? 0;
      const { length, 'entries-added': added } = await inRedis.xInfoStream(key);
      return { bytesEach: bytes / Number(length), added: Number(added) };
    }
    throw new Error('Redis has no stream');
  }

  await send(WARM_UP);
  const [filesBefore, before] = [await one<{ bytes: number }>(FILES), await stream()];
  times.length = 0;
  log = 0;
  return {
    send,
    async report() {
      const [files, now] = [await one<{ bytes: number }>(FILES), await stream()];
      const outbox = await one<{ bytes: number }>(
        `select pg_total_relation_size('outbox')::float8 as bytes`,
      );
      const count = times.length;
      return {
        send: percentiles(times),
        log: Math.round(log / count),
        files: Math.round((files.bytes - filesBefore.bytes) / count),
        redis: Math.round(now.bytesEach),
        events: (now.added - before.added) / count,
        outbox: outbox.bytes,
      };
    },
    async stop() {
      await session.stop();
      await inRedis.close();
      await redis.stop();
    },
  };
}

/** A random id above the last one matches no conversation, so this draws twice as many ids as needed. */
const RANDOM_CONVERSATIONS = `
  select array_agg(id) as ids from (
    select c.id
    from (select gen_random_uuid() as random from generate_series(1, 2 * $1::int)) as randoms
      cross join lateral (select id from conversations where id >= random order by id limit 1) c
    limit $1
  ) as found`;

const FILES = `
  select sum(pg_total_relation_size(oid))::float8 as bytes
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;
