import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { onDatabase } from '../../apps/server/test/on-database.ts';
import { secondsOf, secondsOfChildren } from '../demo/server-use.ts';
import { percentiles } from '../lib/measure.ts';
import type { Subject } from './subjects.ts';

/** Messages under way at a time. */
export const WINDOW = 16;
/** Messages a second at which latencies are taken. */
export const CALM_RATE = 100;

/** What one server did in one round. */
export interface Figures {
  /** Messages a second, and what each took of a core: of the server's process and of the database's. Milliseconds. */
  readonly perSecond: number;
  readonly cpu: number;
  readonly databaseCpu: number;
  /** Milliseconds from the send until the last watcher has it and the sender its confirmation. */
  readonly p50: number;
  readonly p99: number;
}

/** How long each part of a round takes. Seconds. */
export interface Spans {
  readonly warmUp: number;
  readonly rate: number;
  readonly latency: number;
}

export async function measure(subject: Subject, spans: Spans): Promise<Figures> {
  const { client, pid } = subject;
  const rate = (seconds: number) =>
    client.order<{ messages: number; seconds: number }>('rate', { window: WINDOW, seconds });
  await rate(spans.warmUp);
  const database = await postmasterOf(subject);
  const before = await used(pid, database);
  const { messages, seconds } = await rate(spans.rate);
  const after = await used(pid, database);
  const { times } = await client.order<{ times: number[] }>('latency', {
    perSecond: CALM_RATE,
    seconds: spans.latency,
  });
  const { p50, p99 } = percentiles(times);
  const each = (span: number) => (span * 1000) / messages;
  return {
    perSecond: messages / seconds,
    cpu: each(after.server - before.server),
    databaseCpu: each(after.database - before.database),
    p50,
    p99,
  };
}

async function used(pid: number, postmaster: number | null) {
  const database = postmaster === null ? 0 : await secondsOfChildren(postmaster);
  return { server: await secondsOf(pid), database };
}

async function postmasterOf({ databaseUrl }: Subject): Promise<number | null> {
  if (databaseUrl === null) return null;
  const folder = await onDatabase({ connectionString: databaseUrl }, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return rows[0]?.data_directory ?? '';
  });
  const text = await readFile(path.join(folder, 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}
