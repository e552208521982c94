import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@stagedoor/sample-data/random';
import { startWorkload } from '../faults/workload.ts';
import { gather } from '../faults/world.ts';
import { startInstallation } from '../lib/installation.ts';
import { probed } from '../lib/memory-probe.ts';
import { type Judgment, judge, SAMPLES_MIN } from './judge.ts';
import { type Sample, takeSample } from './samples.ts';

export interface SoakOptions {
  readonly seconds: number;
  /** Seconds between samples. */
  readonly every: number;
  readonly senders: number;
  readonly fans: number;
  /** See `InstallationOptions`. */
  readonly database?: string;
  /** What the server should leak. */
  readonly leak: 'heap' | 'handles' | null;
  /** Nothing is logged by default. */
  readonly log?: (line: string) => void;
}

export interface Soak extends Judgment {
  readonly seconds: number;
  readonly sent: number;
  readonly failed: number;
  readonly samples: readonly Sample[];
}

export const isSound = ({ broken, failed, sent }: Soak): boolean =>
  broken.length === 0 && failed === 0 && sent > 0;

/** Puts a server under a steady load and samples its memory and handles at intervals. */
export async function soak(
  options: SoakOptions,
  signal = new AbortController().signal,
): Promise<Soak> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-soak-'));
  const file = path.join(folder, 'samples');
  const { seconds, every, senders, fans, database = 'embedded', leak, log } = options;
  const { nodeArgs, env } = probed(file);
  const installation = await startInstallation({
    database,
    nodeArgs,
    env: { ...env, ...(leak !== null && { PROBE_LEAK: leak }) },
  });
  try {
    const { url } = installation;
    const ignore = () => undefined;
    const rest = { url, seconds, random: createRandom(), log: ignore, late: ignore };
    const world = await gather(installation, { senders, fans }, rest);
    const work = startWorkload(world);
    const since = performance.now();
    const samples: Sample[] = [];
    try {
      const isOver = () =>
        performance.now() - since >= seconds * 1000 && samples.length >= SAMPLES_MIN;
      while (!isOver() && !signal.aborted) {
        await sleep(every * 1000);
        const sample = await takeSample(installation, file, since);
        samples.push(sample);
        log?.(
          `${sample.at.toFixed(0)} of ${seconds} s: heap ${(sample.heap / 1e6).toFixed(1)} MB, ${world.ledger.count('confirmed')} messages`,
        );
      }
    } finally {
      await work.stop();
      world.close();
    }
    const { ledger } = world;
    return {
      seconds: samples.at(-1)?.at ?? 0,
      sent: ledger.count('confirmed'),
      failed: ledger.count('failed'),
      samples,
      ...judge(samples),
    };
  } finally {
    await installation.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}
