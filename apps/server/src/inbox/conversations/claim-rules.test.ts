import {
  assignConversation,
  claimConversation,
  getConversation,
} from '@stagedoor/contract/inbox/conversations';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import type { TeamSettings } from '@stagedoor/contract/team/settings';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  changeSettings,
} from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';

const app = await sharedApp();
const second = await sharedApp({ databaseUrl: app.databaseUrl });
const manager = await buildStaff(app, { role: 'manager' });
const staff = await buildStaff(app);
const witness = await app.connectSocket(staff.token);

const rule = (change: Partial<TeamSettings>) => changeSettings(manager, change);
afterEach(() =>
  rule({
    claim_on_first_reply: false,
    release_claims_after_hours: null,
    reopen_on_fan_message: false,
  }),
);

const conversation = async (id: string) =>
  (await staff.client.call(getConversation, { params: { id } })).body.data;
const auditOf = (id: string) =>
  app.db.kysely.selectFrom('audit_log').selectAll().where('target_id', '=', id).execute();
/** Returns every emitted version of a conversation. */
const versionsOf = (id: string) =>
  witness.everything().flatMap(({ payload }) => {
    const received = payload as {
      conversation_id?: string;
      version?: number;
      conversation?: { id: string; version: number };
    };
    if (received.conversation_id === id && received.version !== undefined)
      return [received.version];
    return received.conversation?.id === id ? [received.conversation.version] : [];
  });

test('by default, a reply doesn’t claim the conversation', async () => {
  const { id } = await buildConversation(app);
  await buildReply(staff, id);
  expect((await conversation(id)).claimed_by).toBeNull();
});

test('with claim on first reply, a reply claims immediately, is emitted to all and takes no teammate’s claim', async () => {
  await rule({ claim_on_first_reply: true });
  const { id } = await buildConversation(app);
  const { version } = await conversation(id);
  const message = await buildReply(staff, id);
  expect(await conversation(id)).toMatchObject({
    claimed_by: staff.admin.id,
    claimant: { codename: staff.admin.codename },
    // Read, replied to, claimed.
    version: version + 3,
  });
  const received = await witness.nextEvent(
    'conversation_updated',
    (event) => event.conversation.id === id && event.conversation.version > version,
  );
  expect(received.conversation).toMatchObject({ claimed_by: staff.admin.id, version: version + 3 });
  const sent = await witness.nextEvent('new_message', (event) => event.message.id === message.id);
  expect(sent.version).toBe(version + 2);
  expect(versionsOf(id).slice(-3)).toEqual([version + 1, version + 2, version + 3]);

  await buildReply(await buildStaff(app), id);
  expect((await conversation(id)).claimed_by).toBe(staff.admin.id);
});

test('of simultaneous first replies by teammates, one claims, and all are stored', async () => {
  await rule({ claim_on_first_reply: true });
  const { id } = await buildConversation(app);
  const team = await Promise.all(Array.from({ length: 6 }, () => buildStaff(app)));
  await Promise.all(
    team.map((one, index) =>
      buildReply({ client: (index % 2 ? second : app).staff(one.token) }, id),
    ),
  );
  const { claimed_by, last_seq } = await conversation(id);
  expect(team.map(({ admin }) => admin.id)).toContain(claimed_by);
  expect(last_seq).toBe(7);
});

test('an inactive claim is released once, emitted to all, and audited without an actor', async () => {
  const { id } = await buildConversation(app);
  await staff.client.call(claimConversation, { params: { id } });
  const fresh = await buildConversation(app);
  await staff.client.call(claimConversation, { params: { id: fresh.id } });
  const { version } = await conversation(id);
  await sql`update conversations set claim_active_at = now() - interval '3 hours' where id = ${id}`.execute(
    app.db.kysely,
  );
  // Either server may release it. Without a broker, only that server's sockets get the event.
  const other = await second.connectSocket(staff.token);
  await rule({ release_claims_after_hours: 2 });
  const received = await until('the claim was released', () =>
    [witness, other]
      .flatMap((socket) => socket.received('conversation_updated'))
      .find((event) => event.conversation.id === id && event.conversation.version > version),
  );
  other.close();
  expect(received.conversation).toMatchObject({ claimant: null, version: version + 1 });
  expect(await auditOf(id)).toMatchObject([
    {
      admin_id: null,
      action: 'conversation.release_expired',
      details: { claimed_by: staff.admin.id, hours: 2 },
    },
  ]);
  expect((await conversation(fresh.id)).claimed_by).toBe(staff.admin.id);
});

