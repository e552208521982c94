// `npm run check`: runs all static checks, a boot test, and the unit tests in the folders of changed files.
//   npm run check -- --fix        formats and applies safe corrections first
//   npm run check -- --all        with all tests, journeys included
//   npm run check -- --no-tests   without tests
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { prepare } from './lib/prepare.mjs';
import { fail, ROOT, run, runTool, step, ToolError } from './lib/run.mjs';
import { audit, checkLock, makeSbom } from './lib/supply-chain.mjs';

const BOOT_PATIENCE_MS = 30_000;

/** Starts the built server in an empty data folder, checks its health, and stops it. */
async function bootSmokeTest() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'stagedoor-boot-'));
  const port = await freePort();
  // Tests a clean installation, without the developer's own settings.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: String(port), DATA_DIR: dataDir, SAMPLE_DATA: 'off' };
  const server = spawn(process.execPath, ['apps/server/dist/main.js'], { cwd: ROOT, env });
  const exited = once(server, 'exit');
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  try {
    const status = await health(port, () => server.exitCode ?? server.signalCode);
    if (status !== 200) throw new ToolError(`GET /api/health returned ${status}`, output);
    server.kill('SIGTERM');
    const [code, signal] = await exited;
    if (code !== 0) throw new ToolError(`after SIGTERM: ${signal ?? `exit ${code}`}`, output);
  } finally {
    server.kill('SIGKILL');
    await exited;
    // The database notices that its parent died and needs a moment to stop.
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function health(port, ended) {
  const deadline = Date.now() + BOOT_PATIENCE_MS;
  let last = 'no response';
  while (Date.now() < deadline && ended() === null) {
    try {
      last = (await fetch(`http://127.0.0.1:${port}/api/health`)).status;
      if (last === 200) return last;
    } catch (error) {
      // Not listening yet; after the deadline this counts as a failure.
      last = error.cause?.code ?? error.message;
    }
    await sleep(50);
  }
  return ended() === null ? last : `no response: the server exited (${ended()})`;
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

async function cleanTree(before) {
  const after = await run('git', ['status', '--porcelain']);
  if (after !== before) throw new ToolError('The checks changed files or left new ones', after);
}

function printChunkSizes() {
  for (const client of ['web', 'fan']) {
    const folder = path.join(ROOT, `apps/${client}/dist/assets`);
    const sizes = readdirSync(folder)
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => ({ name, bytes: gzipSync(readFileSync(path.join(folder, name))).length }))
      .sort((a, b) => b.bytes - a.bytes);
    for (const { name, bytes } of sizes) {
      console.error(`  ${(bytes / 1000).toFixed(1).padStart(6)} kB gzipped  ${client}/${name}`);
    }
  }
}

const fix = process.argv.includes('--fix');
const tests = !process.argv.includes('--no-tests');
const all = process.argv.includes('--all');

const STEPS = [
  [
    'Format and lint',
    () =>
      runTool('@biomejs/biome/bin/biome', [
        'check',
        '--error-on-warnings',
        '--max-diagnostics=200',
        ...(fix ? ['--write'] : []),
      ]),
  ],
  ['Lint with types', () => runTool('oxlint/bin/oxlint', ['--type-aware', '--deny-warnings'])],
  ['Import direction', () => run(process.execPath, ['scripts/check-imports.mjs'])],
  ['Owners of tables', () => run(process.execPath, ['scripts/check-tables.mjs'])],
  [
    'The checks themselves',
    () =>
      runTool('vitest/vitest.mjs', [
        'run',
        '--project=scripts',
        '--exclude=scripts/test-command.test.mjs',
        '--reporter=dot',
      ]),
  ],
  // One checker: each further one would compute shared types again, which takes three times the CPU time on two cores.
  ['Types', () => runTool('typescript/bin/tsc', ['-b', '--checkers', '1', '--builders', '2'])],
  ['Dead code and unused dependencies', () => runTool('knip/bin/knip.js', ['--no-config-hints'])],
  ['Lock file', checkLock],
  ['Bill of materials', makeSbom],
  ['Known vulnerabilities', async () => console.error(`  ${await audit()}`)],
  ['Boot', bootSmokeTest],
];

/** Returns the test files in the folders of all files that differ from the last commit. */
async function testsBesideChanges() {
  const changes = await run('git', ['status', '--porcelain', '--untracked-files=all']);
  const folders = changes
    .split('\n')
    .map((line) => path.dirname(line.slice(3).split(' -> ').at(-1)))
    .filter((folder) => folder !== '.' && existsSync(path.join(ROOT, folder)));
  return [...new Set(folders)].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((name) => /\.test\.(tsx?|mjs)$/.test(name) && name !== 'test-command.test.mjs')
      .map((name) => path.posix.join(folder, name)),
  );
}

async function main() {
  await prepare();
  const before = await run('git', ['status', '--porcelain']);
  const failures = [];
  const attempt = async (title, work) => {
    try {
      await step(title, work);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      failures.push(`${title}: ${error.message}`);
    }
  };
  for (const [title, work] of STEPS) await attempt(title, work);
  const filters = all ? [] : ['--unit', ...(await testsBesideChanges())];
  if (tests && filters.length !== 1) {
    await attempt('Tests', () => run(process.execPath, ['scripts/test.mjs', ...filters]));
  }
  if (!fix) await attempt('Clean tree', () => cleanTree(before));
  printChunkSizes();
  if (failures.length > 0) throw new ToolError(`\n${failures.join('\n')}`, '');
  console.error('All checks passed');
}

await main().catch(fail);
