import {
  type ConversationStatus,
  claimConversation,
  getConversation,
  releaseConversation,
  setStatus,
} from '@stagedoor/contract/inbox/conversations';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const witness = await app.connectSocket(staff.token);

const STATUSES: readonly ConversationStatus[] = ['active', 'archived', 'flagged'];
const TRANSITIONS = ['active archived', 'active flagged', 'archived active', 'flagged active'];

/** Returns the changes of a conversation that the witness socket received. */
const updatesOf = (id: string) =>
  witness
    .received('conversation_updated')
    .map((event) => event.conversation)
    .filter((conversation) => conversation.id === id && conversation.version > 2);

const auditOf = (targetId: string) =>
  app.db.kysely.selectFrom('audit_log').selectAll().where('target_id', '=', targetId).execute();

test('claiming an unclaimed conversation assigns it to the caller, shows the claimant and is emitted to all', async () => {
  const { id } = await buildConversation(app);
  const { admin, client } = await buildStaff(app);
  const { body } = await client.call(claimConversation, { params: { id } });
  const { id: adminId, codename, display_color } = admin;
  expect(body.data).toMatchObject({
    id,
    claimed_by: adminId,
    claimant: { id: adminId, codename, display_color },
  });
  const event = await witness.nextEvent(
    'conversation_updated',
    ({ conversation }) => conversation.id === id && conversation.claimed_by === adminId,
  );
  expect(event.conversation).toEqual(body.data);
});

test('of twenty admins who claim at once, one wins; the others get 409 with the claimant', async () => {
  const { id } = await buildConversation(app);
  const before = await staff.client.call(getConversation, { params: { id } });
  const all = await Promise.all(Array.from({ length: 20 }, () => buildStaff(app)));
  const replies = await Promise.all(
    all.map(({ client }) => client.raw('POST', `/api/messages/admin/conversation/${id}/claim`)),
  );
  const winners = all.filter((_, index) => replies[index]?.status === 200);
  expect(winners).toHaveLength(1);
  const { codename, display_color, id: winner } = winners[0]?.admin ?? {};
  for (const reply of replies.filter(({ status }) => status !== 200)) {
    expect(reply.status).toBe(409);
    expect(JSON.parse(reply.text)).toEqual({
      error: `${codename} has claimed this conversation`,
      code: 'already_claimed',
      claimant: { id: winner, codename, display_color },
    });
  }
  const after = await staff.client.call(getConversation, { params: { id } });
  expect(after.body.data.claimed_by).toBe(winner);
  expect(after.body.data.version).toBe(before.body.data.version + 1);
});

test('claiming your own conversation again changes nothing', async () => {
  const { id } = await buildConversation(app);
  const { client } = await buildStaff(app);
  const first = await client.call(claimConversation, { params: { id } });
  const second = await client.call(claimConversation, { params: { id } });
  expect(second.body).toEqual(first.body);
  expect(await auditOf(id)).toEqual([]);
});

test('after the claimant releases, anyone can claim', async () => {
  const { id } = await buildConversation(app);
  const [holder, next] = [await buildStaff(app), await buildStaff(app)];
  await holder.client.call(claimConversation, { params: { id } });
  const { body } = await holder.client.call(releaseConversation, { params: { id } });
  expect(body.data).toMatchObject({ claimed_by: null, claimant: null });
  await until('the release was emitted', () =>
    updatesOf(id).some((each) => each.claimed_by === null),
  );
  const claimed = await next.client.call(claimConversation, { params: { id } });
  expect(claimed.body.data.claimed_by).toBe(next.admin.id);
  expect(await auditOf(id)).toEqual([]);
});

