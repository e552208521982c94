import { claimConversation } from '@stagedoor/contract/inbox/conversations';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { listAudit } from '@stagedoor/contract/team/audit';
import * as api from '@stagedoor/contract/team/shifts';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import {
  buildConversation,
  buildStaff,
  changeSettings,
  type Staff,
} from '../../../test/factories.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const boss = await buildStaff(app, { role: 'manager' });

afterEach(async () => {
  await setRules({ access_only_on_shift: false, clock_idle_minutes: 30, time_zone: 'UTC' });
});

const setRules = (rules: Parameters<typeof changeSettings>[1]) => changeSettings(boss, rules);

const plan = (of: Staff, starts_at: string, ends_at: string, more: object = {}) =>
  boss.client.call(api.createShift, {
    body: { admin_id: of.admin.id, starts_at, ends_at, ...more },
  });
const planned = async (of: Staff, from: string, to: string, client = boss.client) =>
  (await client.call(api.listShifts, { query: { from, to } })).body.data.filter(
    ({ admin_id }) => admin_id === of.admin.id,
  );
const fromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const now = async ({ client }: Staff) => (await client.call(api.shiftNow)).body.data;

test('every admin sees the plan, and the notes of their own shifts; managers see all notes', async () => {
  const [mango, kiwi] = [await buildStaff(app), await buildStaff(app)];
  const { body } = await plan(mango, '2027-01-04T09:00:00Z', '2027-01-04T17:00:00Z', {
    note: 'Train Kiwi',
  });
  const shift = {
    id: expect.any(String),
    admin_id: mango.admin.id,
    starts_at: '2027-01-04T09:00:00.000Z',
    ends_at: '2027-01-04T17:00:00.000Z',
    note: 'Train Kiwi',
    series_id: null,
  };
  expect(body).toEqual({ data: shift, count: 1 });
  const day = ['2027-01-04T16:59:00Z', '2027-01-05T00:00:00Z'] as const;
  expect(await planned(mango, ...day)).toEqual([shift]);
  expect(await planned(mango, ...day, mango.client)).toEqual([shift]);
  expect(await planned(mango, ...day, kiwi.client)).toEqual([{ ...shift, note: '' }]);
  expect(await planned(mango, '2027-01-04T17:00:00Z', '2027-01-05T00:00:00Z')).toEqual([]);
});

