import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { withLock } from './lib/lock.mjs';
import { run, step, ToolError } from './lib/run.mjs';

/** Chromium's options. They let it run as root and without a GPU, and turn off its background network calls. */
export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The program names to look for. The headless shell comes first: it draws no windows, which halves the journeys' time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Chromium.app/Contents/MacOS',
  '/Applications/Google Chrome.app/Contents/MacOS',
];
const NAMES_IN_PLACES = [...NAMES, 'chrome', 'Chromium', 'Google Chrome'];

/**
 * Debian's headless Chromium shell; its data package, which must be in the same folder even if the system already has it; and a
 * font, without which the shell shows no text, although its package only recommends one.
 */
const PACKAGES = ['chromium-headless-shell', 'chromium-common', 'fonts-dejavu-core'];

/**
 * Returns the path of a Chromium or Chrome: `CHROMIUM_PATH`, else an installed one. If there is none, installs Chromium: with
 * apt as root, otherwise from apt's packages into the user's cache.
 * @returns {Promise<string>}
 * @throws {Error} if none is found and none can be installed; the message says what to install
 */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!isExecutable(named))
      throw new ToolError(`CHROMIUM_PATH is not an executable: ${named}`, '');
    return named;
  }
  const found = findInstalled();
  if (found) return found;
  const cached = path.join(cacheDirectory(), 'chromium');
  if (isExecutable(cached)) return cached;
  if (!(await hasApt())) throw new ToolError(ADVICE, '');
  try {
    if (process.getuid?.() === 0) return await installAsRoot();
    return await withLock(`${cacheDirectory()}.lock`, async () =>
      isExecutable(cached) ? cached : await step('Fetching Chromium', () => installInCache()),
    );
  } catch (error) {
    throw new ToolError(`${ADVICE} (${error.message})`, error.output ?? '');
  }
}

const ADVICE =
  'The end-to-end tests need Chromium or Chrome. Install one (on Debian: apt-get install chromium), or set CHROMIUM_PATH.';

function findInstalled() {
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const candidates = [
    ...onPath.flatMap((directory) => NAMES.map((name) => path.join(directory, name))),
    ...PLACES.flatMap((directory) => NAMES_IN_PLACES.map((name) => path.join(directory, name))),
  ];
  const found = candidates.filter(isExecutable);
  return (
    NAMES_IN_PLACES.map((name) => found.find((file) => path.basename(file) === name)).find(
      (file) => file !== undefined,
    ) ?? null
  );
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Most of the candidate paths don't exist.
    return false;
  }
}

async function hasApt() {
  try {
    await run('apt-get', ['--version']);
    return true;
  } catch {
    // Not Debian; the caller says what to do instead.
    return false;
  }
}

async function installAsRoot() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await step('Installing Chromium', async () => {
    await run('apt-get', ['update'], { env });
    await run('apt-get', ['install', '-y', '--no-install-recommends', ...PACKAGES], { env });
  });
  const found = findInstalled();
  if (!found) throw new Error('apt installed Chromium, but it could not be found');
  return found;
}

function cacheDirectory() {
  const home = process.env.HOME || homedir();
  const base = process.env.XDG_CACHE_HOME || path.join(home, '.cache');
  try {
    mkdirSync(base, { recursive: true });
    accessSync(base, constants.W_OK);
    return path.join(base, 'stagedoor-chromium');
  } catch {
    // A service account without a home directory.
    return path.join(tmpdir(), `stagedoor-chromium-${process.getuid?.() ?? ''}`);
  }
}

/**
 * Downloads Debian's Chromium packages and their missing dependencies into a directory that also
 * holds apt's state, and unpacks them there. Returns the path of a script that runs Chromium.
 */
async function installInCache() {
  const root = cacheDirectory();
  rmSync(root, { recursive: true, force: true });
  const draft = `${root}.new`;
  rmSync(draft, { recursive: true, force: true });
  for (const directory of ['apt/state/lists/partial', 'apt/cache/archives/partial', 'system']) {
    mkdirSync(path.join(draft, directory), { recursive: true });
  }
  const apt = [
    ...['-o', `Dir::State=${draft}/apt/state`, '-o', `Dir::Cache=${draft}/apt/cache`],
    // Only packages that the system lacks are downloaded.
    ...['-o', 'Dir::State::status=/var/lib/dpkg/status', '-o', 'Debug::NoLocking=1'],
    ...['-o', 'APT::Sandbox::User='],
  ];
  await run('apt-get', [...apt, 'update']);
  await run('apt-get', [
    ...apt,
    ...['install', '--download-only', '--reinstall', '-y', '--no-install-recommends'],
    ...PACKAGES,
  ]);
  const archives = path.join(draft, 'apt/cache/archives');
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
    await run('dpkg', ['-x', path.join(archives, name), path.join(draft, 'system')]);
  }
  rmSync(path.join(draft, 'apt'), { recursive: true });
  renameSync(draft, root);

  const system = path.join(root, 'system');
  writeFileSync(
    path.join(root, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${system}/usr/share/fonts</dir>
  <cachedir>${root}/fontconfig</cachedir>
</fontconfig>
`,
  );
  const libraries = ['usr/lib', 'lib'].flatMap((directory) => librariesBelow(system, directory));
  const script = path.join(root, 'chromium');
  writeFileSync(
    `${script}.new`,
    `#!/bin/sh
export LD_LIBRARY_PATH='${libraries.join(':')}'"\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE='${root}/fonts.conf'
exec '${system}/usr/lib/chromium/chromium-headless-shell' "$@"
`,
  );
  chmodSync(`${script}.new`, 0o755);
  // Runs the script once, so that a broken Chromium fails here with a message and not in every journey.
  await run(`${script}.new`, [...CHROMIUM_FLAGS, '--dump-dom', 'about:blank']);
  renameSync(`${script}.new`, script);
  return script;
}

/** Returns the directory and its subdirectories per architecture, such as `usr/lib/x86_64-linux-gnu`. */
function librariesBelow(system, directory) {
  const folder = path.join(system, directory);
  if (!existsSync(folder)) return [];
  const architectures = readdirSync(folder).filter((name) => name.includes('-linux-gnu'));
  return [
    ...architectures.flatMap((name) => {
      const base = path.join(folder, name);
      // Some libraries are one level deeper; a file in /etc/ld.so.conf.d lists them.
      const nested = ['pulseaudio', 'blas', 'lapack'].map((child) => path.join(base, child));
      return [base, ...nested.filter((child) => existsSync(child))];
    }),
    folder,
  ];
}
