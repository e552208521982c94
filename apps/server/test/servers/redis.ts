import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from 'redis';
import { freePort } from '../free-port.ts';
import { leftOut } from '../left-out.ts';
import { until } from '../until.ts';
import { missingReason, requireInstalled } from './debian-package.ts';

/** A Redis for the tests, which keeps its data in memory only. */
export interface TestRedis {
  readonly url: string;
  /** Kills the process, as in a crash; the data is lost. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Freezes the process: it stops answering, but its connections stay open. `thaw` resumes it. */
  freeze(): void;
  thaw(): void;
  /** Makes a replica a master. */
  promote(): Promise<void>;
  /** Returns everything that is stored, as text. */
  contents(): Promise<string>;
  stop(): Promise<void>;
}

const PROGRAM = '/usr/bin/redis-server';
const REDIS = { name: 'Redis', programs: [PROGRAM], packages: ['redis-server'] };

/** Returns whether to skip the tests with several processes. */
export const skipWithoutRedis = (): boolean =>
  leftOut('Several processes are', missingReason(REDIS));

/** Starts Redis on its own port, as a replica of `master` if given. @throws Error that names what is missing */
export async function startRedis(master?: TestRedis): Promise<TestRedis> {
  requireInstalled(REDIS);
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;

  async function kill(): Promise<void> {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await gone;
  }

  const redis: TestRedis = {
    url,
    kill,
    async start() {
      const settings = {
        port,
        bind: '127.0.0.1',
        save: '',
        appendonly: 'no',
        dir: folder,
        'repl-diskless-sync-delay': 0,
        ...(master && { replicaof: `127.0.0.1 ${new URL(master.url).port}` }),
      };
      child = spawn(
        PROGRAM,
        Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
        { stdio: 'ignore' },
      );
      await until('Redis answers', () => ask(url, (client) => client.ping()).catch(() => null));
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async promote() {
      await ask(url, (client) => client.sendCommand(['REPLICAOF', 'NO', 'ONE']));
    },
    contents: () =>
      ask(url, async (client) => {
        const found: string[] = [];
        for (const key of await client.keys('*')) {
          const type = await client.type(key);
          const value = type === 'stream' ? await client.xRange(key, '-', '+') : null;
          found.push(key, JSON.stringify(value ?? (await client.get(key))));
        }
        return found.join('\n');
      }),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await redis.start();
  return redis;
}

/** Starts a Sentinel that watches a master under the name `stagedoor`, and alone decides on a failover. @returns its port */
export async function startSentinel(
  master: TestRedis,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-sentinel-'));
  const port = await freePort();
  const file = path.join(folder, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor stagedoor 127.0.0.1 ${new URL(master.url).port} 1`,
    'sentinel down-after-milliseconds stagedoor 1000',
    'sentinel failover-timeout stagedoor 5000',
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const child = spawn(PROGRAM, [file, '--sentinel'], { stdio: 'ignore' });
  await until('the Sentinel knows the replica', () =>
    ask(`redis://127.0.0.1:${port}`, async (client) => {
      const found = await client.sendCommand(['SENTINEL', 'REPLICAS', 'stagedoor']);
      return (found as unknown as unknown[]).length > 0;
    }).catch(() => null),
  );
  return {
    port,
    async stop() {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Client = ReturnType<typeof clientOf>;

const clientOf = (url: string) =>
  // The default is 5 s, which a busy machine exceeds.
  createClient({ url, RESP: 2, socket: { reconnectStrategy: false, connectTimeout: 300_000 } });

async function ask<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = clientOf(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.destroy();
  }
}
