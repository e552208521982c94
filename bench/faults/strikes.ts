import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@stagedoor/sample-data/random';
import type { TcpProxy } from '../../apps/server/test/servers/tcp-proxy.ts';

/** A temporary network failure. */
export interface Strike {
  readonly title: string;
  begin(wire: TcpProxy, random: Random): void;
  /** How long the failure lasts, and how long the network then works before the next strike. Milliseconds. */
  readonly lasts: readonly [min: number, max: number];
  readonly rests: readonly [min: number, max: number];
}

export const STRIKES = {
  latency: {
    title: '20 to 300 ms of latency each way, sometimes with little bandwidth',
    begin(wire, random) {
      const latency = random.between(20, 300);
      const bytesPerSecond = random.between(100_000, 1_000_000);
      wire.slow({
        latency,
        jitter: random.between(0, latency),
        ...(random.chance(0.3) && { bytesPerSecond }),
      });
    },
    lasts: [1_000, 3_000],
    rests: [200, 500],
  },
  cut: {
    title: 'all connections are closed, and new ones refused for up to 3 s',
    begin: (wire) => wire.cut(),
    lasts: [200, 3_000],
    rests: [300, 1_500],
  },
  'half-open': {
    title: 'connections open and stay open, but carry nothing for up to 8 s',
    begin: (wire) => wire.freeze(),
    lasts: [500, 8_000],
    rests: [500, 2_000],
  },
  stranded: {
    title: 'open connections go silent for good; new ones work',
    begin: (wire) => wire.strand(),
    lasts: [2_000, 4_000],
    rests: [1_000, 2_000],
  },
  reset: {
    title: 'all connections are reset, and can be opened again',
    begin: (wire) => wire.reset(),
    lasts: [0, 0],
    rests: [200, 800],
  },
  'drop-after-commit': {
    title: 'requests arrive, but replies are lost or cut off in the middle',
    begin(wire, random) {
      if (random.chance(0.7)) wire.loseReplies();
      else wire.dropAfter(Math.floor(random.between(100, 4_000)));
    },
    lasts: [200, 1_000],
    rests: [200, 800],
  },
} as const satisfies Record<string, Strike>;

/**
 * Applies the strikes in turn for `seconds`, and leaves the connection working.
 * @param restored called with the number of strikes and awaited after each strike
 * @returns the number of strikes
 */
export async function strikeInTurn(
  wire: TcpProxy,
  strikes: readonly Strike[],
  { seconds, random, signal }: { seconds: number; random: Random; signal: AbortSignal },
  restored: (struck: number) => Promise<void> | void,
): Promise<number> {
  const until = Date.now() + seconds * 1000;
  let struck = 0;
  while (Date.now() < until && !signal.aborted) {
    const strike = strikes[struck % strikes.length] ?? random.pick(strikes);
    strike.begin(wire, random);
    await sleep(random.between(...strike.lasts));
    wire.restore();
    await restored(++struck);
    await sleep(random.between(...strike.rests));
  }
  return struck;
}
