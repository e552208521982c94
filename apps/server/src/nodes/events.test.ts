import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { claimConversation } from '@stagedoor/contract/inbox/conversations';
import { eraseFan } from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  type Staff,
  unique,
} from '../../test/factories.ts';
import { skipWithoutRedis } from '../../test/servers/redis.ts';
import { signInFan } from '../../test/worlds/fan-world.ts';
import { startTwoNodes, type TwoNodes } from '../../test/worlds/node-world.ts';

describe.skipIf(skipWithoutRedis())('two nodes', () => {
  let nodes: TwoNodes;
  let staff: Staff;
  beforeAll(async () => {
    nodes = await startTwoNodes();
    staff = await buildStaff(nodes.a);
  });
  afterAll(() => nodes?.close());

  test('a message sent on one node reaches the other’s staff and fan sockets immediately', async () => {
    const { a, b } = nodes;
    const fan = await signInFan(a);
    const [teammate, window] = [
      await b.connectSocket(staff.token),
      await b.connectFanSocket(fan.token),
    ];
    const sent = await buildReply(staff, fan.fan.conversation_id);
    const received = await teammate.nextEvent(
      'new_message',
      ({ message }) => message.id === sent.id,
    );
    expect(received.message).toMatchObject({ content: sent.content, seq: sent.seq });
    const shown = await window.nextEvent('new_message', ({ message }) => message.id === sent.id);
    expect(shown.message.content).toBe(sent.content);
  });

  test('a message over one node’s socket is confirmed there and emitted on both', async () => {
    const { a, b } = nodes;
    const { id, fan } = await buildConversation(a);
    const [own, other] = [await a.connectSocket(staff.token), await b.connectSocket(staff.token)];
    const tempId = unique('temp');
    own.socket.emit('send_message', { conversation_id: id, content: 'x', tempId });
    const { message } = await own.nextEvent('message_sent', (sent) => sent.tempId === tempId);
    for (const socket of [own, other]) {
      await socket.nextEvent('new_message', (event) => event.message.id === message.id);
    }
    await buildFanMessage(b, fan);
    await own.nextEvent('new_message', (event) => event.message.seq === message.seq + 1);
  });

  test('presence on one node appears on the other, and new sockets there receive it in time', async () => {
    const { a, b } = nodes;
    const { id } = await buildConversation(a);
    const [here, there] = [await a.connectSocket(staff.token), await b.connectSocket(staff.token)];
    here.socket.emit('join_conversation', { conversation_id: id });
    const isThere = ({ seats }: { seats: readonly { conversation_id: string | null }[] }) =>
      seats.some(({ conversation_id }) => conversation_id === id);
    await there.nextEvent('presence', isThere);
    const newcomer = await b.connectSocket(staff.token);
    await expect.poll(() => newcomer.received('presence').some(isThere)).toBe(true);
    here.socket.disconnect();
    await there.nextEvent('presence', ({ seats }) =>
      seats.some(({ conversation_id }) => conversation_id === null),
    );
  });

  test('all other events reach the other node too', async () => {
    const { a, b } = nodes;
    const socket = await b.connectSocket(staff.token);
    const fan = await signInFan(a);
    const window = await b.connectFanSocket(fan.token);
    const { body } = await a
      .staff(staff.token)
      .call(createGlobalTag, { body: { label: unique('tag'), color: '#112233' } });
    await socket.nextEvent('global_tag_updated', ({ tag }) => tag.id === body.data.id);
    await a.platform.call(eraseFan, { params: { fan: fan.fan.external_id } });
    await window.closed;
    await socket.nextEvent(
      'conversation_removed',
      (event) => event.conversation_id === fan.fan.conversation_id,
    );
  });

  test('if two admins claim on two nodes at once, one succeeds, and the other gets the claimant', async () => {
    const { a, b } = nodes;
    const { id } = await buildConversation(a);
    const rivals = [await buildStaff(a), await buildStaff(a)] as const;
    const watching = await b.connectSocket(staff.token);
    const replies = await Promise.all(
      rivals.map(({ token }, index) =>
        (index === 0 ? a : b).staff(token).raw('POST', claimConversation.path.replace('{id}', id)),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const winner = rivals[replies[0]?.status === 200 ? 0 : 1].admin;
    const lost = JSON.parse(replies.find(({ status }) => status === 409)?.text ?? '');
    expect(lost).toMatchObject({ code: 'already_claimed', claimant: { id: winner.id } });
    const received = await watching.nextEvent(
      'conversation_updated',
      (event) => event.conversation.id === id,
    );
    expect(received.conversation.claimed_by).toBe(winner.id);
  });

  test('the data in Redis contains no tokens', async () => {
    const { a, b, redis } = nodes;
    const fan = await signInFan(a);
    await b.connectFanSocket(fan.token);
    await b.connectSocket(staff.token);
    await buildReply(staff, fan.fan.conversation_id, { content: 'canary' });
    const contents = await redis.contents();
    expect(contents).toContain('canary');
    for (const secret of [fan.token, staff.token]) expect(contents).not.toContain(secret);
  });
});

test.skipIf(skipWithoutRedis())(
  'nodes without a broker do not receive each other’s events',
  async () => {
    const nodes = await startTwoNodes({ brokers: false });
    // Otherwise the other node would emit a slow node's events, because they are overdue.
    await sql`alter table outbox alter column created_at set default now() + interval '1 hour'`.execute(
      nodes.a.db.kysely,
    );
    const staff = await buildStaff(nodes.a);
    const { id } = await buildConversation(nodes.a);
    const [here, there] = [
      await nodes.a.connectSocket(staff.token),
      await nodes.b.connectSocket(staff.token),
    ];
    const sent = await buildReply(staff, id);
    await here.nextEvent('new_message', ({ message }) => message.id === sent.id);
    // This later event, emitted to everyone, shows that no earlier one is on its way.
    await nodes.b.platform.call(eraseFan, {
      params: { fan: (await buildConversation(nodes.b)).fan.external_id },
    });
    await there.nextEvent('conversation_removed');
    expect(there.received('new_message').some(({ message }) => message.id === sent.id)).toBe(false);
    await nodes.close();
  },
);
