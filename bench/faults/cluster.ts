import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import PostalMime from 'postal-mime';
import { existing } from '../lib/database.ts';
import { type Installation, OWNER, PLATFORM_KEY } from '../lib/installation.ts';
import type { Mailbox } from '../lib/sign-in.ts';

const execute = promisify(execFile);
const SCRIPT = path.resolve('deploy/cluster.sh');
/** The Debian packages that the script needs. Each key is a program that exists only if its packages are installed. */
const PACKAGES = {
  '/usr/sbin/ip': 'iproute2',
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/bin/redis-server': 'redis-server',
  '/usr/bin/redis-sentinel': 'redis-sentinel',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/bin/patroni': 'patroni python3-etcd',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/bin/aiosmtpd': 'python3-aiosmtpd',
  '/usr/bin/swift-proxy-server': 'swift-proxy swift-account swift-container swift-object',
};

export const NODES = ['node-1', 'node-2', 'node-3'] as const;
export const DATABASES = ['postgres-1', 'postgres-2', 'postgres-3'] as const;
export const ETCD = ['etcd-1', 'etcd-2', 'etcd-3'] as const;
export const REDIS = ['redis-1', 'redis-2', 'redis-3'] as const;
export type DatabaseHost = (typeof DATABASES)[number];
export type Host =
  | (typeof NODES | typeof ETCD | typeof REDIS)[number]
  | DatabaseHost
  | 'storage'
  | 'mail'
  | 'proxy';
/** Patroni's API path for each role; it succeeds on servers in that role. A `synchronous` replica has every confirmed commit. */
const ROLES = { primary: 'primary', synchronous: 'synchronous', replica: 'replica?lag=1MB' };
export type Role = keyof typeof ROLES;
const ANSWER_MS = 2_000;
/** How many characters are returned from the end of each node's log. */
const OUTPUT_KEPT = 5_000;

/** Three nodes behind nginx with databases, Redis, storage and a mail server, each on its own host. */
export interface Cluster extends Installation {
  /** Runs `deploy/cluster.sh` with this verb and host. @param others for `cut`: cuts only the links to these hosts */
  act(
    verb: 'start' | 'stop' | 'kill' | 'cut' | 'mend',
    host: Host,
    ...others: Host[]
  ): Promise<void>;
  /** Makes another database server the writer. */
  switchOver(): Promise<void>;
  /** Returns the database servers in this role; by default, those in any role. */
  hostsThatAre(role?: Role): Promise<DatabaseHost[]>;
}

/** Shell script that creates the kinds of network devices that a cluster needs, and deletes them again. */
const PROBE = `ip netns add "$0" && ip -n "$0" link add probe type bridge &&
  ip -n "$0" link add one type veth peer name other; made=$?; ip netns del "$0"; exit $made`;

/** Returns why this machine can't run a cluster, regardless of installed packages; null if it can. */
function clusterImpossible(): string | null {
  if (process.getuid?.() !== 0) return 'a cluster needs root, for network namespaces';
  try {
    execFileSync('sh', ['-c', PROBE, `sd-probe-${process.pid}`], { stdio: 'ignore' });
    return null;
  } catch {
    return 'a cluster needs network namespaces, which this machine does not allow';
  }
}

/** Returns which packages a cluster still needs; null if all are installed. */
function packagesMissing(): string | null {
  const missing = Object.entries(PACKAGES)
    .filter(([program]) => !existsSync(program))
    .map(([, name]) => name);
  if (missing.length === 0) return null;
  return `a cluster needs these Debian packages: apt-get install --no-install-recommends ${missing.join(' ')}`;
}

/** Returns why a cluster can't be started here; null if it can. */
export const clusterMissing = (): string | null => packagesMissing() ?? clusterImpossible();

