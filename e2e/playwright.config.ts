import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from '../scripts/chromium.mjs';

// Set here so that workers inherit it: test titles contain the seed and must be the same in each. `npm run storms` sets others.
process.env.STORM_SEED ??= '1';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results/journeys',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  // Two more than the number of cores, because journeys often wait.
  workers: availableParallelism() + 2,
  // Long enough for a slow machine: only a hang exceeds it.
  timeout: 300_000,
  // By default, `toPass` waits up to a second between attempts.
  expect: { timeout: 30_000, toPass: { intervals: [50] } },
  forbidOnly: Boolean(process.env.CI),
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.JOURNEYS_REPORT ?? '../test-results/journeys.json' }],
  ],
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    trace: 'off',
    launchOptions: { executablePath: await findChromium(), args: CHROMIUM_FLAGS },
  },
});
