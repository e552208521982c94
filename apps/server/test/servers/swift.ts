import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { freePort } from '../free-port.ts';
import { until } from '../until.ts';
import { missingReason, requireInstalled } from './debian-package.ts';

/** A local S3 server: OpenStack Swift, which checks signatures and expiry as Amazon's does. */
export interface Swift {
  readonly endpoint: string;
  /** Creates an empty bucket. */
  createBucket(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Credentials of the server and its client. They differ in each process, so another process's Swift rejects them. */
export const SWIFT_CREDENTIALS = {
  accessKeyId: 'tests:staff',
  secretAccessKey: randomUUID(),
};

const RINGS = ['account', 'container', 'object'] as const;
const SWIFT = {
  name: 'OpenStack Swift',
  programs: [...RINGS, 'proxy'].map((server) => `/usr/bin/swift-${server}-server`),
  packages: ['swift', 'swift-proxy', 'swift-account', 'swift-container', 'swift-object'],
};

/**
 * Starts Swift's four servers on their own ports.
 * @throws Error that names the missing packages, or has the servers' output when they did not start
 */
export async function startSwift(): Promise<Swift> {
  requireInstalled(SWIFT);
  try {
    return await startServers();
  } catch (error) {
    // The ports are chosen seconds before the servers listen; another test may have taken one.
    if (error instanceof ServerEndedError) return startServers();
    throw error;
  }
}

/** One of the four servers ended before all of them answered. */
class ServerEndedError extends Error {
  override readonly name = 'ServerEndedError';
}

async function startServers(): Promise<Swift> {
  const root = await mkdtemp(path.join(tmpdir(), 'stagedoor-swift-'));
  const ports = {
    account: await freePort(),
    container: await freePort(),
    object: await freePort(),
    proxy: await freePort(),
  };
  await mkdir(path.join(root, 'node', 'd1'), { recursive: true });
  await writeFile(
    path.join(root, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_suffix = tests\nswift_hash_path_prefix = tests\n',
  );
  for (const ring of RINGS) {
    makeRing(root, ring, ports[ring]);
    await writeFile(path.join(root, `${ring}.conf`), storageConfig(root, ring, ports[ring]));
  }
  await writeFile(path.join(root, 'proxy.conf'), proxyConfig(root, ports.proxy));

  const children = [...RINGS, 'proxy' as const].map((server) =>
    spawn(`swift-${server}-server`, [path.join(root, `${server}.conf`), '--verbose'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  let said = '';
  for (const { stdout, stderr } of children) {
    for (const stream of [stdout, stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said = `${said}${chunk.toString()}`.slice(-20_000);
      });
    }
  }
  const endpoint = `http://127.0.0.1:${ports.proxy}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: SWIFT_CREDENTIALS,
    maxAttempts: 1,
  });
  const stop = async () => {
    client.destroy();
    await Promise.all(children.map(end));
    await rm(root, { recursive: true, force: true });
  };
  try {
    await until('Swift answers', () => {
      if (children.some(hasEnded)) throw new ServerEndedError(`Swift ended. It said:\n${said}`);
      return wholeWay(client).then(
        () => true,
        () => false,
      );
    });
  } catch (error) {
    await stop();
    if (error instanceof ServerEndedError) throw error;
    throw new Error(`Swift did not come up. It said:\n${said}`, { cause: error });
  }
  return {
    endpoint,
    async createBucket(name) {
      await client.send(new CreateBucketCommand({ Bucket: name }));
    },
    stop,
  };
}

/** Returns why Swift is not available; null if it is, or can be installed. */
export const swiftMissing = (): string | null => missingReason(SWIFT);

function makeRing(root: string, ring: string, port: number): void {
  const builder = path.join(root, `${ring}.builder`);
  const build = (...args: string[]) =>
    execFileSync('swift-ring-builder', [builder, ...args], { stdio: 'ignore' });
  // 2^4 partitions, one copy of each object, no wait between changes.
  build('create', '4', '1', '0');
  build(
    'add',
    '--region',
    '1',
    '--zone',
    '1',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--device',
    'd1',
    '--weight',
    '1',
  );
  build('rebalance');
}

const common = (root: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
# Seconds to wait for a port that is in use.
bind_timeout = 2
swift_dir = ${root}
user = ${execFileSync('id', ['-un']).toString().trim()}
workers = 0
log_name = swift
log_address = ${root}/no-syslog
`;

const storageConfig = (root: string, server: string, port: number) => `${common(root, port)}
devices = ${root}/node
mount_check = false
recon_cache_path = ${root}
[pipeline:main]
pipeline = ${server}-server
[app:${server}-server]
use = egg:swift#${server}
`;

const proxyConfig = (root: string, port: number) => `${common(root, port)}
[pipeline:main]
pipeline = catch_errors proxy-logging cache s3api tempauth slo dlo copy proxy-logging proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# Requests fail while the other servers start; don't suppress the servers for that.
error_suppression_limit = 10000
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:proxy-logging]
use = egg:swift#proxy_logging
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_tests_staff = ${SWIFT_CREDENTIALS.secretAccessKey} .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:copy]
use = egg:swift#copy
`;

/** Uses every server. Retried until all of them are up, so an earlier try may have created the bucket. */
async function wholeWay(client: S3Client): Promise<void> {
  await client.send(new CreateBucketCommand({ Bucket: 'ready' })).catch((error: unknown) => {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
  });
  await client.send(new PutObjectCommand({ Bucket: 'ready', Key: 'ready', Body: 'ready' }));
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await gone;
  clearTimeout(timer);
}
