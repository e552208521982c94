import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { endFanSession } from '@stagedoor/contract/platform/fan-app';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { currentAdmin, requestOtp, signOut, verifyOtp } from '@stagedoor/contract/team/auth';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  buildAdmin,
  buildConversation,
  buildReply,
  buildStaff,
  type Staff,
  unique,
} from '../../test/factories.ts';
import { skipWithoutRedis } from '../../test/servers/redis.ts';
import type { TestApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { signInFan } from '../../test/worlds/fan-world.ts';
import { startTwoNodes, type TwoNodes } from '../../test/worlds/node-world.ts';

const brokerOf = async (node: TestApp) => {
  const { text } = await node.anonymous.raw('GET', '/api/health');
  return (JSON.parse(text) as { data: { status: string; broker: string } }).data;
};

describe.skipIf(skipWithoutRedis())('while Redis is away', () => {
  let nodes: TwoNodes;
  let manager: Staff;
  let staff: Staff;
  const both = () => [nodes.a, nodes.b];
  const healthOf = async (state: string) => {
    for (const node of both()) {
      await until(`the broker is ${state}`, async () => (await brokerOf(node)).broker === state);
    }
  };
  beforeAll(async () => {
    nodes = await startTwoNodes();
    manager = await buildStaff(nodes.a, { role: 'manager' });
    staff = await buildStaff(nodes.a);
  });
  afterEach(async () => {
    nodes.redis.thaw();
    await nodes.redis.kill();
    await nodes.redis.start();
    await healthOf('ok');
  });
  afterAll(() => nodes?.close());

  test('messages are confirmed, a node’s own sockets get events immediately, and the other’s through the database', async () => {
    const { a, b, redis } = nodes;
    const fan = await signInFan(a);
    const id = fan.fan.conversation_id;
    const [own, other] = [await a.connectSocket(staff.token), await b.connectSocket(staff.token)];
    const window = await b.connectFanSocket(fan.token);
    await redis.kill();
    const tempId = unique('temp');
    own.socket.emit('send_message', { conversation_id: id, content: 'x', tempId });
    const { message } = await own.nextEvent('message_sent', (sent) => sent.tempId === tempId);
    for (const socket of [own, other]) {
      await socket.nextEvent('new_message', (event) => event.message.id === message.id);
    }
    await window.nextEvent('new_message', (event) => event.message.id === message.id);
    await healthOf('away');
    expect((await brokerOf(a)).status).toBe('ok');
  });

  test('the same applies if Redis only stops answering', async () => {
    const { a, b, redis } = nodes;
    const { id } = await buildConversation(a);
    const [own, other] = [await a.connectSocket(staff.token), await b.connectSocket(staff.token)];
    redis.freeze();
    const sent = await buildReply(staff, id);
    for (const socket of [own, other]) {
      await socket.nextEvent('new_message', ({ message }) => message.id === sent.id);
    }
    await healthOf('away');
    redis.thaw();
    await healthOf('ok');
  });

  test('a removed admin is disconnected on every node immediately', async () => {
    const { a, b, redis } = nodes;
    const leaving = await buildStaff(a);
    const sockets = [await a.connectSocket(leaving.token), await b.connectSocket(leaving.token)];
    await redis.kill();
    await manager.client.call(removeAdmin, { params: { id: leaving.admin.id } });
    await until('sockets closed', () => sockets.every((s) => !s.socket.connected), 10_000);
    for (const node of both()) {
      expect((await node.staff(leaving.token).raw('GET', currentAdmin.path)).status).toBe(401);
      await node.refusedHandshake(leaving.token);
    }
  });

  test('after signing out, staff and fans are disconnected on every node immediately', async () => {
    const { a, b, redis } = nodes;
    const leaving = await buildStaff(a);
    const fan = await signInFan(a);
    const sockets = [await b.connectSocket(leaving.token), await b.connectFanSocket(fan.token)];
    const kept = await b.connectFanSocket((await signInFan(a)).token);
    await redis.kill();
    await leaving.client.call(signOut);
    await fan.client.call(endFanSession);
    await until('sockets closed', () => sockets.every((s) => !s.socket.connected));
    expect(kept.socket.connected).toBe(true);
  });

  test('a code still allows only five tries across all nodes', async () => {
    const { a, b, redis } = nodes;
    const { email } = await buildAdmin(a);
    await redis.kill();
    await a.anonymous.call(requestOtp, { body: { email } });
    await b.anonymous.refused(requestOtp, { body: { email } });
    const code = await a.smtp.codeFor(email, 0);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    for (const node of [a, b, a, b, a]) {
      await node.anonymous.refused(verifyOtp, { body: { email, code: wrong } });
    }
    await b.anonymous.refused(verifyOtp, { body: { email, code } });
  });

  test('once it is back, clients that may have missed events reconnect, and events reach all nodes again', async () => {
    const { a, b, redis } = nodes;
    const { id } = await buildConversation(a);
    const fan = await signInFan(a);
    const before = [
      await a.connectSocket(staff.token),
      await b.connectSocket(staff.token),
      await b.connectFanSocket(fan.token),
    ];
    await redis.kill();
    // Node b's clients may miss this event.
    await staff.client.call(createGlobalTag, { body: { label: unique('tag'), color: '#112233' } });
    const sent = await buildReply(staff, id);
    await healthOf('away');
    await redis.start();
    for (const socket of before) expect(await socket.closed).toBe('transport close');
    await healthOf('ok');
    const after = await b.connectSocket(staff.token);
    const next = await buildReply(staff, id);
    await after.nextEvent('new_message', ({ message }) => message.id === next.id);
    await until('no event is waiting', async () => {
      const waiting = await a.db.kysely.selectFrom('outbox').select('id').execute();
      return waiting.length === 0;
    });
    expect(next.seq).toBe(sent.seq + 1);
  });
});
