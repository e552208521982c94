import { randomBytes } from 'node:crypto';
import { createLogger } from '../../src/log.ts';
import { openBroker } from '../../src/realtime/broker.ts';
import { createTestDatabase } from '../database.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import { startTestApp, type TestApp } from '../test-app.ts';

/** Two nodes of one installation. */
export interface TwoNodes {
  readonly a: TestApp;
  readonly b: TestApp;
  readonly redis: TestRedis;
  close(): Promise<void>;
}

/** @param options.brokers whether the nodes have brokers: without them, a node's events don't reach the other node */
export async function startTwoNodes({
  brokers = true,
  brokerUrl,
}: {
  readonly brokers?: boolean;
  /** By default, a new Redis. */
  readonly brokerUrl?: string;
} = {}): Promise<TwoNodes> {
  const redis = await startRedis();
  const url = brokerUrl ?? redis.url;
  const { url: databaseUrl, drop } = await createTestDatabase();
  const keys = {
    codeKey: randomBytes(32),
    mediaKey: randomBytes(32),
    inviteKey: randomBytes(32),
  };
  const installationId = randomBytes(8).toString('hex');
  const log = createLogger('silent');
  const start = async () => {
    const broker = brokers ? await openBroker({ url, installationId, log }) : undefined;
    return startTestApp({ databaseUrl, ...keys, ...(broker && { broker }) });
  };
  const [a, b] = [await start(), await start()];
  return {
    a,
    b,
    redis,
    async close() {
      await a.close();
      await b.close();
      await redis.stop();
      await drop();
    },
  };
}
