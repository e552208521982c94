import { readdir, readFile } from 'node:fs/promises';
import { memoryOf } from '../lib/process-memory.ts';

const EVERY_MS = 1_000;
/** Linux clock ticks per second, the unit of CPU times in `/proc`. */
const TICKS = 100;

export interface ServerUse {
  /** Memory of the server process at the end of the watch and at its peak. MB. */
  readonly memory: number;
  readonly memoryPeak: number;
  /** CPU time of the server process and of its child processes (the database), as shares of one core. */
  readonly cpu: number;
  readonly databaseCpu: number;
  /** The share of the time in which the server was ready to run but had no core. */
  readonly waiting: number;
}

/** Watches a server process and its descendants through `/proc`. @returns null without a `pid` or outside Linux */
export async function watchServer(pid: number | null): Promise<{
  stop(): Promise<ServerUse>;
} | null> {
  if (pid === null || process.platform !== 'linux') return null;
  const own = await secondsOf(pid);
  const children = await secondsOfChildren(pid);
  const waited = await secondsWaited(pid);
  const started = performance.now();
  let peak = 0;
  const timer = setInterval(() => {
    // An ended process is reported by `stop`.
    memoryOf(pid).then(
      (now) => {
        peak = Math.max(peak, now);
      },
      () => undefined,
    );
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      const seconds = (performance.now() - started) / 1000;
      const memory = await memoryOf(pid);
      return {
        memory,
        memoryPeak: Math.max(peak, memory),
        cpu: ((await secondsOf(pid)) - own) / seconds,
        waiting: ((await secondsWaited(pid)) - waited) / seconds,
        databaseCpu: ((await secondsOfChildren(pid)) - children) / seconds,
      };
    },
  };
}

/** Returns the CPU time of a process in seconds; 0 if it has exited. */
export async function secondsOf(pid: number): Promise<number> {
  const [, , , user = 0, system = 0] = await statOf(pid);
  return (user + system) / TICKS;
}

/** Returns how long the main thread of a process was ready to run but waited for a core. Seconds. */
async function secondsWaited(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) / 1e9;
}

/** Returns the CPU time of all descendants of a process, including exited ones that were waited for. Seconds. */
export async function secondsOfChildren(parent: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map(async (pid) => [pid, ...(await statOf(pid))] as const));
  let total = 0;
  const visit = (above: number) => {
    for (const [pid = 0, , ppid, , user = 0, system = 0, ended = 0, endedSystem = 0] of stats) {
      if (ppid !== above) continue;
      total += user + system + ended + endedSystem;
      visit(pid);
    }
  };
  visit(parent);
  return total / TICKS;
}

/**
 * Reads `/proc/PID/stat`.
 * @returns the parent's pid at index 1, and CPU times in ticks at 3 to 6: user and system time of the process, then of its exited
 * children. Empty if the process is gone
 */
async function statOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  if (text === '') return [];
  // The process name in parentheses can contain spaces and parentheses.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return [Number.NaN, fields[1] ?? 0, 0, ...fields.slice(11, 15)];
}
