import type pg from 'pg';
import { onDatabase } from '../apps/server/test/on-database.ts';
import { program } from './lib/program.ts';
import { temporaryServer } from './lib/servers.ts';
import { round } from './lib/statistics.ts';

/** Months of messages; the oldest month is then dropped. */
const MONTHS = 14;
const BATCH = 1_000;
/** Lookups of each kind to average. */
const LOOKUPS = 300;

const USAGE = `Compares a table of messages with one that is partitioned by month.

  npm run bench:partitions -- [--messages 300000]

Both lack the messages' unique keys: a partitioned table can't have them, because they don't contain the time.
`;

export const main = program(USAGE, { messages: 300_000 }, async ({ messages }) => {
  const server = await temporaryServer();
  try {
    const connectionString = await server.database('partitions');
    await onDatabase({ connectionString }, async (client) => {
      await client.query('create extension pg_trgm');
      console.table({
        'one table': await measure(client, 'one table', messages),
        'by month': await measure(client, 'by month', messages),
      });
    });
  } finally {
    await server.stop();
  }
});

const COLUMNS = `id uuid not null, conversation_id uuid not null, seq integer not null, content text not null,
  created_at timestamptz not null, read_at timestamptz`;
const START = `timestamptz '2025-01-01'`;

async function measure(client: pg.Client, kind: 'one table' | 'by month', messages: number) {
  const isPartitioned = kind === 'by month';
  await client.query(
    `create table m (${COLUMNS}) ${isPartitioned ? 'partition by range (created_at)' : ''}`,
  );
  for (let month = 0; isPartitioned && month < MONTHS; month++) {
    await client.query(
      `do $$ begin execute format('create table m_${month} partition of m for values from (%L) to (%L)',
        ${START} + interval '${month} months', ${START} + interval '${month + 1} months'); end $$`,
    );
  }
  for (const index of [
    '(id)',
    '(conversation_id, seq)',
    '(created_at)',
    'using gin (content gin_trgm_ops) with (gin_pending_list_limit = 512)',
  ]) {
    await client.query(`create index on m ${index}`);
  }
  const seconds = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return (performance.now() - started) / 1000;
  };
  const inserting = await seconds(async () => {
    for (let from = 0; from < messages; from += BATCH) {
      await client.query(INSERT, [from, Math.min(messages, from + BATCH) - 1, messages]);
    }
  });
  await client.query('vacuum analyze m');
  const { rows } = await client.query<{ bytes: number }>(
    `select sum(pg_relation_size(indexrelid))::float8 as bytes from pg_index
    where indrelid in (select 'm'::regclass union select inhrelid from pg_inherits where inhparent = 'm'::regclass)`,
  );
  const each = async (name: string, text: string) =>
    (1000 / LOOKUPS) *
    (await seconds(async () => {
      for (let n = 0; n < LOOKUPS; n++)
        await client.query({ name: `${kind} ${name}`, text, values: [n * 7] });
    }));
  const page = await each(
    'page',
    `select * from m where conversation_id = md5('c' || $1::int)::uuid order by seq desc limit 50`,
  );
  const byId = await each('id', `select * from m where id = md5('m' || $1::int)::uuid`);
  const search = await each(
    'search',
    `select id from m where content ilike '%word' || $1::int || 'x%'`,
  );
  await client.query('update m set read_at = now() where seq % 10 = 0');
  const vacuuming = await seconds(() => client.query('vacuum m'));
  const purging = await seconds(async () => {
    if (isPartitioned) return client.query('drop table m_0');
    await client.query(`delete from m where created_at < ${START} + interval '1 month'`);
    return client.query('vacuum m');
  });
  await client.query('drop table m');
  return {
    'inserts/s': round(messages / inserting, 0),
    'indexes, MB': round((rows[0]?.bytes ?? 0) / (1 << 20), 0),
    'page, ms': round(page),
    'by id, ms': round(byId),
    'search, ms': round(search),
    'vacuum, s': round(vacuuming, 1),
    'purging a month, s': round(purging),
  };
}

/** Inserts messages $1 to $2 of $3 in chronological order, ten per conversation. */
const INSERT = `
  insert into m (id, conversation_id, seq, content, created_at)
  select md5('m' || n)::uuid, md5('c' || n % ($3::int / 10))::uuid, n / ($3::int / 10),
    'Hello there word' || n || 'x and a few more words of everyday ' || md5(n::text),
    ${START} + n * (interval '${MONTHS} months' / $3::int) * 0.98
  from generate_series($1::int, $2::int) as n`;
