// `npm run fuzz`: tests every endpoint and socket event of the contract with generated inputs.
//   npm run fuzz -- --runs 500          inputs for each endpoint or event; 2000 by default
//   npm run fuzz -- --seed 42           repeats a failed run
//   npm run fuzz -- --only sendMessage  only one endpoint or event; `/fan` means the fans' sockets
// Prints each endpoint as it finishes. A failure prints its seed and the smallest failing input, and exits with 1.
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';
import { fail, runTool } from './lib/run.mjs';

try {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '2000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      only: { type: 'string' },
    },
  });
  for (const name of ['runs', 'seed']) {
    if (!/^\d{1,10}$/.test(values[name])) throw new Error(`--${name} must be a number`);
  }
  await prepare();
  console.log(`Seed ${values.seed}, ${values.runs} inputs each`);
  const files = ['endpoints', 'events'].map((name) => `apps/server/test/fuzz/${name}.test.ts`);
  await runTool(
    'vitest/vitest.mjs',
    ['run', '--project', 'server', '--reporter=verbose', ...files],
    {
      live: true,
      env: {
        ...process.env,
        FUZZ_RUNS: values.runs,
        FUZZ_SEED: values.seed,
        ...(values.only !== undefined && { FUZZ_ONLY: values.only }),
      },
    },
  );
} catch (error) {
  fail(error);
}
