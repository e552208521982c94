// `npm test`: runs all tests. The last line is `N passed, N failed`.
//   npm test -- --unit          without the journeys
//   npm test -- --e2e           the journeys only
//   npm test -- --project fan   one of vitest's projects
//   npm test -- inbox           files whose path contains "inbox"
//   npm test -- --seed 42       runs in this seed's order; by default a new seed is used and printed
//   TEST_DATABASE_URL=postgres://…  runs the server's tests on that PostgreSQL instead of the embedded one
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from './chromium.mjs';
import { prepare } from './lib/prepare.mjs';
import { fail, ROOT, runTool, ToolError } from './lib/run.mjs';

const RESULTS = path.join(ROOT, 'test-results');

/**
 * Runs one test runner, shows its output, and reads the counts from its report.
 * @param {string} title
 * @param {string} report file that the runner writes
 * @param {() => Promise<unknown>} start
 * @param {(report: any) => { passed: number, failed: number, skipped: number, titles: string[] }} count
 */
async function suite(title, report, start, count) {
  rmSync(report, { force: true });
  let crashed = false;
  try {
    await start();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    crashed = true;
  }
  const counts = existsSync(report)
    ? count(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0, titles: [] };
  // A runner that fails without a failing test (for example a file that doesn't load) must not look green.
  if (crashed && counts.failed === 0) {
    console.error(`${title}: the runner failed outside the tests`);
    counts.failed = 1;
  }
  // In CI, a skipped test is a failure.
  if (process.env.CI && counts.skipped > 0) {
    counts.failed += counts.skipped;
    counts.titles.push(`${title}: ${counts.skipped} skipped`);
  }
  return counts;
}

function unitTests(filters, seed) {
  const report = path.join(RESULTS, 'unit.json');
  return suite(
    'Tests',
    report,
    () =>
      runTool(
        'vitest/vitest.mjs',
        [
          'run',
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${report}`,
          '--passWithNoTests',
          `--sequence.seed=${seed}`,
          ...filters,
        ],
        { live: true },
      ),
    (json) => ({
      passed: json.numPassedTests,
      failed: json.numFailedTests,
      skipped: json.numPendingTests + json.numTodoTests,
      titles: failedTests(json),
    }),
  );
}

async function journeys(filters, seed) {
  const report = path.join(RESULTS, 'journeys.json');
  const env = {
    ...process.env,
    JOURNEYS_REPORT: report,
    CHROMIUM_PATH: await findChromium(),
  };
  return suite(
    'Journeys',
    report,
    () =>
      runTool(
        '@playwright/test/cli.js',
        [
          'test',
          '--config',
          'e2e/playwright.config.ts',
          '--pass-with-no-tests',
          `--shuffle=${seed}`,
          ...filters,
        ],
        { live: true, env },
      ),
    (json) => ({
      passed: json.stats.expected,
      failed: json.stats.unexpected,
      skipped: json.stats.skipped,
      titles: failedJourneys(json),
    }),
  );
}

/** Returns the titles of a vitest report's failed tests, each with the first line of its error. */
function failedTests(json) {
  return json.testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(ROOT, name);
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
    return failed.length === 0 && message ? [`${file}: ${firstLine(message)}`] : failed;
  });
}

/** Returns the titles and errors of a Playwright report's failed tests. Its suites are nested. */
function failedJourneys({ suites = [], specs = [] }) {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
      return `e2e/${file}: ${title}: ${firstLine(errors[0]?.message)}`;
    });
  return [...own, ...suites.flatMap(failedJourneys)];
}

function firstLine(text = '') {
  return text.split('\n', 1)[0];
}

async function main() {
  const { values, positionals: filters } = parseArgs({
    options: {
      unit: { type: 'boolean' },
      e2e: { type: 'boolean' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
      project: { type: 'string', multiple: true },
    },
    allowPositionals: true,
  });
  const { unit, e2e, seed, project = [] } = values;
  if (!/^\d{1,9}$/.test(seed)) throw new ToolError('--seed must be a number', '');
  await prepare();
  mkdirSync(RESULTS, { recursive: true });
  console.log(`Seed ${seed}`);

  const results = [];
  const projects = project.map((name) => `--project=${name}`);
  if (!e2e) results.push(await unitTests([...projects, ...filters], seed));
  if (!unit) results.push(await journeys(filters, seed));
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  // Repeats failures at the end: thousands of lines may separate them from the total.
  for (const { titles } of results) for (const title of titles) console.log(`FAILED ${title}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

await main().catch((error) => {
  // Prints a last line in the usual form even if the tests can't start.
  process.on('exit', () => console.log('\n0 passed, 1 failed'));
  fail(error);
});
