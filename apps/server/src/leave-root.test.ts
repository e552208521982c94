import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../test/free-port.ts';
import { leftOut } from '../test/left-out.ts';
import { until } from '../test/until.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ADMIN = path.join(ROOT, 'apps/server/dist/admin-command.js');
const execute = promisify(execFile);
/** The uid of an account that only the process under test sees. */
const UID = 64_001;
const NOBODY = 65_534;
/** The lowest port that needs no root privileges. */
const PORTS = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
/** The process sees the program, its own list of accounts and its own PORTS, at paths that every user can read. */
const PRIVATELY = `mount --bind "$1" "$2" && mount --bind "$3" /etc/passwd && mount --bind "$4" ${PORTS} && cd / &&
  exec "$5" "$2/apps/server/dist/main.js"`;
const ACCOUNT = `stagedoor:x:${UID}:${UID}::/nonexistent:/usr/sbin/nologin\n`;

/**
 * Starts the program as root.
 * @param accounts lines of /etc/passwd besides the system's
 * @param prepare runs before the start
 */
async function startAsRoot(
  accounts: string,
  prepare: (files: { folder: string; ports: string; dataDir: string }) => Promise<unknown> = () =>
    Promise.resolve(),
) {
  const folder = await mkdtemp('/tmp/stagedoor-root-');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const [program, passwd, ports, dataDir] = ['program', 'passwd', 'ports', 'data'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string, string];
  await mkdir(program);
  await writeFile(passwd, (await readFile('/etc/passwd', 'utf8')) + accounts);
  await writeFile(ports, '1024');
  // Owned as if the server had run as root before.
  await mkdir(path.join(dataDir, 'files'), { recursive: true });
  await writeFile(path.join(dataDir, 'files', 'one'), 'one', { mode: 0o600 });
  await chown(path.join(dataDir, 'files', 'one'), NOBODY, NOBODY);
  await prepare({ folder, ports, dataDir });
  const url = `http://127.0.0.1:${await freePort()}`;
  const child: ChildProcess = spawn(
    'unshare',
    ['--mount', '--', 'sh', '-c', PRIVATELY, 'sh', ROOT, program, passwd, ports, process.execPath],
    {
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        PORT: new URL(url).port,
        DATA_DIR: dataDir,
        SAMPLE_DATA: 'off',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(stop);
  await until('it serves', async () => {
    if (child.exitCode !== null) throw new Error(`it did not start:\n${output}`);
    return (await fetch(`${url}/api/health`).catch(() => null))?.ok;
  });
  await until(
    'the banner is out',
    () => output.includes('OWNER') || output.includes(new URL(url).port),
  );
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  const uids = /^Uid:\s*(.*)$/m.exec(status)?.[1]?.split(/\s+/).map(Number) ?? [];
  return { uid: Math.min(...uids), dataDir, output, stop };
}

const skips = leftOut(
  'Starting as root is',
  process.getuid?.() === 0 ? null : 'this is not root, or no Linux',
);

describe.skipIf(skips)('a server that root starts', () => {
  test('switches to the account stagedoor, which then owns its data', async () => {
    const { uid, dataDir, output } = await startAsRoot(ACCOUNT);
    expect(uid).toBe(UID);
    expect(output).not.toContain('running as root');
    for (const name of ['', 'files/one', 'keys', 'postgres.log'])
      expect((await stat(path.join(dataDir, name))).uid, name).toBe(UID);
  });

  test('keeps ownership of its data when root runs a tool while it is stopped', async () => {
    const { dataDir, stop } = await startAsRoot(ACCOUNT);
    await stop();
    const { stdout } = await execute(process.execPath, [ADMIN, 'list'], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    });
    expect(stdout).toContain('owner@example.com');
    const [cluster = ''] = (await readdir(dataDir)).filter((name) => /^postgres-\d+$/.test(name));
    for (const name of ['', 'PG_VERSION', 'global/pg_control'])
      expect((await stat(path.join(dataDir, cluster, name))).uid, name).toBe(UID);
  });

  test.each<[string, string, Parameters<typeof startAsRoot>[1], string]>([
    ['there is no such account', '', undefined, "Create an account for it with 'useradd"],
    [
      'only root can listen on its port',
      ACCOUNT,
      ({ ports }) => writeFile(ports, '65536'),
      'because only root can listen on port',
    ],
    [
      'the account can’t open a folder',
      ACCOUNT,
      ({ folder }) => chmod(folder, 0o700),
      "because the account stagedoor can't open /tmp/stagedoor-root-",
    ],
    [
      'a database already runs in its folder',
      ACCOUNT,
      async ({ dataDir }) => {
        const { stop } = await startEmbeddedPostgres({ dataDir, log: () => undefined });
        onTestFinished(stop);
      },
      'because a database is already running in /tmp/stagedoor-root-',
    ],
  ])('warns that it remains root if %s', async (_, accounts, prepare, reason) => {
    const { uid, output } = await startAsRoot(accounts, prepare);
    expect(uid).toBe(0);
    expect(output).toContain('the server is running as root');
    expect(output).toContain(reason);
  });
});
