import { randomUUID } from 'node:crypto';
import {
  claimConversation,
  getConversation,
  inboxStats,
} from '@stagedoor/contract/inbox/conversations';
import { saveDraft } from '@stagedoor/contract/messaging/drafts';
import {
  acceptHandover,
  getShift,
  HANDOVER_MAX,
  handOver,
  listHandovers,
  SHIFT_OFFERS_MAX,
} from '@stagedoor/contract/messaging/handovers';
import { eraseFan, recordPurchase } from '@stagedoor/contract/platform/platform';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildAdmin,
  buildConversation,
  buildStaff,
  type Staff,
  unique,
} from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { buildOffer, buildProduct } from '../../../test/worlds/catalogue.ts';
import { saleOf } from '../../../test/worlds/market.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });

const claimed = (staff: Staff) => buildConversation(app, { claimedBy: staff.admin });
const holderOf = async (id: string) =>
  (await manager.client.call(getConversation, { params: { id } })).body.data.claimed_by;
const bodyOf = (to: Staff | null, ids: readonly string[], more: object = {}) => ({
  client_id: unique('handover'),
  to: to?.admin.id ?? null,
  brief: '',
  items: ids.map((conversation_id) => ({ conversation_id, brief: '' })),
  ...more,
});
const openOf = async ({ client }: Staff) =>
  (await client.call(inboxStats)).body.data.open_handovers;

test('a shift lists the admin’s claims with their unpaid offers', async () => {
  const staff = await buildStaff(app);
  const [one, two] = [await claimed(staff), await claimed(staff)];
  await claimed(manager);
  const product = await buildProduct(manager, { title: 'Set 1' });
  const paid = await buildOffer(staff, one.id, [await buildProduct(manager)], 5);
  await app.platform.call(recordPurchase, { body: saleOf(one.fan, paid, 5) });
  const open = [];
  for (let n = 0; n <= SHIFT_OFFERS_MAX; n++)
    open.unshift(await buildOffer(staff, one.id, [product], 12.5));
  const { body } = await staff.client.call(getShift);
  expect(body.data.total).toBe(2);
  expect(body.data.items.map(({ conversation }) => conversation.id)).toEqual([one.id, two.id]);
  expect(body.data.items[0]?.unpaid_offers).toEqual(
    open.slice(0, SHIFT_OFFERS_MAX).map((message) => ({
      attachment_id: message.attachments[0]?.id,
      title: 'Set 1',
      price: 12.5,
      sent_at: message.created_at,
    })),
  );
  expect(body.data.items[1]?.unpaid_offers).toEqual([]);
});

test('claims go to a teammate with their notes, who is notified live and can accept', async () => {
  const [from, to] = [await buildStaff(app), await buildStaff(app)];
  const [one, two, kept] = [await claimed(from), await claimed(from), await claimed(from)];
  const [own, foreign] = [await app.connectSocket(to.token), await app.connectSocket(from.token)];
  const body = bodyOf(to, [], {
    brief: '  A quiet night ',
    items: [
      { conversation_id: two.id, brief: 'Wants a discount' },
      { conversation_id: one.id, brief: '' },
    ],
  });
  const made = await from.client.call(handOver, { body });
  expect(made.status).toBe(201);
  expect(made.body.data).toMatchObject({
    from: { id: from.admin.id },
    to: { id: to.admin.id },
    brief: 'A quiet night',
    accepted_at: null,
  });
  expect(made.body.data.items).toMatchObject([
    { conversation_id: two.id, brief: 'Wants a discount', fan: { first_name: 'Ana' } },
    { conversation_id: one.id, brief: '' },
  ]);
  await own.nextEvent('handovers_changed', (event) => event.admin_id === to.admin.id);
  for (const { id } of [one, two]) {
    const received = await own.nextEvent(
      'conversation_updated',
      ({ conversation }) => conversation.id === id,
    );
    expect(received.conversation.claimed_by).toBe(to.admin.id);
    expect(await holderOf(id)).toBe(to.admin.id);
  }
  expect(await holderOf(kept.id)).toBe(from.admin.id);
  expect(await openOf(to)).toBe(1);
  expect((await to.client.call(listHandovers)).body.data).toEqual([made.body.data]);
  expect((await from.client.call(listHandovers)).body.data).toEqual([]);

  const params = { id: made.body.data.id };
  const other = await from.client.refused(acceptHandover, { params });
  expect(other).toMatchObject({ status: 404, code: 'handover_not_found' });
  const accepted = (await to.client.call(acceptHandover, { params })).body.data;
  expect(accepted.accepted_at).not.toBeNull();
  expect((await to.client.call(acceptHandover, { params })).body.data).toEqual(accepted);
  expect(await openOf(to)).toBe(0);
  expect(foreign.received('handovers_changed')).toEqual([]);
});

test('each handed-over claim and the end of the shift are in the audit log', async () => {
  const [from, to] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await claimed(from);
  const made = await from.client.call(handOver, { body: bodyOf(to, [id]) });
  const logOf = async (target_id: string) =>
    (await manager.client.call(listAudit, { query: { target_id } })).body.data.map(
      ({ action, admin, details }) => ({ action, by: admin?.id, details }),
    );
  expect(await logOf(id)).toEqual([
    {
      action: 'conversation.hand_over',
      by: from.admin.id,
      details: { to: to.admin.id, handover_id: made.body.data.id },
    },
  ]);
  expect(await logOf(from.admin.id)).toEqual([
    {
      action: 'admin.end_shift',
      by: from.admin.id,
      details: { to: to.admin.id, conversations: 1 },
    },
  ]);
});

