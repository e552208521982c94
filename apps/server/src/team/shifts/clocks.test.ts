import { claimConversation } from '@stagedoor/contract/inbox/conversations';
import { clockIn, clockOut, shiftNow } from '@stagedoor/contract/team/shifts';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { buildConversation, buildStaff, type Staff } from '../../../test/factories.ts';
import { httpClient } from '../../../test/http-client.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { startTwoNodes } from '../../../test/worlds/node-world.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { createActs } from './acts.ts';
import { recordActs } from './clocks.store.ts';

const app = await sharedApp();

const WAIT = { timeout: 40_000 };
const clockOf = (db: Database, { admin }: Staff) =>
  db.kysely
    .selectFrom('clocks')
    .selectAll()
    .where('admin_id', '=', admin.id)
    .orderBy('started_at', 'desc')
    .executeTakeFirstOrThrow();

/** Makes a running clock older: it began three hours ago, and its last act was some minutes ago. @returns that act */
const age = async (db: Database, { admin }: Staff, minutes: number): Promise<Date> =>
  (
    await db.kysely
      .updateTable('clocks')
      .set({
        started_at: sql<Date>`now() - interval '3 hours'`,
        last_act_at: sql<Date>`date_trunc('milliseconds', now() - make_interval(mins => ${minutes}))`,
      })
      .where('admin_id', '=', admin.id)
      .where('ended_at', 'is', null)
      .returning('last_act_at')
      .executeTakeFirstOrThrow()
  ).last_act_at;

test('acts that can’t be written are written later', async () => {
  const mango = await buildStaff(app);
  await mango.client.call(clockIn);
  const before = await age(app.db, mango, 20);
  const acts = createActs(app.db);
  acts.note(mango.admin.id);
  await sql`alter table clocks rename to clocks_away`.execute(app.db.kysely);
  await expect(acts.flush()).rejects.toThrow('clocks');
  await sql`alter table clocks_away rename to clocks`.execute(app.db.kysely);
  expect((await clockOf(app.db, mango)).last_act_at).toEqual(before);
  await acts.flush();
  expect((await clockOf(app.db, mango)).last_act_at > before).toBe(true);
});

test('nodes that write acts of the same staff at once don’t deadlock', async () => {
  const staff = await Promise.all(Array.from({ length: 8 }, () => buildStaff(app)));
  for (const { client } of staff) await client.call(clockIn);
  const ids = staff.map(({ admin }) => admin.id);
  const acts = (order: readonly string[]) => new Map(order.map((id) => [id, 0]));
  for (let time = 0; time < 20; time++)
    await Promise.all([
      recordActs(app.db, acts(ids)),
      recordActs(app.db, acts(ids.toReversed())),
      recordActs(app.db, acts(ids.toSorted())),
    ]);
});

test('an act after a long pause doesn’t add the pause to the clock', async () => {
  const [mango, kiwi] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  for (const { client } of [mango, kiwi]) await client.call(clockIn);
  const [last, other] = [await age(app.db, mango, 120), await age(app.db, kiwi, 120)];
  await mango.client.call(claimConversation, { params: { id } });
  // This may be refused, because the job may have stopped the clock already.
  await kiwi.client.raw('POST', clockOut.path);
  expect(await clockOf(app.db, kiwi)).toMatchObject({ ended_at: other, stopped_by: 'idle' });
  await vi.waitFor(
    async () =>
      expect(await clockOf(app.db, mango)).toMatchObject({ ended_at: last, stopped_by: 'idle' }),
    WAIT,
  );
});

test('the last acts before a restart are kept, and a clock that idled meanwhile stops at its last act', async () => {
  const { url, drop } = await createTestDatabase();
  const before = await startTestApp({ databaseUrl: url });
  const mango = await buildStaff(before);
  const { id } = await buildConversation(before);
  await mango.client.call(clockIn);
  const aged = await age(before.db, mango, 20);
  await mango.client.call(claimConversation, { params: { id } });
  await before.close();

  const db = openDatabase({ connectionString: url }, () => undefined);
  expect((await clockOf(db, mango)).last_act_at > aged).toBe(true);
  const last = await age(db, mango, 90);
  await db.close();

  const after = await startTestApp({ databaseUrl: url });
  await vi.waitFor(
    async () =>
      expect(await clockOf(after.db, mango)).toMatchObject({ ended_at: last, stopped_by: 'idle' }),
    WAIT,
  );
  const again = httpClient(after.url, mango.token);
  await again.call(clockIn);
  expect((await again.call(shiftNow)).body.data.clock).toMatchObject({ ended_at: null });
  await after.close();
  await drop();
}, 120_000);

test('an act on one node keeps a clock running for all, and an idle clock stops on all', async () => {
  const { a, b, close } = await startTwoNodes();
  const [mango, kiwi] = [await buildStaff(a), await buildStaff(a)];
  const { id } = await buildConversation(a);
  for (const { client } of [mango, kiwi]) await client.call(clockIn);
  const socket = await b.connectSocket(kiwi.token);
  const aged = await age(a.db, mango, 29);
  await httpClient(b.url, mango.token).call(claimConversation, { params: { id } });
  await vi.waitFor(
    async () => expect((await clockOf(a.db, mango)).last_act_at > aged).toBe(true),
    WAIT,
  );
  const last = await age(a.db, kiwi, 31);
  const onB = httpClient(b.url, kiwi.token);
  await socket.nextEvent('shared_updated', ({ what }) => what === 'shifts');
  await vi.waitFor(
    async () =>
      expect((await onB.call(shiftNow)).body.data.clock).toMatchObject({
        ended_at: last.toISOString(),
        stopped_by: 'idle',
      }),
    WAIT,
  );
  expect((await clockOf(a.db, mango)).ended_at).toBeNull();
  socket.close();
  await close();
}, 120_000);
