import { inbox, inboxStats } from '@stagedoor/contract/inbox/conversations';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff } from '../../../test/factories.ts';
import { seededRandom } from '../../../test/random.ts';
import { sharedApp, startTestApp, type TestApp } from '../../../test/test-app.ts';
import { buildInboxWorld } from '../../../test/worlds/inbox-world.ts';

const shared = await sharedApp();

const recount = async (app: TestApp, adminId: string) => {
  const { rows } = await sql<Record<string, number>>`
    select count(*)::int as total_conversations,
      count(*) filter (where unread_count > 0 and snoozed_until is null)::int as unread_count,
      count(*) filter (where waiting_since < 'infinity' and status = 'active' and snoozed_until is null)::int
        as needs_reply_count,
      count(*) filter (where status = 'archived')::int as archived_count,
      count(*) filter (where claimed_by = ${adminId})::int as mine_count,
      count(*) filter (where first_message_at is not null)::int as new_today,
      0 as unread_mentions, 0 as open_handovers
    from conversations`.execute(app.db.kysely);
  return rows[0];
};

test('an empty inbox has zero counts', async () => {
  const app = await startTestApp();
  const { client } = await buildStaff(app);
  expect((await client.call(inboxStats)).body.data).toEqual({
    total_conversations: 0,
    unread_count: 0,
    needs_reply_count: 0,
    new_today: 0,
    mine_count: 0,
    archived_count: 0,
    unread_mentions: 0,
    open_handovers: 0,
  });
  await app.close();
});

test('the stored counters equal a recount after any sequence of simultaneous changes', async () => {
  const app = await startTestApp();
  const random = seededRandom();
  const world = await buildInboxWorld(app, random, 20);
  const { admin, client } = world.viewer;
  for (let round = 0; round < 6; round++) {
    await Promise.all([
      ...Array.from({ length: 12 }, () => world.happen()),
      // Changes without an endpoint: arbitrary statuses and deleted conversations.
      sql`update conversations set status = ${random.pick(['active', 'archived', 'flagged'])}
        where id = ${random.pick(world.built).id}`.execute(app.db.kysely),
    ]);
    const { body } = await client.call(inboxStats);
    expect(body.data, `seed ${random.seed}, round ${round}`).toEqual(await recount(app, admin.id));
    for (const [filter, count] of [
      ['all', body.data.total_conversations],
      ['unread', body.data.unread_count],
      ['needs_reply', body.data.needs_reply_count],
      ['archived', body.data.archived_count],
      ['mine', body.data.mine_count],
    ] as const) {
      const page = await client.call(inbox, { query: { filter, limit: 200 } });
      expect(page.body.total, `${filter}, seed ${random.seed}`).toBe(count);
      expect(page.body.data).toHaveLength(count);
    }
  }
  await sql`delete from fans where id in (select id from fans order by id limit 7)`.execute(
    app.db.kysely,
  );
  expect((await client.call(inboxStats)).body.data).toEqual(await recount(app, admin.id));
  await app.close();
});

/** Returns the instant when today began in a time zone. */
function midnightIn(timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const localTime = (at: number) => {
    const found = Object.fromEntries(
      parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found;
    return {
      today: Date.UTC(year, month - 1, day),
      now: Date.UTC(year, month - 1, day, hour, minute, second),
    };
  };
  const whole = Math.floor(Date.now() / 1_000) * 1_000;
  const { today, now } = localTime(whole);
  const guess = whole - (now - today);
  // The guess is an hour off on days when the clocks change.
  return guess - (localTime(guess).now - today);
}

test('today begins at midnight in the viewer’s time zone', async () => {
  const app = await startTestApp();
  const { client } = await buildStaff(app);
  const { id } = await buildConversation(app);
  const zones = [
    'UTC',
    'Europe/Lisbon',
    'America/Los_Angeles',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    // Known to Node.js only.
    'US/Pacific-New',
  ];
  for (const tz of zones) {
    const midnight = midnightIn(tz);
    for (const [at, expected] of [
      [midnight - 1_000, 0],
      [midnight, 1],
    ] as const) {
      await app.db.kysely
        .updateTable('conversations')
        .set({ first_message_at: new Date(at) })
        .where('id', '=', id)
        .execute();
      const { body } = await client.call(inboxStats, { query: { tz } });
      expect(body.data.new_today, `${tz} ${new Date(at).toISOString()}`).toBe(expected);
    }
  }
  const { body } = await client.call(inboxStats);
  expect(body.data.new_today).toBe(midnightIn('US/Pacific-New') >= midnightIn('UTC') ? 1 : 0);
  await app.close();
});

test('a second message today does not make a conversation new', async () => {
  const app = await startTestApp();
  const { client } = await buildStaff(app);
  const { id } = await buildConversation(app, { messages: ['one', 'two'] });
  expect((await client.call(inboxStats)).body.data.new_today).toBe(1);
  await app.db.kysely
    .updateTable('conversations')
    .set({ first_message_at: new Date(Date.now() - 3 * 86_400_000) })
    .where('id', '=', id)
    .execute();
  expect((await client.call(inboxStats)).body.data.new_today).toBe(0);
  await app.close();
});

test.each(['Nowhere/Land', '+02:00', '', "UTC'; drop table fans", 'x'.repeat(65)])(
  'a time zone %j that does not exist is refused',
  async (tz) => {
    const { client } = await buildStaff(shared);
    const refusal = await client.refused(inboxStats, { query: { tz } });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  },
);
