import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { ENVIRONMENT } from './identity.ts';
import { isAlive, isPostgres, probe, readPostmasterLock, removeStaleLocks } from './postmaster.ts';

/** How long a start waits for a predecessor that neither answers nor exits. Milliseconds. */
const PREDECESSOR_PATIENCE_MS = 5_000;
/** How long a start waits for a predecessor that reports that it is shutting down or recovering. Milliseconds. */
const SHUTDOWN_PATIENCE_MS = 60_000;
const LOG_ROTATES_AT_BYTES = 16 * 1024 * 1024;

export interface Served {
  socketDir: string;
  /** The process that we started, or null if a running one was found. */
  child: ChildProcess | null;
}

/**
 * Makes sure that a Postgres serves the cluster: uses a running one, or starts one as soon as a predecessor that is shutting down
 * (or was just killed) has exited.
 */
export async function serve(cluster: Cluster): Promise<Served> {
  const { clusterDir, log } = cluster;
  const startedAt = Date.now();
  let isReported = false;
  for (;;) {
    const lock = await readPostmasterLock(clusterDir);
    const socketDir = lock?.socketDir ?? cluster.socketDir;
    const state = lock ? await probe(socketDir) : 'absent';
    if (state === 'ready') return { socketDir, child: null };

    const waitedMs = Date.now() - startedAt;
    let refusal: string;
    if (state === 'busy') {
      refusal = 'The previous PostgreSQL is still shutting down or recovering';
      if (!isReported) log(`${refusal}; waiting for it`);
      isReported = true;
      if (waitedMs > SHUTDOWN_PATIENCE_MS) throw new Error(`${refusal}: see ${cluster.logFile}`);
    } else if (lock && isAlive(lock.pid) && (await isPostgres(lock.pid))) {
      refusal = `PostgreSQL (process ${lock.pid}) holds ${clusterDir} but doesn't respond`;
      if (waitedMs > PREDECESSOR_PATIENCE_MS)
        throw new Error(`${refusal}. Stop it, then start again`);
    } else {
      // Process ids are reused, especially in containers, and Postgres trusts a lock file whose id belongs to any process of its
      // own user.
      if (lock && isAlive(lock.pid)) await removeStaleLocks(clusterDir, socketDir);
      const outcome = await launch(cluster);
      if ('child' in outcome) return { socketDir: cluster.socketDir, child: outcome.child };
      const predecessor = /already exists|still in use|Is another postmaster/i.test(outcome.output);
      if (!predecessor || waitedMs > PREDECESSOR_PATIENCE_MS) {
        throw new Error(`PostgreSQL did not start: ${outcome.output} (${cluster.logFile})`);
      }
    }
    await sleep(50);
  }
}

/** Starts Postgres, and waits until it accepts connections or exits. @returns the process, or the output if it exited */
async function launch(cluster: Cluster): Promise<{ child: ChildProcess } | { output: string }> {
  const { binaries, clusterDir, diesWithParent, logFile, runAs, settings, socketDir } = cluster;
  // The setting is a list: the quotes protect a path with a comma or a space.
  const socketSetting = `unix_socket_directories="${socketDir.replaceAll('"', '""')}"`;
  const [command = '', ...args] = [
    ...runAs.wrapper,
    ...(diesWithParent ? ['setpriv', '--pdeathsig', 'INT', '--'] : []),
    binaries.postgres,
    '-D',
    clusterDir,
    ...[
      socketSetting,
      ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    ].flatMap((setting) => ['-c', setting]),
  ];
  const logOffset = await rotateLog(logFile);
  const logDescriptor = openSync(logFile, 'a', 0o600);
  let child: ChildProcess;
  try {
    child = spawn(command, args, {
      ...runAs.credentials,
      cwd: clusterDir,
      env: ENVIRONMENT,
      stdio: ['ignore', logDescriptor, logDescriptor],
      // A separate session: Ctrl-C in a terminal reaches only the application, which then shuts Postgres down cleanly.
      detached: true,
    });
  } finally {
    closeSync(logDescriptor);
  }
  let exited: string | null = null;
  child.once('error', (error) => {
    exited = error.message;
  });
  child.once('exit', (code, signal) => {
    exited ??= `it exited with ${signal ?? `code ${code}`}`;
  });

  // Recovery after a crash may take minutes, so wait for as long as the process lives.
  for (;;) {
    if (exited !== null) {
      const output = (await readFile(logFile)).subarray(logOffset).toString('utf8').trim();
      return { output: output || exited };
    }
    if ((await probe(socketDir)) === 'ready') return { child };
    await sleep(15);
  }
}

/** Rotates a large log; only the previous file is kept. Returns the length of the current log in bytes. */
async function rotateLog(logFile: string): Promise<number> {
  if (!existsSync(logFile)) return 0;
  const { size } = await stat(logFile);
  if (size < LOG_ROTATES_AT_BYTES) return size;
  await rename(logFile, `${logFile}.1`);
  return 0;
}