test.each(['support', 'moderator'] as const)(
  'a %s can’t release a teammate’s claim',
  async (role) => {
    const holder = await buildStaff(app);
    const { id } = await buildConversation(app, { claimedBy: holder.admin });
    const { client } = await buildStaff(app, { role });
    const refusal = await client.refused(releaseConversation, { params: { id } });
    expect(refusal).toMatchObject({
      status: 403,
      code: 'not_claimant',
      error: 'Only the admin who claimed this conversation can release it',
    });
    const { body } = await client.call(getConversation, { params: { id } });
    expect(body.data.claimed_by).toBe(holder.admin.id);
    expect(updatesOf(id)).toEqual([]);
    expect(await auditOf(id)).toEqual([]);
  },
);

test.each(['manager', 'creator'] as const)(
  'a %s can release a teammate’s claim, and the audit log has both admins',
  async (role) => {
    const holder = await buildStaff(app);
    const { id } = await buildConversation(app, { claimedBy: holder.admin });
    const { admin, client } = await buildStaff(app, { role });
    const { body } = await client.call(releaseConversation, { params: { id } });
    expect(body.data.claimed_by).toBeNull();
    expect(await auditOf(id)).toMatchObject([
      {
        admin_id: admin.id,
        action: 'conversation.release_for_other',
        details: { claimed_by: holder.admin.id },
      },
    ]);
  },
);

test('of several managers who release one claim at once, one is audited', async () => {
  const holder = await buildStaff(app);
  const { id } = await buildConversation(app, { claimedBy: holder.admin });
  const managers = await Promise.all(
    Array.from({ length: 6 }, () => buildStaff(app, { role: 'manager' })),
  );
  await Promise.all(
    managers.map(({ client }) => client.call(releaseConversation, { params: { id } })),
  );
  expect(await auditOf(id)).toHaveLength(1);
});

test('releasing an unclaimed conversation changes nothing', async () => {
  const { id } = await buildConversation(app);
  const before = await staff.client.call(getConversation, { params: { id } });
  const { body } = await staff.client.call(releaseConversation, { params: { id } });
  expect(body).toEqual(before.body);
});

test('with many simultaneous claims and releases, each reply is correct and each change is emitted once', async () => {
  const { id } = await buildConversation(app);
  const before = await staff.client.call(getConversation, { params: { id } });
  const all = await Promise.all(Array.from({ length: 6 }, () => buildStaff(app)));
  let changes = 0;
  await Promise.all(
    all.map(async ({ client }) => {
      for (let round = 0; round < 5; round++) {
        const claimed = await client.raw('POST', `/api/messages/admin/conversation/${id}/claim`);
        expect([200, 409]).toContain(claimed.status);
        if (claimed.status === 409) continue;
        changes++;
        // Only the claimant releases, so this can't fail.
        await client.call(releaseConversation, { params: { id } });
        changes++;
      }
    }),
  );
  const after = await staff.client.call(getConversation, { params: { id } });
  expect(after.body.data.claimed_by).toBeNull();
  expect(after.body.data.version).toBe(before.body.data.version + changes);
  await until('every change was emitted', () => updatesOf(id).length >= changes);
});

for (const from of STATUSES) {
  for (const to of STATUSES) {
    const allowed = TRANSITIONS.includes(`${from} ${to}`);
    test(`a conversation that is ${from} ${allowed ? 'becomes' : 'can’t become'} ${to}`, async () => {
      const { id } = await buildConversation(app, { status: from });
      const call = { params: { id }, body: { status: to } };
      if (allowed) {
        const { body } = await staff.client.call(setStatus, call);
        expect(body.data.status).toBe(to);
        await witness.nextEvent(
          'conversation_updated',
          ({ conversation }) =>
            conversation.id === id && conversation.status === to && conversation.version > 2,
        );
      } else {
        const refusal = await staff.client.refused(setStatus, call);
        expect(refusal).toMatchObject({
          status: 409,
          code: 'invalid_transition',
          error: `A conversation that is ${from} can’t be changed to ${to}`,
        });
        expect(updatesOf(id)).toEqual([]);
      }
      const { body } = await staff.client.call(getConversation, { params: { id } });
      expect(body.data.status).toBe(allowed ? to : from);
    });
  }
}

