import { getConversation, inbox, inboxStats } from '@stagedoor/contract/inbox/conversations';
import { snooze, unsnooze } from '@stagedoor/contract/inbox/queue';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { openDatabase } from '../../db/database.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const witness = await app.connectSocket(staff.token);

const HOUR_MS = 3_600_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const now = async (id: string) =>
  (await staff.client.call(getConversation, { params: { id } })).body.data;
const putOff = async (id: string, until_: string | null) =>
  (await staff.client.call(snooze, { params: { id }, body: { until: until_ } })).body.data;
const updatesOf = (id: string) =>
  witness
    .received('conversation_updated')
    .map(({ conversation }) => conversation)
    .filter((conversation) => conversation.id === id);
const auditOf = (id: string) =>
  app.db.kysely
    .selectFrom('audit_log')
    .select(['admin_id', 'action', 'details'])
    .where('target_id', '=', id)
    .orderBy('id')
    .execute();

/** Whether it is in `unread` and in `needs_reply`; checks that the tiles show the same counts. */
async function listed(id: string) {
  const { body: stats } = await staff.client.call(inboxStats);
  const found = [];
  for (const [filter, count] of [
    ['unread', stats.data.unread_count],
    ['needs_reply', stats.data.needs_reply_count],
  ] as const) {
    const { body } = await staff.client.call(inbox, { query: { filter, limit: 200 } });
    expect(body.total).toBe(count);
    found.push(body.data.some((conversation) => conversation.id === id));
  }
  return found;
}

test('a snooze removes a conversation from the open work, for everyone, and is audited', async () => {
  const { id } = await buildConversation(app);
  expect(await listed(id)).toEqual([true, true]);
  const at = inMs(HOUR_MS);
  const snoozed = await putOff(id, at);
  expect(snoozed).toMatchObject({ snooze: { until: at }, unread_count: 1 });
  expect(await listed(id)).toEqual([false, false]);
  await until('the change was emitted', () =>
    updatesOf(id).some((each) => each.snooze?.until === at),
  );
  expect(await auditOf(id)).toMatchObject([
    {
      admin_id: staff.admin.id,
      action: 'conversation.snooze',
      details: { until: expect.any(String) },
    },
  ]);
});

test('repeating a snooze changes nothing; another one replaces it', async () => {
  const { id } = await buildConversation(app);
  const at = inMs(HOUR_MS);
  const first = await putOff(id, at);
  expect(await putOff(id, at)).toEqual(first);
  expect(await putOff(id, null)).toMatchObject({
    snooze: { until: null },
    version: first.version + 1,
  });
  expect(await auditOf(id)).toHaveLength(2);
});

test('staff can end a snooze immediately, which is audited; ending it again changes nothing', async () => {
  const { id } = await buildConversation(app);
  await putOff(id, null);
  const { body } = await staff.client.call(unsnooze, { params: { id } });
  expect(body.data.snooze).toBeNull();
  expect(await listed(id)).toEqual([true, true]);
  const again = await staff.client.call(unsnooze, { params: { id } });
  expect(again.body).toEqual(body);
  expect((await auditOf(id)).map(({ action }) => action)).toEqual([
    'conversation.snooze',
    'conversation.unsnooze',
  ]);
});

test.each([['until a time', inMs(HOUR_MS)] as const, ['until the fan writes', null] as const])(
  'a fan’s message ends a snooze %s, in the event of the message',
  async (_kind, at) => {
    const { id, fan } = await buildConversation(app);
    await putOff(id, at);
    await buildFanMessage(app, fan, { content: 'Are you there?' });
    const event = await witness.nextEvent(
      'new_message',
      ({ message }) => message.conversation_id === id && message.content === 'Are you there?',
    );
    expect(event.conversation.snooze).toBeNull();
    expect(await listed(id)).toEqual([true, true]);
  },
);

test('a reply keeps the snooze', async () => {
  const { id } = await buildConversation(app);
  await putOff(id, null);
  await buildReply(staff, id);
  expect((await now(id)).snooze).toEqual({ until: null });
});

test('a snooze ends once at its time, and that is emitted', async () => {
  const { id } = await buildConversation(app);
  const { version } = await putOff(id, inMs(2_000));
  await until('it came back', async () => (await now(id)).snooze === null);
  expect(await now(id)).toMatchObject({ version: version + 1 });
  await until('the change was emitted', () =>
    updatesOf(id).some((each) => each.version === version + 1),
  );
  expect(await listed(id)).toEqual([true, true]);
  const left = await app.db.kysely
    .selectFrom('snoozes')
    .select('conversation_id')
    .where('conversation_id', '=', id)
    .execute();
  expect(left).toEqual([]);
});

test('a snooze that was replaced or ended by the fan doesn’t end a second time', async () => {
  const [moved, ended] = [await buildConversation(app), await buildConversation(app)];
  await putOff(moved.id, inMs(2_000));
  await putOff(ended.id, inMs(2_000));
  const later = inMs(HOUR_MS);
  await putOff(moved.id, later);
  await buildFanMessage(app, ended.fan);
  const { version } = await now(ended.id);
  await putOff(ended.id, null);
  await until('the time has passed', async () => {
    const rows = await app.db.kysely
      .selectFrom('snoozes')
      .select('wakes_at')
      .where('conversation_id', '=', ended.id)
      .execute();
    return rows.length === 0;
  });
  expect(await now(moved.id)).toMatchObject({ snooze: { until: later } });
  expect(await now(ended.id)).toMatchObject({ snooze: { until: null }, version: version + 1 });
});

test('a snooze that became due while no server ran ends once when servers start', async () => {
  const { url, drop } = await createTestDatabase();
  const first = await startTestApp({ databaseUrl: url });
  const { client, token } = await buildStaff(first);
  const { id } = await buildConversation(first);
  const at = inMs(HOUR_MS);
  const { body } = await client.call(snooze, { params: { id }, body: { until: at } });
  await first.close();
  const db = openDatabase({ connectionString: url }, () => undefined);
  const past = new Date(Date.now() - 1_000);
  await db.kysely.updateTable('conversations').set({ snoozed_until: past }).execute();
  await db.kysely.updateTable('snoozes').set({ wakes_at: past }).execute();
  await db.close();

  const servers = await Promise.all([1, 2].map(() => startTestApp({ databaseUrl: url })));
  const again = async () =>
    (await servers[0]?.staff(token).call(getConversation, { params: { id } }))?.body.data;
  await until('it came back', async () => (await again())?.snooze === null);
  expect(await again()).toMatchObject({ version: body.data.version + 1 });
  for (const server of servers) await server.close();
  await drop();
});

test.each([
  ['is past', -1_000],
  ['is too far off', 400 * 24 * HOUR_MS],
])('a time that %s is refused', async (_what, ms) => {
  const server = await startTestApp();
  const { client } = await buildStaff(server);
  const { id } = await buildConversation(server);
  const refusal = await client.refused(snooze, { params: { id }, body: { until: inMs(ms) } });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  await server.close();
});