test('a reply by the claimant restarts the claim’s time', async () => {
  const { id } = await buildConversation(app);
  await staff.client.call(claimConversation, { params: { id } });
  const age = async () => {
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from now() - claim_active_at)::float8 / 3600 as hours from conversations where id = ${id}`.execute(
      app.db.kysely,
    );
    return rows[0]?.hours;
  };
  const grow = sql`update conversations set claim_active_at = now() - interval '1 hour' where id = ${id}`;
  await grow.execute(app.db.kysely);
  await buildReply(manager, id);
  expect(await age()).toBeGreaterThan(0.9);
  await buildReply(staff, id);
  expect(await age()).toBeLessThan(0.9);
});

test.each([
  [false, 'archived'],
  [true, 'active'],
] as const)(
  'with reopening %s, a fan’s message leaves an archived conversation %s',
  async (reopen_on_fan_message, status) => {
    await rule({ reopen_on_fan_message });
    const { id, fan } = await buildConversation(app, { status: 'archived' });
    const flagged = await buildConversation(app, { status: 'flagged' });
    const message = await buildFanMessage(app, fan);
    await buildFanMessage(app, flagged.fan);
    const received = await witness.nextEvent(
      'new_message',
      (event) => event.message.id === message.id,
    );
    expect(received.conversation.status).toBe(status);
    expect((await conversation(id)).status).toBe(status);
    expect((await conversation(flagged.id)).status).toBe('flagged');
  },
);

test('an admin who can manage admins can take over a teammate’s claim, which is audited', async () => {
  const { id } = await buildConversation(app, { claimedBy: staff.admin });
  const { body } = await manager.client.call(claimConversation, {
    params: { id },
    body: { take_over_from: staff.admin.id },
  });
  expect(body.data.claimed_by).toBe(manager.admin.id);
  await witness.nextEvent(
    'conversation_updated',
    (event) => event.conversation.id === id && event.conversation.claimed_by === manager.admin.id,
  );
  expect(await auditOf(id)).toMatchObject([
    {
      admin_id: manager.admin.id,
      action: 'conversation.take_over',
      details: { claimed_by: staff.admin.id },
    },
  ]);
});

test('a claim is taken over only from the named teammate, not from someone who claimed it since', async () => {
  const other = await buildStaff(app);
  const { id } = await buildConversation(app, { claimedBy: other.admin });
  const body = { take_over_from: staff.admin.id };
  const refused = await manager.client.refused(claimConversation, { params: { id }, body });
  expect(refused).toMatchObject({ status: 409, code: 'already_claimed' });
  expect(await auditOf(id)).toEqual([]);
});

test('no other admin can take over a claim', async () => {
  const { client } = await buildStaff(app, { role: 'moderator' });
  const { id } = await buildConversation(app, { claimedBy: staff.admin });
  const body = { take_over_from: staff.admin.id };
  const refused = await client.refused(claimConversation, { params: { id }, body });
  expect(refused).toMatchObject({ status: 403, code: 'permission_required' });
  expect((await conversation(id)).claimed_by).toBe(staff.admin.id);
});

test('staff can assign unclaimed conversations and their own; it is live and audited', async () => {
  const other = await buildStaff(app);
  const { id } = await buildConversation(app);
  const assign = (admin_id: string | null, by = staff) =>
    by.client.call(assignConversation, { params: { id }, body: { admin_id } });
  expect((await assign(other.admin.id)).body.data.claimed_by).toBe(other.admin.id);
  await witness.nextEvent(
    'conversation_updated',
    (event) => event.conversation.id === id && event.conversation.claimed_by === other.admin.id,
  );
  expect(await auditOf(id)).toMatchObject([
    { admin_id: staff.admin.id, action: 'conversation.assign', details: { to_id: other.admin.id } },
  ]);
  expect((await assign(staff.admin.id, other)).body.data.claimed_by).toBe(staff.admin.id);
  expect((await assign(null)).body.data.claimed_by).toBeNull();
});

test('only managers can assign a conversation that a teammate has claimed', async () => {
  const other = await buildStaff(app);
  const { id } = await buildConversation(app, { claimedBy: other.admin });
  const request = { params: { id }, body: { admin_id: staff.admin.id } };
  const refused = await staff.client.refused(assignConversation, request);
  expect(refused).toMatchObject({ status: 409, code: 'already_claimed' });
  const { body } = await manager.client.call(assignConversation, request);
  expect(body.data.claimed_by).toBe(staff.admin.id);
});

test('nothing is assigned to removed, unknown or read-only admins', async () => {
  const reader = await buildStaff(app, { can_manage_messages: false });
  const removed = await buildStaff(app);
  await manager.client.call(removeAdmin, { params: { id: removed.admin.id } });
  const { id } = await buildConversation(app);
  for (const admin_id of [reader.admin.id, removed.admin.id, 'nobody']) {
    const refused = await manager.client.refused(assignConversation, {
      params: { id },
      body: { admin_id },
    });
    expect(refused).toMatchObject({ status: 404, code: 'admin_not_found' });
  }
  expect((await conversation(id)).claimed_by).toBeNull();
});

test('a concurrent reply by an admin being removed doesn’t leave them with a claim', async () => {
  await rule({ claim_on_first_reply: true });
  const leaving = await buildStaff(app);
  const built = await Promise.all(Array.from({ length: 6 }, () => buildConversation(app)));
  await Promise.all([
    ...built.map(({ id }) => buildReply(leaving, id).catch(() => undefined)),
    manager.client.call(removeAdmin, { params: { id: leaving.admin.id } }),
  ]);
  for (const { id } of built) expect((await conversation(id)).claimed_by).toBeNull();
});
