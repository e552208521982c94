// `npm test`: everything that can be tested here. The very last line is `N passed, N failed`.
//   npm test -- --unit          without the journeys
//   npm test -- --e2e           the journeys only
//   npm test -- inbox           files whose path contains "inbox"
//   TEST_DATABASE_URL=postgres://…  on that server instead of an embedded one
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findChromium } from './chromium.mjs';
import { prepare } from './lib/prepare.mjs';
import { fail, ROOT, runTool, ToolError } from './lib/run.mjs';

const RESULTS = path.join(ROOT, 'test-results');

/**
 * Runs one runner, showing its output, and reads its counts from its report.
 * @param {string} title
 * @param {string} report file that the runner writes
 * @param {() => Promise<unknown>} start
 * @param {(report: any) => { passed: number, failed: number, titles: string[] }} count
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
    : { passed: 0, failed: 0, titles: [] };
  // A runner that fails without a failing test (a file that doesn't load) must not look green.
  if (crashed && counts.failed === 0) {
    console.error(`${title}: the runner failed outside the tests`);
    counts.failed = 1;
  }
  return counts;
}

function unitTests(filters) {
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
          ...filters,
        ],
        { live: true },
      ),
    (json) => ({
      passed: json.numPassedTests,
      failed: json.numFailedTests,
      titles: failedTests(json),
    }),
  );
}

async function journeys(filters) {
  const present = readdirSync(path.join(ROOT, 'e2e')).some((name) => name.endsWith('.spec.ts'));
  if (!present) return { passed: 0, failed: 0, titles: [] };
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
        ['test', '--config', 'e2e/playwright.config.ts', '--pass-with-no-tests', ...filters],
        { live: true, env },
      ),
    (json) => ({
      passed: json.stats.expected + json.stats.flaky,
      failed: json.stats.unexpected,
      titles: failedJourneys(json),
    }),
  );
}

/** The titles of a vitest report's failed tests, and the first line of what each said. */
function failedTests(json) {
  return json.testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(ROOT, name);
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
    return failed.length === 0 && message ? [`${file}: ${firstLine(message)}`] : failed;
  });
}

/** The same of a Playwright report, whose suites lie within one another. */
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
  const args = process.argv.slice(2);
  const only = args.find((arg) => arg === '--unit' || arg === '--e2e');
  const filters = args.filter((arg) => arg !== '--unit' && arg !== '--e2e');
  await prepare();
  mkdirSync(RESULTS, { recursive: true });

  const results = [];
  if (only !== '--e2e') results.push(await unitTests(filters));
  if (only !== '--unit') results.push(await journeys(filters));
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  // Once more at the end: thousands of lines may lie between a failure and the sum.
  for (const { titles } of results) for (const title of titles) console.log(`FAILED ${title}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

await main().catch((error) => {
  // The last line keeps its form when it doesn't come to testing.
  process.on('exit', () => console.log('\n0 passed, 1 failed'));
  fail(error);
});
