import path from 'node:path';
import { startBare, startWorker } from '../lib/live/child.ts';
import { openSessions, startSession } from '../lib/session.ts';
import { memoryAfterGc, probed } from './probe.ts';

const OWNER = 'owner@example.com';
/** Sockets that share a session, as an integration's would; people have one or two. */
const SOCKETS_A_SESSION = 10;
/** Connected and measured first, so that what a server loads and grows once is not counted. */
const WARM_UP = 200;

/** What a server does with so many sockets that say nothing. */
export interface Idle {
  readonly sockets: number;
  /** Bytes a socket, after garbage was collected: all that the process holds, and what its program does. */
  readonly rss: number;
  readonly heap: number;
  readonly connectsPerSecond: number;
  /** Of those opened, how many are open at the end. */
  readonly open: number;
}

export type SocketServer = 'bare' | 'ours';

/**
 * In a server process of its own.
 * @param databaseUrl of a database for ours
 * @param folder for what is noted; `round` makes names in it
 */
export async function measureIdle(
  name: SocketServer,
  sockets: number,
  { databaseUrl, folder, round }: { databaseUrl: string; folder: string; round: number },
): Promise<Idle> {
  const file = path.join(folder, `${name}-${sockets}-${round}.jsonl`);
  const { nodeArgs, env } = probed(file);
  const settings = { ...env, OWNER_EMAIL: OWNER };
  const server =
    name === 'bare'
      ? await startBare('fan-out', null, nodeArgs, env)
      : await startSession(databaseUrl, OWNER, settings, nodeArgs);
  const client = startWorker('sockets/load.mjs');
  try {
    const { address, pid } = server;
    const tokens = ['nobody asks'];
    if (name === 'ours') {
      const sessions = Math.ceil(sockets / SOCKETS_A_SESSION);
      tokens.splice(0, 1, ...(await openSessions(databaseUrl, OWNER, sessions)));
    }
    const connect = (count: number) =>
      client.order<{ seconds: number }>('connect', { address, tokens, count });
    await connect(WARM_UP);
    const before = await memoryAfterGc(pid, file);
    const { seconds } = await connect(sockets);
    const after = await memoryAfterGc(pid, file);
    const { open } = await client.order<{ open: number }>('count', {});
    return {
      sockets,
      rss: (after.rss - before.rss) / sockets,
      heap: (after.heap - before.heap) / sockets,
      connectsPerSecond: sockets / seconds,
      open: open - WARM_UP,
    };
  } finally {
    await client.stop();
    await server.stop();
  }
}