/** Starts a cluster next to any others that are running. @throws Error with the nodes' output if it doesn't start */
export async function startCluster(): Promise<Cluster> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-cluster-'));
  const number = process.pid % 200;
  const net = `10.213.${number}`;
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    CLUSTER_DIR: path.join(dir, 'cluster'),
    CLUSTER_NAME: `sd${number}`,
    CLUSTER_NET: net,
  };
  const run = async (...args: string[]) => {
    await execute(SCRIPT, args, { env });
  };
  // PostgreSQL runs as the user nobody, who needs access to its data below this directory.
  await chmod(dir, 0o755);
  await mkdir(env.CLUSTER_DIR);
  await appendFile(
    path.join(env.CLUSTER_DIR, 'node.env'),
    [
      'SAMPLE_DATA=off',
      `OWNER_EMAIL=${OWNER}`,
      'CREATOR_NAME=Aurora',
      `PLATFORM_API_KEY=${PLATFORM_KEY}`,
      'LOG_LEVEL=warn',
      '',
    ].join('\n'),
  );
  const addressOf = (host: DatabaseHost) => `${net}.2${host.slice(-1)}`;
  const roleOf = async (host: DatabaseHost) => {
    for (const [role, path] of Object.entries(ROLES) as [Role, string][]) {
      if (await isOk(`http://${addressOf(host)}:8008/${path}`)) return [{ host, role }];
    }
    return [];
  };
  const hostsThatAre = async (wanted?: Role) =>
    (await Promise.all(DATABASES.map(roleOf)))
      .flat()
      .filter(({ role }) => wanted === undefined || role === wanted)
      .map(({ host }) => host);
  const cluster: Cluster = {
    // The address of nginx, through which all requests go.
    url: `http://${net}.10`,
    port: 80,
    mailbox: (email) => mailsIn(path.join(env.CLUSTER_DIR, 'mail', 'new'), email),
    dataDir: env.CLUSTER_DIR,
    database: {
      title: 'PostgreSQL under Patroni',
      url: null,
      kill: null,
      async connect() {
        const [writer] = await hostsThatAre('primary');
        if (writer === undefined) throw new Error('no database server takes writes');
        const url = `postgres://stagedoor:of-the-cluster@${addressOf(writer)}/stagedoor`;
        return existing(url).connect();
      },
      dispose: async () => undefined,
    },
    counts: { starts: NODES.length, failedStarts: 0, deaths: 0 },
    pid: null,
    act: run,
    switchOver: () => run('switchover'),
    hostsThatAre,
    output: () => NODES.map((node) => logOf(path.join(env.CLUSTER_DIR, `${node}.log`))).join('\n'),
    start: async () => undefined,
    kill: () => run('kill', NODES[0]),
    async stop() {
      const asked = performance.now();
      await run('stop', NODES[0]);
      return { code: 0, ms: performance.now() - asked };
    },
    async dispose() {
      await run('down');
      await rm(dir, { recursive: true, force: true });
    },
  };
  try {
    await run('up');
  } catch (error) {
    const output = cluster.output();
    await cluster.dispose();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}; the nodes' output:\n${output}`, { cause: error });
  }
  return cluster;
}

async function isOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Returns the end of a log; empty if the node never wrote one. */
const logOf = (file: string): string =>
  existsSync(file) ? readFileSync(file, 'utf8').slice(-OUTPUT_KEPT) : '';

/** Reads the emails to an address from a mail server's folder, which holds a file for each email. */
async function mailsIn(folder: string, email: string): Promise<Awaited<ReturnType<Mailbox>>> {
  const files = (await readdir(folder)).map((name) => path.join(folder, name));
  const mails = await Promise.all(
    files.map(async (file) => ({
      ...(await PostalMime.parse(await readFile(file))),
      // The Date header only has whole seconds.
      at: (await stat(file)).mtime.toISOString(),
    })),
  );
  return mails
    .filter(({ to }) => to?.some(({ address }) => address === email))
    .map(({ subject = '', at }) => ({ to: email, subject, at }));
}
