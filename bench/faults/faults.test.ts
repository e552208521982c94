import { describe, expect, test } from 'vitest';
import { changed, changedSources } from './build-variant.ts';
import { INVARIANTS } from './check.ts';
import type { Fault } from './fault.ts';
import { killDatabase } from './kinds/kill-database.ts';
import { killServer } from './kinds/kill-server.ts';
import { type RunOptions, runFault } from './run.ts';
import { tryVariant } from './try-variant.ts';
import { VARIANTS } from './variants.ts';

/** A run creates a database, which takes long on a busy machine. Milliseconds. */
const PATIENCE = 240_000;

const options = (): RunOptions => ({
  seconds: 1,
  senders: 8,
  fans: 3,
  seed: Number(process.env.TEST_SEED ?? 1),
});

/** Runs both kinds of kills in one world, one after the other. */
const kills: Fault = {
  name: 'kills',
  title: 'kill -9 the server, its database, and both',
  async run(world, signal, random) {
    const server = await killServer.run({ ...world, seconds: 3 }, signal, random);
    const database = await killDatabase.run({ ...world, seconds: 8 }, signal, random);
    return {
      figures: { ...server.figures, ...database.figures },
      broken: [...(server.broken ?? []), ...(database.broken ?? [])],
    };
  },
};

const nothingBroken = Object.fromEntries(Object.keys(INVARIANTS).map((name) => [name, 0]));

test(
  'whatever is killed, nothing confirmed is lost, doubled or reordered, and every client ends where a fresh fetch would',
  async () => {
    const run = await runFault(kills, options());
    expect(run?.verdict, `seed ${run?.seed}`).toMatchObject({
      broken: nothingBroken,
      examples: [],
    });
    expect(run?.sends).toMatchObject({ failed: 0, confirmed: run?.sends.begun });
  },
  PATIENCE,
);

describe('a server that is broken on purpose', () => {
  test.each(VARIANTS)('can be built from the current sources: $name', async ({ changes }) => {
    expect((await changedSources(changes)).size).toBeGreaterThan(0);
  });

  test.each(['', 'twice twice'])(
    'can’t be built unless the passage to change occurs exactly once: "%s"',
    (source) => {
      const change = { file: 'some.ts', find: 'twice', put: 'once' };
      expect(() => changed(source, change)).toThrow('instead of once');
    },
  );

  test.each(VARIANTS.filter(({ name }) => ['confirmed-early', 'unread-zeroed'].includes(name)))(
    'is caught: $title',
    async (variant) => {
      const trial = await tryVariant(variant, options());
      expect(trial.broken, `seed ${trial.run.seed}`).toHaveProperty(variant.caughtBy ?? '');
    },
    PATIENCE,
  );
});
