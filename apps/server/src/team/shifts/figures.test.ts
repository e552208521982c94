import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import * as api from '@stagedoor/contract/team/shifts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff, type Staff } from '../../../test/factories.ts';
import { sharedApp, startTestApp, type TestApp } from '../../../test/test-app.ts';
import {
  happening,
  longAgo,
  moveMessages,
  openSalesWorld,
} from '../../../test/worlds/sales-world.ts';
import { fillSentMessages } from '../../messaging/messages/sent-messages.store.ts';

const app = await sharedApp();

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
type Asked = { from: string; to: string };

const rowsOf = async <Row>(of: TestApp, query: ReturnType<typeof sql<Row>>) =>
  (await query.execute(of.db.kysely)).rows;

/** Counts an admin's messages, offers and sales in a period from the tables that hold them, the simplest way. */
async function recount(of: TestApp, adminId: string, { from, to }: Asked) {
  const messages = await rowsOf(
    of,
    sql<{ id: string; conversation_id: string; waited: number | null }>`
      select m.id, m.conversation_id, extract(epoch from m.created_at - (
        select min(f.created_at) from messages f where f.conversation_id = m.conversation_id and f.from_fan and f.seq < m.seq
          and not exists (select from messages a where a.conversation_id = m.conversation_id and not a.from_fan
            and a.seq > f.seq and a.seq < m.seq)
      ))::float8 as waited
      from messages m where not m.from_fan and m.author_id = ${adminId} and m.created_at >= ${from} and m.created_at < ${to}
      order by m.created_at desc, m.id desc`,
  );
  const offers = await rowsOf(
    of,
    sql<{ message_id: string; is_unlocked: boolean }>`
      select s.message_id, s.attachment_id in (select attachment_id from purchases where refunded_at is null) as is_unlocked
      from product_sends s where s.admin_id = ${adminId} and s.sent_at >= ${from} and s.sent_at < ${to}
      order by s.sent_at desc, s.attachment_id desc`,
  );
  const sales = await rowsOf(
    of,
    sql<{ message_id: string; amount_cents: number; refunded_at: Date | null }>`
      select message_id, amount_cents, refunded_at from purchases
      where admin_id = ${adminId} and purchased_at >= ${from} and purchased_at < ${to} order by purchased_at desc, id desc`,
  );
  const replies = messages.filter(({ waited }) => waited !== null);
  const waits = replies.map(({ waited }) => waited ?? 0).toSorted((a, b) => a - b);
  const net = sales.filter(({ refunded_at }) => refunded_at === null);
  const unlocked = offers.filter(({ is_unlocked }) => is_unlocked);
  const cents = (of: typeof sales) => of.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const newest = replies.filter(
    ({ conversation_id }, index) =>
      replies.findIndex((one) => one.conversation_id === conversation_id) === index,
  );
  return {
    figures: {
      sales: cents(sales) / 100,
      sales_count: sales.length,
      net_sales: cents(net) / 100,
      net_sales_count: net.length,
      offers: offers.length,
      unlocked: unlocked.length,
      unlock_rate: offers.length === 0 ? null : (unlocked.length * 100) / offers.length,
      messages: messages.length,
      replies: replies.length,
      fans_answered: newest.length,
      answer_time_p50: waits[Math.ceil(waits.length * 0.5) - 1] ?? null,
      answer_time_p90: waits[Math.ceil(waits.length * 0.9) - 1] ?? null,
      messages_per_sale: sales.length === 0 ? null : messages.length / sales.length,
    },
    lists: {
      sales: sales.map(({ message_id }) => message_id),
      net_sales: net.map(({ message_id }) => message_id),
      offers: offers.map(({ message_id }) => message_id),
      unlocked: unlocked.map(({ message_id }) => message_id),
      messages: messages.map(({ id }) => id),
      replies: replies.map(({ id }) => id),
      fans_answered: newest.map(({ id }) => id),
    },
  };
}

/** Reads all pages of the messages behind a figure. */
async function madeOf({ client }: Staff, query: Asked & { admin_id: string; figure: string }) {
  const found: api.FigureMessage[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await client.call(api.listFigureMessages, {
      query: {
        ...query,
        figure: query.figure as api.MessageFigure,
        limit: 3,
        ...(cursor !== undefined && { cursor }),
      },
    });
    found.push(...body.data);
    if (body.next_cursor === null) return found;
    cursor = body.next_cursor;
  }
}

