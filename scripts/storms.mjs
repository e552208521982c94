// `npm run storms`: runs two tabs, a teammate's page and a fan's page through random network storms, in a browser.
//   npm run storms -- --rounds 20     number of storms, one after the other; 5 by default
//   npm run storms -- --seed 42       the first storm's seed; each further one adds 1
//   npm run storms -- --json FILE     also writes the results to FILE
// Ends with a table. A failed storm prints its seed; `--rounds 1 --seed …` repeats it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from './chromium.mjs';
import { prepare } from './lib/prepare.mjs';
import { fail, ROOT, runTool, ToolError } from './lib/run.mjs';

const REPORTS = path.join(ROOT, 'test-results', 'storms');

function readReports() {
  return readdirSync(REPORTS)
    .map((name) => JSON.parse(readFileSync(path.join(REPORTS, name), 'utf8')))
    .sort((a, b) => a.seed - b.seed);
}

try {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
      json: { type: 'string' },
    },
  });
  for (const name of ['rounds', 'seed']) {
    if (!/^\d{1,9}$/.test(values[name])) throw new ToolError(`--${name} must be a number`, '');
  }
  await prepare();
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  console.log(`Seed ${values.seed}, ${values.rounds} storms`);
  const env = {
    ...process.env,
    STORM_ROUNDS: values.rounds,
    STORM_SEED: values.seed,
    STORM_REPORTS: REPORTS,
    CHROMIUM_PATH: await findChromium(),
  };
  let failure = null;
  try {
    const config = ['--config', 'e2e/playwright.config.ts', '--workers', '1'];
    await runTool('@playwright/test/cli.js', ['test', ...config, 'storms.spec'], {
      live: true,
      env,
    });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    failure = error;
  }
  const reports = readReports();
  console.table(
    reports.map(({ befell, ...figures }) => ({ ...figures, befell: befell.join(', ') })),
  );
  console.log(
    `${reports.length} of ${values.rounds} storms ended in the same state as a fresh load`,
  );
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify(reports, null, 2)}\n`);
  if (failure) throw failure;
} catch (error) {
  fail(error);
}
