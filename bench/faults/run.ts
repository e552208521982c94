import { createRandom } from '@stagedoor/sample-data/random';
import { until } from '../../apps/server/test/until.ts';
import {
  type Installation,
  type InstallationOptions,
  startInstallation,
} from '../lib/installation.ts';
import { checkClients, checkStored, Findings, type Verdict } from './check.ts';
import type { Fault, FaultReport } from './fault.ts';
import { lastWords } from './last-words.ts';
import type { Send } from './ledger.ts';
import { startWorkload } from './workload.ts';
import { type Cast, gather, type World } from './world.ts';

/** Time limit for settling sends that were pending at the last fault. Milliseconds. */
const SETTLED_WITHIN = 10_000;
/** Time limit for every sender's first message to be confirmed. Milliseconds. */
const WARM_WITHIN = 120_000;

export interface RunOptions extends Cast {
  /** See `InstallationOptions`. */
  readonly database?: string;
  readonly seconds: number;
  readonly seed: number;
  /** Whether exceeded time limits count. By default they don't, because a test must also pass on a busy machine. */
  readonly timed?: boolean;
  /** Installation options that override those of the fault. */
  readonly installation?: Partial<InstallationOptions>;
  /** Nothing is logged by default. */
  readonly log?: (line: string) => void;
}

export interface Run {
  readonly fault: string;
  readonly title: string;
  readonly seed: number;
  readonly database: string;
  readonly seconds: number;
  readonly sends: { readonly begun: number; readonly confirmed: number; readonly failed: number };
  /** Time from the last fault until the sends pending at that point had settled. Milliseconds. */
  readonly settledMs: number;
  /**
   * Time from the last fault until every client showed the stored state, or the check gave up. Milliseconds.
   * The workload goes on until the pending sends have settled.
   */
  readonly equalMs: number;
  readonly verdict: Verdict;
  readonly report: FaultReport;
  readonly starts: number;
  readonly failedStarts: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

export const isSound = ({ verdict, sends }: Run): boolean =>
  sends.confirmed > 0 && Object.values(verdict.broken).every((count) => count === 0);

/** Runs a fault on a new installation. @returns null if this machine can't run it @throws Error if the run proves nothing */
export async function runFault(
  fault: Fault,
  options: RunOptions,
  signal = new AbortController().signal,
): Promise<Run | null> {
  const installation = await install(fault, options);
  if (installation === null) return null;
  try {
    return await onInstallation(fault, installation, options, signal);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}; the server's output:\n${installation.output()}`, { cause: error });
  } finally {
    await installation.dispose();
  }
}

async function install(fault: Fault, options: RunOptions): Promise<Installation | null> {
  if (fault.start) return fault.start();
  const asked = fault.installation ? await fault.installation() : {};
  if (asked === null) return null;
  const { database = 'embedded' } = options;
  return startInstallation({ database, ...asked, ...options.installation });
}

async function onInstallation(
  fault: Fault,
  installation: Installation,
  options: RunOptions,
  signal: AbortSignal,
): Promise<Run> {
  const { seconds, seed, timed = false, log = () => undefined } = options;
  const findings = new Findings();
  const late = (line: string) => timed && findings.add('late', line);
  const between = await fault.between?.(installation.port);
  try {
    const url = between?.url ?? installation.url;
    const random = createRandom(seed);
    const world = await gather(installation, options, { url, seconds, random, log, late });
    try {
      return await perform(fault, world, { seed, findings }, signal);
    } finally {
      world.close();
    }
  } finally {
    await between?.close();
  }
}

async function perform(
  fault: Fault,
  world: World,
  { seed, findings }: { seed: number; findings: Findings },
  signal: AbortSignal,
): Promise<Run> {
  const { installation, ledger } = world;
  const started = performance.now();
  const work = startWorkload(world);
  let report: FaultReport;
  try {
    await everyoneSent(world);
    // A separate random generator, so that the clients' draws don't affect when the fault strikes.
    report = await fault.run(world, signal, createRandom(seed + 1));
  } catch (error) {
    // Otherwise the workload would write to the next server at this address.
    await work.stop();
    throw error;
  }
  const lastFault = performance.now();
  await installation.start();
  const settledMs = await settle(world);
  const seconds = (performance.now() - started) / 1000;
  await work.stop();
  await lastWords(world);
  const { deaths } = installation.counts;
  if (deaths > 0) {
    findings.add('promised', `the server exited ${deaths} times: ${installation.output()}`);
  }
  for (const line of report.broken ?? []) findings.add('promised', line);
  for (const { content, outcome, reason } of ledger.sends) {
    if (outcome === 'failed' && !fault.mayFail) findings.add('failed', `${content}: ${reason}`);
  }
  await checkClients(world, findings);
  const equalMs = performance.now() - lastFault;
  if (fault.equalWithin !== undefined && equalMs > fault.equalWithin) {
    world.late(`clients matched the server only ${equalMs.toFixed(0)} ms after the last fault`);
  }
  const verdict = await checkStored(world, findings);
  return {
    fault: fault.name,
    title: fault.title,
    seed,
    database: installation.database.title,
    seconds: Math.round(seconds * 10) / 10,
    sends: {
      begun: ledger.sends.length,
      confirmed: ledger.count('confirmed'),
      failed: ledger.count('failed'),
    },
    settledMs: Math.round(settledMs),
    equalMs: Math.round(equalMs),
    verdict,
    report,
    starts: installation.counts.starts,
    failedStarts: installation.counts.failedStarts,
    outcomes: Object.fromEntries(ledger.outcomes),
  };
}

function everyoneSent({ clients, ledger }: World): Promise<boolean> {
  const wanted = clients.reduce((sum, { senders }) => sum + senders, 0);
  const senders = () =>
    ledger.sends.filter(({ outcome }) => outcome === 'confirmed').map(({ sender }) => sender);
  return until('every client has sent', () => new Set(senders()).size === wanted, WARM_WITHIN);
}

/** Waits until the currently pending sends have settled. @returns how long the last one took, in milliseconds */
async function settle({ ledger, late }: World): Promise<number> {
  const since = performance.now();
  const pending = await ledger.settle();
  const took = ({ settledAt }: Send) => (settledAt ?? Number.POSITIVE_INFINITY) - since;
  for (const send of pending) {
    const ms = took(send);
    if (ms > SETTLED_WITHIN) late(`${send.content} settled after ${Math.round(ms)} ms`);
  }
  return Math.max(0, ...pending.map(took));
}
