import {
  skipWithoutRedis,
  startRedis,
  type TestRedis,
} from '../../apps/server/test/servers/redis.ts';
import { killEmbedded } from '../lib/database.ts';
import {
  type Installation,
  type InstallationOptions,
  startInstallation,
} from '../lib/installation.ts';
import { temporaryServer } from '../lib/servers.ts';
import type { Between } from './fault.ts';
import { startRoundRobin } from './round-robin.ts';

/** A second node next to a run's installation, with the database, Redis and proxy that both use. */
export interface TwoNodes {
  /** Starts Redis and the database. @returns options for the first node; null if Redis is not available */
  installation(): Promise<Partial<InstallationOptions> | null>;
  /** Starts the second node and a round-robin proxy in front of both. */
  between(port: number): Promise<Between>;
  readonly redis: TestRedis;
  readonly second: Installation;
  /** Kills the database, which then restarts. */
  killDatabase(): Promise<void>;
}

/**
 * Prepares two nodes.
 * @param options.together whether the nodes share one Redis, as a working cluster must; if not, no event of a request reaches
 * a client, because one node takes the requests and the other the clients' WebSockets
 */
export function twoNodes({ together = true } = {}): TwoNodes {
  let redis: TestRedis | null = null;
  let second: Installation | null = null;
  let shared: InstallationOptions = {};
  let databaseFolder = '';

  return {
    async installation() {
      if (skipWithoutRedis()) return null;
      redis = await startRedis();
      const server = await temporaryServer();
      databaseFolder = server.data;
      shared = {
        databaseUrl: await server.database('stagedoor'),
        env: { REDIS_URL: redis.url },
      };
      return { ...shared, release: server.stop };
    },
    async between(port) {
      const other = together ? null : await startRedis();
      second = await startInstallation({
        ...shared,
        ...(other && { env: { REDIS_URL: other.url } }),
      });
      const proxy = await startRoundRobin([port, second.port], { split: !together });
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
    killDatabase: () => killEmbedded(databaseFolder),
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

/** Returns the broker's status from a node's health endpoint, or the node's own status if it has no broker. */
export async function brokerOf({ url }: Installation): Promise<string> {
  const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5_000) });
  const { data } = (await response.json()) as { data: { status: string; broker?: string } };
  return data.broker ?? data.status;
}