test('all claims can be released instead, without a handover event', async () => {
  const from = await buildStaff(app);
  const { id } = await claimed(from);
  const made = await from.client.call(handOver, { body: bodyOf(null, [id]) });
  expect(made.body.data.to).toBeNull();
  expect(await holderOf(id)).toBeNull();
});

test('a handover is all or nothing: if one claim is no longer the giver’s, nothing changes', async () => {
  const [from, to] = [await buildStaff(app), await buildStaff(app)];
  const [mine, theirs] = [await claimed(from), await claimed(manager)];
  const free = await buildConversation(app);
  for (const other of [theirs.id, free.id, randomUUID(), 'no id', mine.id]) {
    const refusal = await from.client.refused(handOver, { body: bodyOf(to, [mine.id, other]) });
    expect(refusal, other).toMatchObject({ status: 409, code: 'claims_changed' });
  }
  expect(await holderOf(mine.id)).toBe(from.admin.id);
  expect(await openOf(to)).toBe(0);
});

test('the recipient must be active, have message privileges and be another admin', async () => {
  const from = await buildStaff(app);
  const { id } = await claimed(from);
  const gone = await buildAdmin(app);
  await manager.client.call(removeAdmin, { params: gone });
  const silenced = await buildAdmin(app, { can_manage_messages: false });
  for (const to of [gone.id, silenced.id, from.admin.id, randomUUID(), 'nobody']) {
    const refusal = await from.client.refused(handOver, { body: bodyOf(null, [id], { to }) });
    expect(refusal, to).toMatchObject({ status: 409, code: 'colleague_unavailable' });
  }
  expect(await holderOf(id)).toBe(from.admin.id);
});

test('a retry returns the same handover, and its id is refused for another one', async () => {
  const [from, to] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await claimed(from);
  const body = bodyOf(to, [id], { brief: 'Once' });
  const replies = await Promise.all(
    Array.from({ length: 3 }, () => from.client.call(handOver, { body })),
  );
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
  expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
  expect(await openOf(to)).toBe(1);
  const refusal = await from.client.refused(handOver, { body: { ...body, brief: 'Twice' } });
  expect(refusal).toMatchObject({ status: 409, code: 'idempotency_conflict' });
});

test('a handover concurrent with the removal of its recipient leaves no claims with them', async () => {
  const from = await buildStaff(app);
  for (let round = 0; round < 5; round++) {
    const to = await buildStaff(app);
    const { id } = await claimed(from);
    await Promise.all([
      from.client.raw('POST', handOver.path, { body: bodyOf(to, [id]) }),
      manager.client.call(removeAdmin, { params: to.admin }),
    ]);
    expect([null, from.admin.id]).toContain(await holderOf(id));
  }
});

test('a handover concurrent with a claim leaves one holder', async () => {
  const [from, to, third] = [await buildStaff(app), await buildStaff(app), await buildStaff(app)];
  const { id } = await claimed(from);
  await Promise.all([
    from.client.call(handOver, { body: bodyOf(null, [id]) }),
    third.client.raw('POST', claimConversation.path.replace('{id}', id)),
  ]);
  expect([null, third.admin.id]).toContain(await holderOf(id));
  const refusal = await from.client.refused(handOver, { body: bodyOf(to, [id]) });
  expect(refusal.code).toBe('claims_changed');
});

test('one handover takes at most as many claims as a shift lists', async () => {
  const [from, to] = [await buildStaff(app), await buildStaff(app)];
  await sql`with fan as (insert into fans (external_id) select 'handed-' || n from generate_series(1, ${HANDOVER_MAX + 5}) as n returning id)
    insert into conversations (fan_id, creator_id, claimed_by) select fan.id, creators.id, ${from.admin.id}
    from fan, creators`.execute(app.db.kysely);
  const { data } = (await from.client.call(getShift)).body;
  expect(data.items).toHaveLength(HANDOVER_MAX);
  expect(data.total).toBe(HANDOVER_MAX + 5);
  const ids = data.items.map(({ conversation }) => conversation.id);
  const tooMany = await from.client.refused(handOver, { body: bodyOf(to, [...ids, randomUUID()]) });
  expect(tooMany.status).toBe(400);
  await from.client.call(handOver, { body: bodyOf(to, ids) });
  expect((await from.client.call(getShift)).body.data.total).toBe(5);
});

test('an erased fan is removed from handovers', async () => {
  const [from, to] = [await buildStaff(app), await buildStaff(app)];
  const [one, two] = [await claimed(from), await claimed(from)];
  await from.client.call(saveDraft, { params: one, body: { text: 'Half an answer' } });
  await from.client.call(handOver, { body: bodyOf(to, [one.id, two.id]) });
  await app.platform.call(eraseFan, { params: { fan: one.fan.external_id } });
  const [shown] = (await to.client.call(listHandovers)).body.data;
  expect(shown?.items.map(({ conversation_id }) => conversation_id)).toEqual([two.id]);
  const { rows } =
    await sql`select from handover_items where draft is not null and conversation_id = ${one.id}`.execute(
      app.db.kysely,
    );
  expect(rows).toEqual([]);
});

test('an event that was not emitted is emitted by the sweep', async () => {
  const staff = await buildStaff(app);
  const socket = await app.connectSocket(staff.token);
  await sql`insert into outbox (event, payload, created_at) values
    ('handovers_changed', ${JSON.stringify({ admin_id: staff.admin.id })}::jsonb, now() - interval '5 seconds')`.execute(
    app.db.kysely,
  );
  expect(await socket.nextEvent('handovers_changed')).toEqual({ admin_id: staff.admin.id });
  await until('the outbox is empty', async () => {
    const { rows } = await sql`select from outbox limit 1`.execute(app.db.kysely);
    return rows.length === 0;
  });
});
