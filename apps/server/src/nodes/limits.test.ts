import { verifyOtp } from '@stagedoor/contract/team/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipWithoutRedis } from '../../test/servers/redis.ts';
import type { TestApp } from '../../test/test-app.ts';
import { startTwoNodes, type TwoNodes } from '../../test/worlds/node-world.ts';

/** Attempts allowed per address and minute. */
const ALLOWED = 60;

describe.skipIf(skipWithoutRedis())('two nodes', () => {
  let nodes: TwoNodes;
  beforeAll(async () => {
    nodes = await startTwoNodes();
  });
  afterAll(() => nodes?.close());

  const attempt = (node: TestApp) =>
    node.anonymous.raw('POST', verifyOtp.path, {
      body: { email: 'nobody@staff.example', code: '000000' },
    });
  const attempts = async (node: TestApp, count: number) => {
    const replies = await Promise.all(Array.from({ length: count }, () => attempt(node)));
    return replies.map(({ status }) => status).toSorted((a, b) => a - b);
  };

  test('count an address’s calls together, and separately while Redis is down', async () => {
    const { a, b, redis } = nodes;
    const [onA, onB] = [40, ALLOWED - 40];
    expect(await attempts(a, onA)).toEqual(Array.from({ length: onA }, () => 401));
    expect(await attempts(b, onB)).toEqual(Array.from({ length: onB }, () => 401));
    for (const node of [a, b]) {
      const refused = await attempt(node);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(JSON.parse(refused.text)).toMatchObject({ code: 'rate_limited' });
    }
    await redis.kill();
    // This node has counted the first 40 and the one that was refused.
    const left = ALLOWED - onA - 1;
    expect(await attempts(a, left + 1)).toEqual([...Array.from({ length: left }, () => 401), 429]);
    expect((await attempt(a)).headers.get('retry-after')).not.toBeNull();
  });
});
