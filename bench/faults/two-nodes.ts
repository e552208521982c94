import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  skipWithoutRedis,
  startRedis,
  type TestRedis,
} from '../../apps/server/test/servers/redis.ts';
import { embeddedServer } from '../lib/servers.ts';
import type { Between } from './fault.ts';
import { type Installation, type InstallationOptions, startInstallation } from './installation.ts';
import { startRoundRobin } from './round-robin.ts';

/** A second node beside a run's installation, and all that the two need. */
export interface TwoNodes {
  /** What the first has to be started with. @returns null where Redis can't be had */
  installation(): Promise<Partial<InstallationOptions> | null>;
  /** Starts the second, and what takes turns between the two. */
  between(port: number): Promise<Between>;
  readonly redis: TestRedis;
  readonly second: Installation;
}

/**
 * @param options.together whether the nodes have the same Redis, as they must
 */
export function twoNodes({ together = true } = {}): TwoNodes {
  let redis: TestRedis | null = null;
  let second: Installation | null = null;
  let env: Record<string, string> = {};

  return {
    async installation() {
      if (skipWithoutRedis()) return null;
      redis = await startRedis();
      const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-nodes-'));
      const server = await embeddedServer(folder);
      env = { DATABASE_URL: await server.database('stagedoor'), REDIS_URL: redis.url };
      return {
        // Its own is not used: both nodes have the one that was started here.
        database: 'embedded',
        env,
        async release() {
          await server.stop();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
    async between(port) {
      const other = together ? null : await startRedis();
      second = await startInstallation({
        database: 'embedded',
        env: { ...env, ...(other && { REDIS_URL: other.url }) },
      });
      const proxy = await startRoundRobin([port, second.port]);
      return {
        url: proxy.url,
        async close() {
          await proxy.close();
          await second?.dispose();
          await redis?.stop();
          await other?.stop();
        },
      };
    },
    get redis() {
      if (redis === null) throw new Error('Redis was not started');
      return redis;
    },
    get second() {
      if (second === null) throw new Error('the second node was not started');
      return second;
    },
  };
}

/** Whether a node says of itself that it and its broker serve, or that its broker is away. */
export async function brokerOf({ url }: Installation): Promise<string> {
  const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5_000) });
  const { data } = (await response.json()) as { data: { status: string; broker?: string } };
  return data.broker ?? data.status;
}
