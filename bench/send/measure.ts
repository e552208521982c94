import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { onDatabase } from '../../apps/server/test/on-database.ts';
import { secondsOf, secondsOfChildren } from '../demo/server-use.ts';
import { percentiles } from '../lib/statistics.ts';
import type { Subject } from './subjects.ts';

/** Pending messages at a time. */
const WINDOW = 16;
/** Messages per second while latencies are measured. */
const CALM_RATE = 100;

/** The results of one server in one round. */
export interface Figures {
  /** Messages per second, and the CPU milliseconds per message of the server's and the database's processes. */
  readonly perSecond: number;
  readonly cpu: number;
  readonly databaseCpu: number;
  /** Milliseconds from the send until the last watcher has the message and the sender its confirmation. */
  readonly p50: number;
  readonly p99: number;
}

/** The duration of each part of a round, in seconds. */
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
  const before = await used(pid, subject.databaseUrl);
  const { messages, seconds } = await rate(spans.rate);
  const after = await used(pid, subject.databaseUrl);
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

/** Returns the seconds of CPU that a server and its database have used. */
export async function used(pid: number, databaseUrl: string | null) {
  const database =
    databaseUrl === null ? 0 : await secondsOfChildren(await postmasterOf(databaseUrl));
  return { server: await secondsOf(pid), database };
}

/** Returns the process id of the database server at a URL. */
export async function postmasterOf(databaseUrl: string): Promise<number> {
  const folder = await onDatabase({ connectionString: databaseUrl }, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return rows[0]?.data_directory ?? '';
  });
  const text = await readFile(path.join(folder, 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}