const clocked = fc.record({ ago: fc.nat({ max: 60 * 24 }), hours: fc.integer({ min: 1, max: 9 }) });

test('for any history, the figures equal a recount, agree with the analytics and lead to their messages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 20, maxLength: 40 }),
      fc.array(longAgo, { minLength: 10, maxLength: 40 }),
      fc.array(happening, { minLength: 10, maxLength: 20 }),
      fc.array(clocked, { maxLength: 5 }),
      fc.nat({ max: 30 * 24 }),
      async (before, times, after, clocks, ago) => {
        const world = await startTestApp();
        try {
          const { manager, staff, history, happen } = await openSalesWorld(world);
          for (const happened of before) await happen(happened);
          await moveMessages(
            world,
            history,
            times.map((at) => Date.now() - ((Date.now() - at) % (70 * DAY_MS))),
          );
          await sql`update purchases set purchased_at = date_trunc('milliseconds', now() - (now() - purchased_at) / 8)`.execute(
            world.db.kysely,
          );
          await sql`delete from sent_messages`.execute(world.db.kysely);
          await sql`select note_sent_messages(), sum_up_anew()`.execute(world.db.kysely);
          for (const happened of after) await happen(happened);
          const now = Date.now();
          for (const { ago: hoursAgo, hours } of clocks) {
            const started = now - hoursAgo * HOUR_MS;
            await world.db.kysely
              .insertInto('clocks')
              .values({
                admin_id: staff[1].admin.id,
                started_at: new Date(started),
                ended_at: new Date(started + hours * HOUR_MS),
                stopped_by: 'admin',
              })
              .execute();
          }
          const asked = { from: iso(now - ago * HOUR_MS - 30 * DAY_MS), to: iso(now + HOUR_MS) };
          const { body } = await manager.client.call(api.shiftFigures, { query: asked });
          const analytics = await manager.client.call(analyticsOverview, {
            query: { start_date: asked.from, end_date: asked.to },
          });
          for (const { admin } of staff) {
            const expected = await recount(world, admin.id, asked);
            const seconds = (admin.id === staff[1].admin.id ? clocks : [])
              .map(({ ago: hoursAgo, hours }) => {
                const started = now - hoursAgo * HOUR_MS;
                const stop = Math.min(started + hours * HOUR_MS, Date.parse(asked.to));
                return Math.max(0, stop - Math.max(started, Date.parse(asked.from))) / 1_000;
              })
              .reduce((sum, one) => sum + one, 0);
            const row = body.data.find((one) => one.admin.id === admin.id)?.figures;
            if (row === undefined) {
              expect(expected.figures).toMatchObject({ sales_count: 0, offers: 0, messages: 0 });
              expect(Math.floor(seconds)).toBe(0);
            } else {
              expect(row).toEqual({
                ...expected.figures,
                clocked_seconds: Math.floor(seconds),
                sales_per_hour:
                  row.clocked_seconds === 0
                    ? null
                    : expected.figures.sales / (row.clocked_seconds / 3_600),
              });
            }
            const known = analytics.body.admin_performance.find(
              ({ admin_id }) => admin_id === admin.id,
            );
            expect({
              messages_sent: expected.figures.messages,
              products_sent: expected.figures.offers,
              products_purchased: expected.figures.net_sales_count,
              total_revenue: expected.figures.net_sales,
            }).toEqual({
              messages_sent: known?.messages_sent ?? 0,
              products_sent: known?.products_sent ?? 0,
              products_purchased: known?.products_purchased ?? 0,
              total_revenue: known?.total_revenue ?? 0,
            });
            for (const [figure, ids] of Object.entries(expected.lists)) {
              const listed = await madeOf(manager, { ...asked, admin_id: admin.id, figure });
              expect(
                listed.map(({ message_id }) => message_id),
                figure,
              ).toEqual(ids);
            }
          }
        } finally {
          await world.close();
        }
      },
    ),
    // Each run opens an installation, so shrinking a failure would take too long.
    { numRuns: 3, endOnFailure: true },
  );
}, 180_000);

