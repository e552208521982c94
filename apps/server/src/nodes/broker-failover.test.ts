import { describe, expect, onTestFinished, test } from 'vitest';
import { buildConversation, buildReply, buildStaff } from '../../test/factories.ts';
import { skipWithoutRedis, startRedis, startSentinel } from '../../test/servers/redis.ts';
import { until } from '../../test/until.ts';
import { startTwoNodes } from '../../test/worlds/node-world.ts';

const portOf = ({ url }: { url: string }) => new URL(url).port;

async function startRedisPair() {
  const master = await startRedis();
  onTestFinished(master.stop);
  const replica = await startRedis(master);
  onTestFinished(replica.stop);
  return { master, replica };
}

/** Starts two nodes. Returns a function that checks that an event of one reaches the other through Redis. */
async function startNodes(brokerUrl: string) {
  const nodes = await startTwoNodes({ brokerUrl });
  onTestFinished(nodes.close);
  const staff = await buildStaff(nodes.a);
  const { id } = await buildConversation(nodes.a);
  const isUp = async (node: typeof nodes.a) => {
    const { text } = await node.anonymous.raw('GET', '/api/health');
    return (JSON.parse(text) as { data: { broker: string } }).data.broker === 'ok';
  };
  return async () => {
    for (const node of [nodes.a, nodes.b]) {
      await until('events travel', () => isUp(node));
    }
    const other = await nodes.b.connectSocket(staff.token);
    const { id: sent } = await buildReply(staff, id);
    await other.nextEvent('new_message', ({ message }) => message.id === sent);
    other.close();
  };
}

describe.skipIf(skipWithoutRedis())('when the master of several Redis servers dies', () => {
  test('nodes follow Sentinel to the next one', async () => {
    const { master, replica } = await startRedisPair();
    const sentinel = await startSentinel(master);
    onTestFinished(sentinel.stop);
    const eventsTravel = await startNodes(
      `redis+sentinel://127.0.0.1:1,127.0.0.1:${sentinel.port}/stagedoor`,
    );
    await eventsTravel();
    await master.kill();
    await eventsTravel();
    expect(await replica.contents()).toContain(':events');
  });

  test('nodes find the next one among the hosts that they know', async () => {
    const { master, replica } = await startRedisPair();
    const eventsTravel = await startNodes(
      `redis://127.0.0.1:${portOf(replica)},127.0.0.1:${portOf(master)}`,
    );
    await eventsTravel();
    await master.kill();
    await replica.promote();
    await eventsTravel();
  });
});
