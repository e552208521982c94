import {
  cancelScheduled,
  scheduleMessage,
  sendScheduledNow,
  updateScheduled,
} from '@stagedoor/contract/messaging/scheduled';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { buildConversation, buildReply, buildStaff, unique } from '../../../test/factories.ts';
import { uploadAsStaff } from '../../../test/files.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { buildScheduled, hoursAhead } from '../../../test/worlds/scheduled.ts';

const app = await sharedApp();
afterEach(() => vi.useRealTimers());
const { client } = await buildStaff(app);

/** A request that schedules a message under a key, for retries. */
async function keyed() {
  const { id } = await buildConversation(app);
  return {
    params: { id },
    headers: { 'idempotency-key': unique('key') },
    body: { content: 'Later', send_at: hoursAhead(1) },
  };
}

test.each([
  ['text', { content: 'Another text' }],
  ['time', { send_at: hoursAhead(2) }],
  ['condition', { is_follow_up: true }],
  ['attachment', { attachments: [{ id: crypto.randomUUID() }] }],
])('a used key is refused for another %s', async (_what, other) => {
  const call = await keyed();
  await client.call(scheduleMessage, call);
  const again = { ...call, body: { ...call.body, ...other } };
  const refusal = await client.refused(scheduleMessage, again);
  expect(refusal).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  const same = { ...call, body: { ...call.body, content: ' Later ' } };
  expect((await client.call(scheduleMessage, same)).status).toBe(200);
});

test('a retry returns the scheduled message even after its time has passed', async () => {
  const call = await keyed();
  const { body } = await client.call(scheduleMessage, call);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
  const again = await client.call(scheduleMessage, call);
  expect(again.status).toBe(200);
  expect(again.body.data).toEqual(body.data);
});

test.each([
  ['sent', sendScheduledNow],
  ['cancelled', cancelScheduled],
] as const)('a retry for a message that was %s since says so', async (state, settle) => {
  const call = await keyed();
  const { body } = await client.call(scheduleMessage, call);
  await client.call(settle, { params: { id: body.data.id } });
  const again = await client.call(scheduleMessage, call);
  expect(again.body.data).toMatchObject({ id: body.data.id, state, reason: null });
});

test('an edit concurrent with the send reports the send, not an error caused by it', async () => {
  const { id } = await buildConversation(app);
  const [file] = await uploadAsStaff({ client }, id, { data: Buffer.from('x'), filename: 'x.txt' });
  const attachments = [{ id: file?.id ?? '' }];
  const made = await buildScheduled({ client }, id, { attachments });
  const sent = await buildReply({ client }, id);
  const edit = await app.db.kysely.transaction().execute(async (tx) => {
    await sql`lock table uploads in access exclusive mode`.execute(tx);
    const asked = client.refused(updateScheduled, {
      params: { id: made.id },
      body: { version: 1, content: 'Other' },
    });
    await until('the edit looks for its file', async () => {
      const { rows } = await sql`
        select from pg_locks where relation = 'uploads'::regclass and not granted`.execute(tx);
      return rows.length > 0;
    });
    // Simulates the send's effects.
    await sql`update uploads set message_id = ${sent.id} where id = ${file?.id}`.execute(tx);
    await sql`update scheduled_messages set state = 'sent', message_id = ${sent.id}, version = version + 1
      where id = ${made.id}`.execute(tx);
    return { asked };
  });
  expect(await edit.asked).toMatchObject({ status: 409, code: 'scheduled_settled' });
});

test('an edit just before the send succeeds and says that the message was sent', async () => {
  const { id } = await buildConversation(app);
  const made = await buildScheduled({ client }, id);
  // Simulates a send between the edit’s commit and its reply.
  await sql`create function sends() returns trigger language plpgsql as $$ begin
    update scheduled_messages set state = 'sent', version = version + 1 where id = new.id; return null; end $$`.execute(
    app.db.kysely,
  );
  await sql`create constraint trigger sends after update on scheduled_messages deferrable initially deferred
    for each row when (new.state = 'waiting' and new.content = 'In time') execute function sends()`.execute(
    app.db.kysely,
  );
  const { body } = await client.call(updateScheduled, {
    params: { id: made.id },
    body: { version: 1, content: 'In time' },
  });
  expect(body.data).toMatchObject({ content: 'In time', state: 'sent' });
});
