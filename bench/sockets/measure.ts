import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OWNER } from '../lib/installation.ts';
import { startBare, startWorker } from '../lib/live/child.ts';
import { memoryAfterGc, probed } from '../lib/memory-probe.ts';
import { openSessions, startSession } from '../lib/session.ts';

/** Sockets per session: as many as an integration might open. People have one or two. */
const SOCKETS_A_SESSION = 10;
/** Sockets connected before the first measurement, so that one-time loading and growth aren't counted. */
const WARM_UP = 200;

export interface Idle {
  readonly sockets: number;
  /** Bytes per socket after garbage collection: of resident memory, and of the heap and its buffers. */
  readonly rss: number;
  readonly heap: number;
  readonly connectsPerSecond: number;
  /** Of the opened sockets, how many are still open at the end. */
  readonly open: number;
}

export type SocketServer = 'bare' | 'ours';

/**
 * Measures idle sockets on a separate server process.
 * @param databaseUrl the database for our server
 */
export async function measureIdle(
  name: SocketServer,
  sockets: number,
  databaseUrl: string,
): Promise<Idle> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-bench-sockets-'));
  const file = path.join(folder, 'memory');
  const { nodeArgs, env } = probed(file);
  const server =
    name === 'bare'
      ? await startBare('live-server.mjs', ['fan-out'], { nodeArgs, env })
      : await startSession(databaseUrl, OWNER, env, nodeArgs);
  const client = startWorker('sockets/load.mjs');
  try {
    const { address, pid } = server;
    const tokens = ['not checked'];
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
      heap: (after.heap + after.external - before.heap - before.external) / sockets,
      connectsPerSecond: sockets / seconds,
      open: open - WARM_UP,
    };
  } finally {
    await client.stop();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}
