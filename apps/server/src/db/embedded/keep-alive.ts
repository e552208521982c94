import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, prepareSocketDir, removePrivateSocketDir } from './cluster.ts';
import {
  connectionTo,
  describeFailure,
  isAlive,
  readPostmasterLock,
  withClient,
} from './postmaster.ts';
import { type Served, serve } from './serve.ts';

/** After this time, a fast shutdown becomes an immediate one; the next start then replays the log. */
const STOP_PATIENCE_MS = 30_000;
/**
 * The first and the longest pause between attempts to restart a crashed database; each pause is twice the previous one. After a
 * full disk, the database restarts within the longest pause once there is space. Milliseconds.
 */
const REVIVE_FIRST_PAUSE_MS = 250;
const REVIVE_LAST_PAUSE_MS = 3_000;

/**
 * Restarts a Postgres that exits unexpectedly. This includes a Postgres that another process started and that ended with it.
 * @returns a function that stops it for good
 */
export async function keepAlive(cluster: Cluster, first: Served): Promise<() => Promise<void>> {
  let current: ChildProcess | null = null;
  /** The connection to another process's Postgres. When it closes, that Postgres has ended. */
  let link: pg.Client | null = null;
  let stopping: Promise<void> | null = null;
  let revival: Promise<void> = Promise.resolve();

  const revive = async (reason: string): Promise<void> => {
    current = null;
    cluster.log(`PostgreSQL stopped unexpectedly (${reason}); restarting it`);
    for (let pauseMs = REVIVE_FIRST_PAUSE_MS; !stopping; pauseMs *= 2) {
      try {
        // The process that started the previous Postgres may have removed the socket's directory.
        await prepareSocketDir(cluster.clusterDir, cluster.runAs);
        await watch(await serve(cluster));
        cluster.log('PostgreSQL is running again');
        return;
      } catch (error) {
        cluster.log(`PostgreSQL could not be restarted: ${describeFailure(error)}`);
        await sleep(Math.min(pauseMs, REVIVE_LAST_PAUSE_MS));
      }
    }
  };
  const watch = async ({ child, socketDir }: Served): Promise<void> => {
    const onExit = (reason: string): void => {
      if (!stopping) revival = revive(reason);
    };
    current = child;
    if (child === null) {
      link = new pg.Client(connectionTo(socketDir));
      link.on('error', () => undefined);
      await link.connect();
      link.once('end', () => onExit('another process had started it'));
    } else if (hasExited(child)) onExit(child.signalCode ?? `code ${child.exitCode}`);
    else child.once('exit', (code, signal) => onExit(signal ?? `code ${code}`));
  };
  await watch(first);

  return () => {
    stopping ??= (async () => {
      // While this waits, `stopping` is already assigned, which ends a restart in progress.
      await revival;
      await link?.end();
      if (current) await stopChild(current, cluster.clusterDir, cluster.log);
      else await stopAdopted(cluster);
      await removePrivateSocketDir(cluster);
    })();
    return stopping;
  };
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

export async function stopChild(
  child: ChildProcess,
  clusterDir: string,
  log: (message: string) => void,
): Promise<void> {
  if (hasExited(child)) return;
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.kill('SIGINT');
  const impatient = setTimeout(() => {
    log(`PostgreSQL on ${clusterDir} is slow to stop; forcing it to stop`);
    child.kill('SIGQUIT');
  }, STOP_PATIENCE_MS);
  await exit;
  clearTimeout(impatient);
}

async function stopAdopted({ clusterDir, socketDir, log }: Cluster): Promise<void> {
  const lock = await readPostmasterLock(clusterDir);
  if (!lock || !isAlive(lock.pid)) return;
  const connection = connectionTo(lock.socketDir ?? socketDir);
  const others = await withClient(connection, async (client) => {
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return rowCount ?? 0;
  });
  if (others > 0) {
    log('Another process is using the embedded database; leaving it running');
    return;
  }
  process.kill(lock.pid, 'SIGINT');
  for (let waitedMs = 0; waitedMs < STOP_PATIENCE_MS && isAlive(lock.pid); waitedMs += 50) {
    await sleep(50);
  }
}
