import { readdir, readFile } from 'node:fs/promises';
import { memoryOf } from '../lib/process-memory.ts';

const EVERY_MS = 1_000;
/** Ticks a second in which Linux counts a process' time. */
const TICKS = 100;

/** What a server took while it was watched. */
export interface ServerUse {
  /** MB, of the server's own process: at the end of the watch, and at most. */
  readonly memory: number;
  readonly memoryPeak: number;
  /** Shares of one core: of the server's process, and of its database's. */
  readonly cpu: number;
  readonly databaseCpu: number;
  /** The share of the time for which the server could have gone on and had no core to do so. */
  readonly waiting: number;
}

/** Watches a server's process and those that it started, as Linux tells of them. @returns null elsewhere */
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
    void memoryOf(pid).then((now) => {
      peak = Math.max(peak, now);
    });
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

/** Seconds of processor time; 0 for a process that has gone. */
export async function secondsOf(pid: number): Promise<number> {
  const [, , , user = 0, system = 0] = await statOf(pid);
  return (user + system) / TICKS;
}

/** Seconds for which a process' main thread was ready to run and did not. */
async function secondsWaited(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) / 1e9;
}

/** The same of all that a process started, and these, and so on; of those that have ended too, where they were waited for. */
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

/** @returns state (as NaN), parent, 0, and the ticks: user, system, and those of ended children; none for who has gone */
async function statOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  if (text === '') return [];
  // The name in parentheses may hold anything.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return [Number.NaN, fields[1] ?? 0, 0, ...fields.slice(11, 15)];
}