test('admins see their own figures only; managers see everyone’s', async () => {
  const boss = await buildStaff(app, { role: 'manager' });
  const [mango, kiwi] = [await buildStaff(app), await buildStaff(app)];
  for (const { client } of [mango, kiwi]) await client.call(api.clockIn);
  const query = { from: iso(Date.now() - DAY_MS), to: iso(Date.now() + DAY_MS) };
  const seen = async ({ client }: Staff, admin_id?: string) => {
    const { body } = await client.call(api.shiftFigures, {
      query: { ...query, ...(admin_id !== undefined && { admin_id }) },
    });
    return body.data.map(({ admin }) => admin.id);
  };
  expect(await seen(mango)).toEqual([mango.admin.id]);
  expect(await seen(mango, mango.admin.id)).toEqual([mango.admin.id]);
  expect(await seen(boss, mango.admin.id)).toEqual([mango.admin.id]);
  expect(new Set(await seen(boss))).toEqual(new Set([mango.admin.id, kiwi.admin.id]));
  const others = { query: { ...query, admin_id: kiwi.admin.id, figure: 'replies' as const } };
  for (const endpoint of [api.shiftFigures, api.listFigureMessages])
    expect(
      await mango.client.refused(endpoint as typeof api.listFigureMessages, others),
    ).toMatchObject({
      status: 403,
      code: 'permission_required',
    });
  expect(
    await boss.client.refused(api.shiftFigures, { query: { ...query, admin_id: 'nobody' } }),
  ).toMatchObject({ status: 404, code: 'admin_not_found' });
});

test('each shift and each clock has the figures of its own time', async () => {
  const boss = await buildStaff(app, { role: 'manager' });
  const mango = await buildStaff(app);
  const { id } = await buildConversation(app);
  const day = Date.UTC(2026, 2, 2);
  const at = (hour: number) => new Date(day + hour * HOUR_MS);
  await boss.client.call(api.createShift, {
    body: {
      admin_id: mango.admin.id,
      starts_at: iso(day + 9 * HOUR_MS),
      ends_at: iso(day + 17 * HOUR_MS),
    },
  });
  await app.db.kysely
    .insertInto('clocks')
    .values([
      { admin_id: mango.admin.id, started_at: at(8), ended_at: at(10), stopped_by: 'admin' },
      { admin_id: mango.admin.id, started_at: at(16), ended_at: at(17.5), stopped_by: 'idle' },
    ])
    .execute();
  const sent = (hour: number, waited: number | null) => ({
    admin_id: mango.admin.id,
    sent_at: at(hour),
    waited_since: waited === null ? null : new Date(+at(hour) - waited * 1_000),
    conversation_id: id,
  });
  await app.db.kysely
    .insertInto('sent_messages')
    .values([sent(8.5, 60), sent(9, 120), sent(10, null), sent(17, 30)])
    .execute();
  const { body } = await mango.client.call(api.shiftFigures, {
    query: { from: iso(day), to: iso(day + DAY_MS) },
  });
  expect(
    body.shifts.map(({ kind, starts_at, figures }) => [
      kind,
      starts_at.slice(11, 16),
      figures.messages,
      figures.replies,
      figures.fans_answered,
      figures.answer_time_p90,
      figures.clocked_seconds,
    ]),
  ).toEqual([
    ['clock', '16:00', 1, 1, 1, 30, 5_400],
    ['planned', '09:00', 2, 1, 1, 120, 7_200],
    ['clock', '08:00', 2, 2, 1, 120, 7_200],
  ]);
});

test('rows from before the update get their messages', async () => {
  const world = await startTestApp();
  const { history, happen } = await openSalesWorld(world);
  for (const happened of fc.sample(happening, { numRuns: 40, seed: 7 })) await happen(happened);
  // Two messages of one admin at the same time.
  const { kysely } = world.db;
  await sql`update messages set created_at = date_trunc('day', created_at) + seq * interval '1 second' where not from_fan`.execute(
    kysely,
  );
  await sql`delete from sent_messages`.execute(kysely);
  await sql`select note_sent_messages()`.execute(kysely);
  const counted = () =>
    rowsOf(
      world,
      sql`select s.message_id, s.conversation_id, m.author_id = s.admin_id and m.created_at = s.sent_at as fits
        from sent_messages s left join messages m on m.id = s.message_id order by s.message_id`,
    );
  const before = await counted();
  expect(before.length).toBe(
    history.conversations.flatMap(({ messages }) => messages.filter((one) => one.adminId)).length,
  );
  await sql`update sent_messages set message_id = null, conversation_id = null`.execute(kysely);
  await fillSentMessages(world.db)();
  expect(await counted()).toEqual(before);
  await world.close();
});