test('of simultaneous calls to archive and flag, one wins', async () => {
  const { id } = await buildConversation(app);
  const replies = await Promise.all(
    (['archived', 'flagged', 'archived', 'flagged'] as const).map((status) =>
      staff.client.raw('PATCH', `/api/messages/admin/conversation/${id}/status`, {
        body: { status },
      }),
    ),
  );
  const statuses = replies.map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
});

test.each([{}, { status: 'deleted' }, { status: null }, { status: 'active', claimed_by: null }])(
  'the status %j is refused',
  async (body) => {
    const { id } = await buildConversation(app);
    const refusal = await staff.client.refused(setStatus, { params: { id }, body });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  },
);

test.each([claimConversation, releaseConversation, setStatus])(
  '$method $path answers an unknown conversation with 404, and needs message privileges',
  async (endpoint) => {
    const body = endpoint === setStatus ? { status: 'archived' } : undefined;
    for (const id of ['nonsense', crypto.randomUUID()]) {
      const refusal = await staff.client.refused(endpoint, { params: { id }, body });
      expect(refusal).toMatchObject({ status: 404, code: 'conversation_not_found' });
    }
    const { id } = await buildConversation(app);
    const reader = await buildStaff(app, { role: 'creator', can_manage_messages: false });
    const refusal = await reader.client.refused(endpoint, { params: { id }, body });
    expect(refusal).toMatchObject({ status: 403, code: 'message_privilege_required' });
  },
);

test('the outbox emits a change whose node died before emitting it, in its current state', async () => {
  const { id } = await buildConversation(app, { status: 'flagged' });
  await app.db.kysely
    .insertInto('outbox')
    .values({
      event: 'conversation_updated',
      payload: JSON.stringify({ conversation_id: id }),
      created_at: new Date(Date.now() - 5_000),
    })
    .execute();
  const { conversation } = await witness.nextEvent(
    'conversation_updated',
    (event) => event.conversation.id === id && event.conversation.status === 'flagged',
  );
  const { body } = await staff.client.call(getConversation, { params: { id } });
  expect(conversation).toEqual(body.data);
});

test('emitted events leave the outbox', async () => {
  const { id } = await buildConversation(app);
  await staff.client.call(claimConversation, { params: { id } });
  await until('the outbox is empty', async () => {
    const rows = await app.db.kysely.selectFrom('outbox').select('id').execute();
    return rows.length === 0;
  });
});

test('the audit log can’t be changed', async () => {
  const holder = await buildStaff(app);
  const { id } = await buildConversation(app, { claimedBy: holder.admin });
  const { client } = await buildStaff(app, { role: 'manager' });
  await client.call(releaseConversation, { params: { id } });
  await expect(
    app.db.kysely.deleteFrom('audit_log').where('target_id', '=', id).execute(),
  ).rejects.toThrow('the audit log is only ever added to');
  await expect(
    app.db.kysely
      .updateTable('audit_log')
      .set({ action: 'nothing' })
      .where('target_id', '=', id)
      .execute(),
  ).rejects.toThrow('the audit log is only ever added to');
  expect(await auditOf(id)).toHaveLength(1);
});

test('a conversation has the admin who wrote last; null once the fan has written', async () => {
  const staff = await buildStaff(app);
  const { id, fan } = await buildConversation(app);
  const lastBy = async () =>
    (await staff.client.call(getConversation, { params: { id } })).body.data.last_message_by;
  expect(await lastBy()).toBeNull();
  const socket = await app.connectSocket(staff.token);
  const reply = await buildReply(staff, id);
  const event = await socket.nextEvent('new_message', ({ message }) => message.id === reply.id);
  expect(event.conversation.last_message_by).toBe(staff.admin.id);
  expect(await lastBy()).toBe(staff.admin.id);
  await buildFanMessage(app, fan);
  expect(await lastBy()).toBeNull();
});
