import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { nextConversation, snooze } from '@stagedoor/contract/inbox/queue';
import { createSegment } from '@stagedoor/contract/selling/segments';
import { afterEach, expect, test } from 'vitest';
import {
  type BuiltConversation,
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  type Staff,
} from '../../../test/factories.ts';
import { whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
// A fan waiting in one test would be next in another.
afterEach(() => app.db.kysely.deleteFrom('fans').execute());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Builds a conversation whose fan has been waiting for this many minutes. */
async function waitingFor(
  minutes: number,
  overrides: Parameters<typeof buildConversation>[1] = {},
): Promise<BuiltConversation> {
  const built = await buildConversation(app, overrides);
  await app.db.kysely
    .updateTable('conversations')
    .set({ waiting_since: new Date(Date.now() - minutes * MINUTE_MS) })
    .where('id', '=', built.id)
    .execute();
  return built;
}

async function subscribe({ fan }: BuiltConversation, status: 'trial' | 'subscribed', left: number) {
  const { id: fan_id } = await app.db.kysely
    .selectFrom('fans')
    .select('id')
    .where('external_id', '=', fan.external_id)
    .executeTakeFirstOrThrow();
  const ends_at = new Date(Date.now() + left);
  await app.db.kysely
    .insertInto('fan_benefits')
    .values({ fan_id, status, started_at: new Date(0), ends_at })
    .execute();
  return ends_at.toISOString();
}

const next = async ({ client }: Staff, skip: string[] = []) =>
  (await client.call(nextConversation, { body: { skip } })).body;
const nextId = async (staff: Staff, skip: string[] = []) => (await next(staff, skip)).data?.id;

test('the longest-waiting conversation is next, claimed for the caller and emitted to all', async () => {
  const staff = await buildStaff(app);
  const witness = await app.connectSocket(staff.token);
  await waitingFor(3);
  const longest = await waitingFor(14);
  const answer = await next(staff);
  expect(answer.data).toMatchObject({ id: longest.id, claimed_by: staff.admin.id });
  expect(answer.claimed).toBe(true);
  expect(answer.reasons).toEqual([{ kind: 'waiting', since: answer.data?.waiting_since }]);
  const { body } = await staff.client.call(getConversation, { params: longest });
  expect(body.data).toEqual(answer.data);
  const event = await witness.nextEvent(
    'conversation_updated',
    ({ conversation }) => conversation.id === longest.id && conversation.claimed_by !== null,
  );
  expect(event.conversation).toEqual(answer.data);
});

test('no conversation is next if none is waiting: answered, snoozed, archived, flagged and teammates’ conversations are skipped', async () => {
  const staff = await buildStaff(app);
  const teammate = await buildStaff(app);
  const answered = await waitingFor(5);
  await buildReply(teammate, answered.id);
  const snoozed = await waitingFor(5);
  await teammate.client.call(snooze, { params: snoozed, body: { until: null } });
  await waitingFor(5, { status: 'archived' });
  await waitingFor(5, { status: 'flagged' });
  await waitingFor(5, { claimedBy: teammate.admin });
  expect(await next(staff)).toEqual({ data: null, reasons: [], claimed: false });
});

test('simultaneous callers never get the same conversation', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => buildStaff(app)));
  const waiting = await Promise.all(Array.from({ length: 8 }, (_, index) => waitingFor(index + 1)));
  const given = (await Promise.all(all.map((staff) => nextId(staff)))).filter(
    (id) => id !== undefined,
  );
  expect(given.toSorted()).toEqual(waiting.map(({ id }) => id).toSorted());
});

test('the caller’s own conversation comes before slightly longer waits, and is not claimed again', async () => {
  const staff = await buildStaff(app);
  const own = await waitingFor(5, { claimedBy: staff.admin });
  const older = await waitingFor(200);
  const answer = await next(staff);
  expect(answer).toMatchObject({ data: { id: own.id }, claimed: false });
  expect(answer.reasons).toContainEqual({ kind: 'mine' });
  expect(await nextId(staff, [own.id])).toBe(older.id);
});

test('a trial that ends today comes first, with its reason', async () => {
  const staff = await buildStaff(app);
  await waitingFor(100);
  const trial = await waitingFor(5);
  const ends_at = await subscribe(trial, 'trial', DAY_MS / 2);
  const answer = await next(staff);
  expect(answer.data?.id).toBe(trial.id);
  expect(answer.reasons).toContainEqual({ kind: 'ends', status: 'trial', ends_at });
});

test.each([
  ['is over', -MINUTE_MS],
  ['ends in a week', 7 * DAY_MS],
])('a subscription that %s is not a reason', async (_when, left) => {
  const staff = await buildStaff(app);
  const subscribed = await waitingFor(5);
  await subscribe(subscribed, 'subscribed', left);
  const older = await waitingFor(6);
  expect(await nextId(staff)).toBe(older.id);
  expect((await next(staff, [older.id])).reasons.map(({ kind }) => kind)).toEqual(['waiting']);
});

test('skipped conversations are not returned, and invalid ids are ignored', async () => {
  const staff = await buildStaff(app);
  const only = await waitingFor(5);
  expect(await nextId(staff, [only.id, 'nothing'])).toBeUndefined();
  await buildFanMessage(app, only.fan);
  expect(await nextId(staff, ['nothing'])).toBe(only.id);
});

test('without message privileges, nothing is returned or claimed', async () => {
  const staff = await buildStaff(app, { can_manage_messages: false });
  const { id } = await waitingFor(5);
  const refusal = await staff.client.refused(nextConversation, { body: {} });
  expect(refusal).toMatchObject({ status: 403, code: 'message_privilege_required' });
  const { body } = await staff.client.call(getConversation, { params: { id } });
  expect(body.data.claimed_by).toBeNull();
});

test('within a segment, the longest-waiting of its fans is next', async () => {
  const [staff, manager] = [await buildStaff(app), await buildStaff(app, { role: 'manager' })];
  await waitingFor(30);
  const inside = await waitingFor(20, { fan: { first_name: 'Insider' } });
  const { client } = manager;
  const rule = { all: [{ field: 'name', op: 'contains', value: 'insider' }] } as const;
  const { id: segment } = (await client.call(createSegment, { body: { name: 'Insiders', rule } }))
    .body.data;
  const take = async (body: { segment: string; skip?: string[] }) =>
    (await staff.client.call(nextConversation, { body })).body.data?.id;
  expect(await take({ segment })).toBe(inside.id);
  expect(await take({ segment, skip: [inside.id] })).toBeUndefined();
  const refused = await staff.client.refused(nextConversation, { body: { segment: 'gone' } });
  expect(refused).toMatchObject({ status: 404, code: 'segment_not_found' });
});

test('a segment that takes too long to evaluate is refused instead of searched for the next fan', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  await waitingFor(5);
  const rule = { all: [{ field: 'name', op: 'contains', value: 'a' }] } as const;
  const { body } = await manager.client.call(createSegment, { body: { name: 'Slow', rule } });
  await whileLocked(app.databaseUrl, 'lock table fans', async () => {
    const refused = await manager.client.refused(nextConversation, {
      body: { segment: body.data.id },
    });
    expect(refused).toMatchObject({ status: 422, code: 'segment_too_slow' });
  });
});
