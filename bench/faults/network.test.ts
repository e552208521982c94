import { expect, test } from 'vitest';
import { INVARIANTS } from './check.ts';
import { networkFaults } from './kinds/network.ts';
import { runFault } from './run.ts';

/** A run creates a database, which takes long on a busy machine. Milliseconds. */
const PATIENCE = 240_000;

test(
  'whatever the network does to connections and replies, nothing confirmed is lost or doubled, and every client ends where a fresh fetch would',
  async () => {
    const options = {
      seconds: 8,
      senders: 8,
      fans: 3,
      seed: Number(process.env.TEST_SEED ?? 1),
    };
    const run = await runFault(networkFaults.all, options);
    expect(run?.verdict, `seed ${run?.seed}`).toMatchObject({
      broken: Object.fromEntries(Object.keys(INVARIANTS).map((name) => [name, 0])),
      examples: [],
    });
    expect(run?.sends).toMatchObject({ failed: 0, confirmed: run?.sends.begun });
    expect(run?.report.figures.broken).toBeGreaterThan(0);
  },
  PATIENCE,
);