test('a pattern keeps its time of day across the change of clocks, and skips excluded days', async () => {
  await setRules({ time_zone: 'Europe/Berlin' });
  const mango = await buildStaff(app);
  const { body } = await plan(mango, '2027-03-22T08:00:00Z', '2027-03-22T16:00:00Z', {
    repeat: { rule: 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=5', except: ['2027-03-24'] },
  });
  expect(body.count).toBe(4);
  const listed = await planned(mango, '2027-03-20T00:00:00Z', '2027-04-20T00:00:00Z');
  expect(listed.map(({ starts_at, ends_at }) => [starts_at, ends_at])).toEqual([
    ['2027-03-22T08:00:00.000Z', '2027-03-22T16:00:00.000Z'],
    ['2027-03-29T07:00:00.000Z', '2027-03-29T15:00:00.000Z'],
    ['2027-03-31T07:00:00.000Z', '2027-03-31T15:00:00.000Z'],
    ['2027-04-05T07:00:00.000Z', '2027-04-05T15:00:00.000Z'],
  ]);

  const [, second, third] = listed;
  await boss.client.call(api.updateShift, {
    params: { id: second?.id ?? '' },
    body: { ends_at: '2027-03-29T14:00:00Z', scope: 'following' },
  });
  const { body: deleted } = await boss.client.call(api.deleteShift, {
    params: { id: third?.id ?? '' },
    query: { scope: 'this' },
  });
  expect(deleted.data).toEqual({ deleted: 1 });
  // Moving from 9:00 to 10:00 in winter also moves from 9:00 to 10:00 in summer.
  await boss.client.call(api.updateShift, {
    params: { id: listed[0]?.id ?? '' },
    body: { starts_at: '2027-03-22T09:00:00Z', scope: 'all' },
  });
  const changed = await planned(mango, '2027-03-20T00:00:00Z', '2027-04-20T00:00:00Z');
  expect(changed.map(({ starts_at, ends_at }) => [starts_at, ends_at])).toEqual([
    ['2027-03-22T09:00:00.000Z', '2027-03-22T16:00:00.000Z'],
    ['2027-03-29T08:00:00.000Z', '2027-03-29T14:00:00.000Z'],
    ['2027-04-05T08:00:00.000Z', '2027-04-05T14:00:00.000Z'],
  ]);
});

test('shifts of one admin never overlap, even when they are planned at the same time', async () => {
  const [mango, kiwi] = [await buildStaff(app), await buildStaff(app)];
  const bodies = [0, 1, 2, 3].map((hour) => ({
    admin_id: mango.admin.id,
    starts_at: `2027-02-01T0${hour}:00:00Z`,
    ends_at: '2027-02-01T08:00:00Z',
  }));
  const replies = await Promise.all(
    bodies.map((body) => boss.client.raw('POST', api.createShift.path, { body })),
  );
  const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([201, 409, 409, 409]);
  const refused = replies.find(({ status }) => status === 409);
  expect(JSON.parse(refused?.text ?? '')).toMatchObject({
    code: 'shift_conflict',
    fields: { starts_at: expect.any(String) },
  });

  // Adjacent shifts don't overlap, and shifts of other admins don't count.
  const { body: next } = await plan(mango, '2027-02-01T08:00:00Z', '2027-02-01T12:00:00Z');
  await plan(kiwi, '2027-02-01T00:00:00Z', '2027-02-01T08:00:00Z');
  const moved = { params: { id: next.data.id }, body: { starts_at: '2027-02-01T07:30:00Z' } };
  const conflict = { status: 409, code: 'shift_conflict' };
  expect(await boss.client.refused(api.updateShift, moved)).toMatchObject(conflict);
  // One overlap refuses a whole pattern.
  const pattern = {
    admin_id: mango.admin.id,
    starts_at: '2027-01-25T05:00:00Z',
    ends_at: '2027-01-25T06:00:00Z',
    repeat: { rule: 'FREQ=DAILY;COUNT=10' },
  };
  expect(await boss.client.refused(api.createShift, { body: pattern })).toMatchObject(conflict);
  expect(await planned(mango, '2027-01-24T00:00:00Z', '2027-02-03T00:00:00Z')).toHaveLength(2);
});

test.each([
  ['FREQ=WEEKLY;BYDAY=MO', 'endless'],
  ['FREQ=MONTHLY;COUNT=3', 'monthly'],
  ['FREQ=DAILY;COUNT=401', 'too many'],
  ['FREQ=DAILY;BYHOUR=9,10;COUNT=3', 'by the hour'],
  ['FREQ=WEEKLY;COUNT=nonsense', 'not a rule'],
])('the pattern %s is refused: %s', async (rule) => {
  const mango = await buildStaff(app);
  const body = {
    admin_id: mango.admin.id,
    starts_at: '2027-01-04T09:00:00Z',
    ends_at: '2027-01-04T17:00:00Z',
    repeat: { rule },
  };
  const refusal = await boss.client.refused(api.createShift, { body });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(Object.keys(refusal.fields)).toEqual(['repeat.rule']);
  expect(await planned(mango, '2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z')).toEqual([]);
});

test('an admin has at most one running clock, even with simultaneous calls', async () => {
  const mango = await buildStaff(app);
  const replies = await Promise.all(
    [1, 2, 3].map(() => mango.client.raw('POST', api.clockIn.path)),
  );
  const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([201, 409, 409]);
  expect(await mango.client.refused(api.clockIn)).toMatchObject({ code: 'already_clocked_in' });
  const { body } = await mango.client.call(api.clockOut);
  expect(body.data).toMatchObject({ ended_at: expect.any(String), stopped_by: 'admin' });
  expect(await now(mango)).toMatchObject({ clock: body.data });
  expect(await mango.client.refused(api.clockOut)).toMatchObject({
    status: 409,
    code: 'not_clocked_in',
  });
});

/** Makes a running clock older: it began an hour ago, and its last act was some minutes ago. */
const age = ({ admin }: Staff, minutes: number) =>
  app.db.kysely
    .updateTable('clocks')
    .set({
      started_at: sql<Date>`now() - interval '1 hour'`,
      last_act_at: sql<Date>`date_trunc('milliseconds', now() - make_interval(mins => ${minutes}))`,
    })
    .where('admin_id', '=', admin.id)
    .where('ended_at', 'is', null)
    .returning('last_act_at')
    .executeTakeFirstOrThrow();

test('an idle clock stops at the last act, says so, and can be started again', async () => {
  const mango = await buildStaff(app);
  const socket = await app.connectSocket(mango.token);
  await mango.client.call(api.clockIn);
  const news = () => socket.received('shared_updated').length;
  await expect.poll(news).toBeGreaterThan(0);
  const before = news();
  const { last_act_at } = await age(mango, 31);
  await expect
    .poll(async () => (await now(mango)).clock)
    .toMatchObject({ ended_at: last_act_at.toISOString(), stopped_by: 'idle' });
  await expect.poll(news).toBeGreaterThan(before);
  const { body } = await mango.client.call(api.clockIn);
  expect((await now(mango)).clock).toEqual({ ...body.data, ended_at: null, stopped_by: null });
  socket.close();
});

test('the team chooses after how many idle minutes a clock stops', async () => {
  const [mango, kiwi] = [await buildStaff(app), await buildStaff(app)];
  const isStopped = async (of: Staff) => (await now(of)).clock?.stopped_by === 'idle';
  await setRules({ clock_idle_minutes: 45 });
  for (const { client } of [mango, kiwi]) await client.call(api.clockIn);
  await age(mango, 44);
  await age(kiwi, 46);
  await expect.poll(() => isStopped(kiwi)).toBe(true);
  expect(await isStopped(mango)).toBe(false);
  await setRules({ clock_idle_minutes: 15 });
  await expect.poll(() => isStopped(mango)).toBe(true);
});

test('removing an admin ends their clock, deletes their planned shifts and notifies staff', async () => {
  const mango = await buildStaff(app);
  await mango.client.call(api.clockIn);
  await plan(mango, '2038-05-03T09:00:00Z', '2038-05-03T17:00:00Z');
  const socket = await app.connectSocket(boss.token);
  const notified = socket.nextEvent('shared_updated', ({ what }) => what === 'shifts');
  await boss.client.call(removeAdmin, { params: { id: mango.admin.id } });
  await notified;
  socket.close();
  const clock = await app.db.kysely
    .selectFrom('clocks')
    .selectAll()
    .where('admin_id', '=', mango.admin.id)
    .executeTakeFirstOrThrow();
  expect(clock).toMatchObject({ ended_at: expect.any(Date), stopped_by: 'removed' });
  expect(await planned(mango, '2038-05-01T00:00:00Z', '2038-05-05T00:00:00Z')).toEqual([]);
});

test('no shift can be planned for an admin while they are being removed', async () => {
  const mango = await buildStaff(app);
  await mango.client.call(api.askForTime);
  const times = { starts_at: '2038-05-03T09:00:00Z', ends_at: '2038-05-03T17:00:00Z' };
  // Locking this row stops the removal after it has deleted the admin's shifts.
  const lock = `select from shift_extensions where admin_id = '${mango.admin.id}' for update`;
  const { removing, refused } = await whileLocked(app.databaseUrl, lock, async () => {
    const removing = boss.client.call(removeAdmin, { params: { id: mango.admin.id } });
    await untilWaiting(app, 1);
    const body = { admin_id: mango.admin.id, ...times };
    const refused = boss.client.refused(api.createShift, { body });
    await Promise.race([refused, untilWaiting(app, 2)]);
    return { removing, refused };
  });
  await removing;
  expect(await refused).toMatchObject({ status: 409, code: 'admin_inactive' });
});

test('off their shift, admins below manager can read and clock out, but neither clock in nor act, by HTTP and by socket', async () => {
  const [mango, kiwi] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const claim = { params: { id } };
  const ends_at = fromNow(60);
  await plan(kiwi, fromNow(14), ends_at);
  await mango.client.call(api.clockIn);
  await setRules({ access_only_on_shift: true });

  const refusal = { status: 403, code: 'off_shift' };
  expect(await mango.client.refused(claimConversation, claim)).toMatchObject(refusal);
  const socket = await app.connectSocket(mango.token);
  const failed = socket.nextEvent('message_error', ({ tempId }) => tempId === 'temp-1');
  socket.socket.emit('send_message', { conversation_id: id, content: 'Hi', tempId: 'temp-1' });
  expect(await failed).toMatchObject({ code: 'off_shift' });
  socket.close();
  expect((await now(mango)).access).toEqual({ is_limited: true, until: null });
  await mango.client.call(api.clockOut);
  expect(await mango.client.refused(api.clockIn)).toMatchObject(refusal);

  // Kiwi's shift begins within the margin; managers are not restricted.
  const { access } = await now(kiwi);
  expect(Date.parse(access.until ?? '')).toBe(Date.parse(ends_at) + 15 * 60_000);
  await kiwi.client.call(api.clockIn);
  await kiwi.client.call(claimConversation, claim);
  expect((await now(boss)).access).toEqual({ is_limited: false, until: null });
  const other = await buildConversation(app);
  await boss.client.call(claimConversation, { params: { id: other.id } });
});

test.each([
  ['14 minutes before', 14, 60, 200],
  ['16 minutes before', 16, 60, 403],
  ['14 minutes after', -60, -14, 200],
  ['16 minutes after', -60, -16, 403],
])(
  'an act %s a shift (minutes from now: %i to %i) is answered with %i',
  async (_, from, to, expected) => {
    const mango = await buildStaff(app);
    const { id } = await buildConversation(app);
    await plan(mango, fromNow(from), fromNow(to));
    await setRules({ access_only_on_shift: true });
    const { status } = await mango.client.raw('POST', claimConversation.path.replace('{id}', id));
    expect(status).toBe(expected);
  },
);

test('the audit log shows who planned, changed and deleted a shift', async () => {
  const mango = await buildStaff(app);
  const times = { starts_at: '2038-06-01T09:00:00.000Z', ends_at: '2038-06-01T17:00:00.000Z' };
  const params = { id: (await plan(mango, times.starts_at, times.ends_at)).body.data.id };
  await boss.client.call(api.updateShift, { params, body: { note: 'Train Kiwi' } });
  await boss.client.call(api.deleteShift, { params });
  const { body } = await boss.client.call(listAudit, { query: { target_id: mango.admin.id } });
  const [was, is] = [
    { ...times, note: '' },
    { ...times, note: 'Train Kiwi' },
  ];
  const only = { scope: 'this', count: 1 };
  expect(body.data.map(({ action, admin, details }) => [action, admin?.id, details])).toEqual([
    ['shift.delete', boss.admin.id, { ...is, ...only }],
    ['shift.update', boss.admin.id, { ...is, ...only, was }],
    ['shift.create', boss.admin.id, was],
  ]);
});

test('a manager grants more time once, and the audit log has the request and the grant', async () => {
  const mango = await buildStaff(app);
  const { id } = await buildConversation(app);
  await setRules({ access_only_on_shift: true });
  const { body: asked } = await mango.client.call(api.askForTime);
  const { body: again } = await mango.client.call(api.askForTime);
  // Managers aren't asked again at once.
  expect(again.data).toEqual(asked.data);
  expect((await now(boss)).requests).toEqual([again.data]);
  expect(await now(mango)).toMatchObject({ asked: again.data, requests: [] });

  const params = { id: asked.data.id };
  const grants = await Promise.all(
    [1, 2].map(async () => (await boss.client.call(api.grantTime, { params })).body.data),
  );
  expect(grants[0]).toEqual(grants[1]);
  const { access, asked: open } = await now(mango);
  expect(open).toBeNull();
  expect(access).toEqual({ is_limited: true, until: grants[0]?.until });
  expect(Date.parse(access.until ?? '')).toBeGreaterThan(Date.now() + 29 * 60_000);
  await mango.client.call(claimConversation, { params: { id } });

  const { body: log } = await boss.client.call(listAudit, {
    query: { action: 'shift', target_id: mango.admin.id },
  });
  expect(log.data.map(({ action }) => action)).toEqual(['shift.grant_time', 'shift.ask_for_time']);
});
