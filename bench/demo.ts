import { writeFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Installation, startInstallation } from './demo/installation.ts';
import { type DemoOptions, readOptions, USAGE } from './demo/options.ts';
import { type Progress, showProgress } from './demo/progress.ts';
import { isSound, type Report, reportOf, reportText } from './demo/report.ts';
import { watchServer } from './demo/server-use.ts';
import { readBack } from './demo/verify.ts';
import { gather, type World } from './demo/world.ts';

/** Time limit for work in progress to finish. Milliseconds. */
const DRAIN_MS = 30_000;
/** How often `drain` polls. Milliseconds. */
const LOOK_MS = 200;

/** Runs the demo. @returns the exit code: 1 if anything was lost, duplicated, out of order or failed */
export async function main(args: string[]): Promise<number> {
  const options = await readOptions(args);
  if (options === null) {
    console.log(USAGE);
    return 0;
  }
  const progress = showProgress(process.stdout);
  const interrupted = new AbortController();
  const interrupt = () => {
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  if (options.target === null) progress.now('Starting an installation');
  const at: Installation = options.target
    ? { ...options.target, pid: null, stop: async () => undefined }
    : await startInstallation();
  try {
    progress.done(`The installation is at ${at.url}`);
    const report = await perform(at, options, progress, interrupted.signal);
    console.log(reportText(report));
    if (options.json !== null) {
      await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
    }
    return isSound(report) ? 0 : 1;
  } finally {
    await at.stop();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

async function perform(
  at: Installation,
  options: DemoOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<Report> {
  const world = await gather(at, options, progress, signal);
  try {
    const watched = await watchServer(at.pid);
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const seconds = await letWrite(world, options, progress, signal);
    await drain(world, progress);
    delay.disable();
    const server = (await watched?.stop()) ?? null;
    progress.now('Reading everything back');
    // Not cancelled by `signal`: an interrupted demo still checks its confirmed messages.
    const stored = await readBack(world, AbortSignal.timeout(10 * 60_000));
    progress.done('Read everything back');
    const milliseconds = (nanoseconds: number) => nanoseconds / 1e6;
    const ownDelay = { p99: milliseconds(delay.percentile(99)), max: milliseconds(delay.max) };
    return reportOf(world, options, { seconds, stored, server, ownDelay });
  } finally {
    world.leave();
  }
}

/** Has random idle fans write at the requested rate. @returns how many seconds they wrote for */
async function letWrite(
  { fans, ledger, fanCounts, staffCounts }: World,
  { rate, duration }: DemoOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  for (let sends = 1; elapsed() < duration && !signal.aborted && fans.length > 0; sends++) {
    const free = fans.filter(({ busy }) => !busy);
    const writer = free[Math.floor(Math.random() * free.length)];
    void writer?.write();
    progress.now(
      `${elapsed().toFixed(0)} of ${duration} s: ${ledger.confirmed.size} messages confirmed, ${staffCounts.claims} conversations claimed, ${fanCounts.purchases} pictures bought`,
    );
    const wait = (sends / rate - elapsed()) * 1000;
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined);
  }
  return elapsed();
}

/** Waits for replies, reads and purchases in progress to finish and for the last events to arrive. */
async function drain({ underway, fans, ledger }: World, progress: Progress): Promise<void> {
  progress.now('Letting the last answers arrive');
  const busy = () =>
    underway.size > 0 ||
    fans.some((fan) => fan.busy || fan.stillLocked > 0) ||
    ledger.deliveries().missing > 0;
  const deadline = Date.now() + DRAIN_MS;
  while (busy() && Date.now() < deadline) await sleep(LOOK_MS);
  // Duplicate events arrive slightly after the first.
  await sleep(5 * LOOK_MS);
}
