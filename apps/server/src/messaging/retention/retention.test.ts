import { getConversation, markRead } from '@stagedoor/contract/inbox/conversations';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { eraseFan, postFanRead, recordPurchase } from '@stagedoor/contract/platform/platform';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { uploadAsFan } from '../../../test/files.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { sweepUp } from '../../../test/traces.ts';
import { until } from '../../../test/until.ts';
import {
  fanGroup,
  readCampaign,
  recipientsOf,
  runCampaign,
} from '../../../test/worlds/campaigns.ts';
import { buildPicture } from '../../../test/worlds/catalogue.ts';
import { openInviteDesk, someone } from '../../../test/worlds/invites.ts';
import { openMarket } from '../../../test/worlds/market.ts';
import { openJobs } from '../../jobs/pg-boss-jobs.ts';
import { createLogger } from '../../log.ts';
import { fillResults } from '../../selling/campaigns/results.store.ts';
import { purgeMessages } from '../messages/purge.store.ts';
import { BATCH, defineRetention } from './retention.ts';

const settings = { messages: 100, audit: 200, invites: 30, deliveries: 7 };
const app = await sharedApp({ config: { retention: settings } });
const staff = await buildStaff(app, { role: 'manager' });
const log = createLogger('silent');

/** Runs a day’s job until it is in the given state. */
async function aDay(end = 'completed'): Promise<void> {
  await sql`delete from jobs.job where name = 'retention'`.execute(app.db.kysely);
  const jobs = await openJobs(app.db, log);
  const retention = await defineRetention({ db: app.db, jobs, log }, settings);
  await jobs.start();
  await retention.today();
  await until('the day is done', async () => {
    const { rows } = await sql<{ state: string }>`
      select state from jobs.job where name = 'retention'`.execute(app.db.kysely);
    return rows.length > 0 && rows.every(({ state }) => state === end);
  });
  await jobs.stop();
}

async function makeOlder(ids: readonly string[], days: number): Promise<void> {
  await sql`update messages set created_at = created_at - make_interval(days => ${days}::int)
    where id = any(${ids}::uuid[])`.execute(app.db.kysely);
}

const textsOf = async (id: string) =>
  (await staff.client.call(listMessages, { params: { id } })).body.data.map(
    ({ content }) => content,
  );

test('messages older than the setting are purged with their files; newer ones stay and keep counting', async () => {
  const { id, fan } = await buildConversation(app, { messages: [] });
  const [file] = await uploadAsFan(app, fan, {
    data: await buildPicture(),
    filename: 'old.png',
  });
  const old = await buildFanMessage(app, fan, { content: 'old', attachment_ids: [file?.id ?? ''] });
  const answer = await buildReply(staff, id, { content: 'old answer' });
  const young = await buildReply(staff, id, { content: 'young', reply_to_message_id: old.id });
  await makeOlder([old.id, answer.id], 101);
  await makeOlder([young.id], 99);
  const stored = await app.storedFiles();
  await aDay();
  expect(await textsOf(id)).toEqual(['young']);
  const [shown] = (await staff.client.call(listMessages, { params: { id } })).body.data;
  expect(shown?.reply_to).toBeNull();
  await sweepUp(app);
  expect((await app.storedFiles()).length).toBeLessThan(stored.length);
  await buildFanMessage(app, fan, { content: 'next' });
  const { body } = await staff.client.call(listMessages, { params: { id } });
  expect(body.data.map(({ seq }) => seq)).toEqual([3, 4]);
});

test('the inbox row of a purged last message is cleared, and the change is emitted', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const last = await buildReply(staff, id, { content: 'soon forgotten' });
  await makeOlder([last.id], 101);
  const socket = await app.connectSocket(staff.token);
  await aDay();
  // Events of earlier tests may still arrive here.
  const event = await socket.nextEvent(
    'conversation_updated',
    ({ conversation }) => conversation.id === id && conversation.last_message_content === null,
  );
  const fresh = (await staff.client.call(getConversation, { params: { id } })).body.data;
  expect(fresh).toMatchObject({ last_message_content: null, version: event.conversation.version });
  socket.close();
});

test('the inbox row of a purged message is cleared, even if a mass message follows it', async () => {
  const group = fanGroup(app);
  const fan = await group.add();
  const id = fan.conversation_id;
  const last = await buildReply(staff, id, { content: 'soon forgotten' });
  await runCampaign(staff, { audience: group.audience });
  await makeOlder([last.id], 101);
  await aDay();
  const fresh = (await staff.client.call(getConversation, { params: { id } })).body.data;
  expect(fresh.last_message_content).toBeNull();
  expect(await textsOf(id)).toEqual(['Hi Ana']);
});

test('a campaign’s results outlive its messages, the answers, an erased fan and an upgrade', async () => {
  const group = fanGroup(app);
  const [purged, erased, quiet] = [await group.add(), await group.add(), await group.add()];
  const campaign = await runCampaign(staff, { audience: group.audience });
  const sent = await recipientsOf(staff, campaign.id);
  const old: string[] = [];
  for (const fan of [purged, erased]) {
    const own = sent.find(({ fan_id }) => fan_id === fan.id)?.message_id ?? '';
    await app.platform.call(postFanRead, {
      params: { fan: fan.external_id },
      body: { up_to_message_id: own },
    });
    const answer = await buildFanMessage(app, fan);
    await staff.client.call(markRead, { params: { id: fan.conversation_id } });
    old.push(own, answer.id);
  }
  const { counts } = await readCampaign(staff, campaign.id);
  expect(counts).toMatchObject({ sent: 3, read: 2, replied: 2 });
  await app.platform.call(eraseFan, { params: { fan: erased.external_id } });
  expect((await readCampaign(staff, campaign.id)).counts).toEqual(counts);
  // As in a database from before results were stored as they happen.
  await sql`update campaigns set audience_at = '2020-01-01'`.execute(app.db.kysely);
  await sql`update campaign_recipients set was_read = false, has_replied = false
    where fan_id <> ${erased.id}`.execute(app.db.kysely);
  await fillResults(app.db)();
  expect((await readCampaign(staff, campaign.id)).counts).toEqual(counts);
  await makeOlder([...old, ...sent.map(({ message_id }) => message_id ?? '')], 101);
  await aDay();
  expect(await textsOf(purged.conversation_id)).toEqual([]);
  expect(await textsOf(quiet.conversation_id)).toEqual([]);
  expect((await readCampaign(staff, campaign.id)).counts).toEqual(counts);
});

test('the inbox row shows a kept message, even if those before it are purged', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const old = await buildReply(staff, id, { content: 'old' });
  await buildReply(staff, id, { content: 'young' });
  await makeOlder([old.id], 101);
  await aDay();
  const fresh = (await staff.client.call(getConversation, { params: { id } })).body.data;
  expect(fresh.last_message_content).toBe('young');
});

test('messages that staff have not read or a fan has bought are kept; unsold offers are purged', async () => {
  const unread = await buildConversation(app, { messages: ['unread'] });
  const market = await openMarket(app);
  const [bought, offered] = [await market.buildDeal(), await market.buildDeal()];
  await app.platform.call(recordPurchase, { body: bought.sale });
  const ids = [unread.messages[0]?.id ?? '', bought.message.id, offered.message.id];
  await makeOlder(ids, 400);
  await aDay();
  const { rows } = await sql<{ id: string }>`
    select id from messages where id = any(${ids}::uuid[])`.execute(app.db.kysely);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  expect(await market.purchasesOf(bought.message)).toHaveLength(1);
});

test('only invitations that nobody accepted are purged, some time after they expire', async () => {
  const desk = await openInviteDesk(app);
  const [over, open] = [someone(), someone()];
  await desk.invite([over, open]);
  await sql`update invites set expires_at = now() - interval '31 days' where email = ${over}`.execute(
    app.db.kysely,
  );
  await aDay();
  const { rows } = await sql<{ email: string }>`
    select email from invites where email in (${over}, ${open})`.execute(app.db.kysely);
  expect(rows).toEqual([{ email: open }]);
});

test('old messages are purged, even if old rows of the audit log can’t be', async () => {
  const { id, fan } = await buildConversation(app, { messages: [] });
  const old = await buildFanMessage(app, fan, { content: 'old' });
  await staff.client.call(markRead, { params: { id }, body: {} });
  await makeOlder([old.id], 101);
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refused before delete on audit_log execute function refuse()`.execute(
    app.db.kysely,
  );
  await aDay('retry');
  await sql`drop function refuse cascade`.execute(app.db.kysely);
  expect(await textsOf(id)).toEqual([]);
});

test('only retention can delete old rows of the audit log', async () => {
  await sql`insert into audit_log (at, action, target_id) values
    (now() - interval '201 days', 'fan.old', gen_random_uuid()),
    (now() - interval '199 days', 'fan.young', gen_random_uuid())`.execute(app.db.kysely);
  await aDay();
  const { body } = await staff.client.call(listAudit);
  const actions = body.data.map(({ action }) => action);
  expect(actions).toContain('fan.young');
  expect(actions).not.toContain('fan.old');
  await expect(sql`delete from audit_log`.execute(app.db.kysely)).rejects.toThrow('only ever');
  await expect(
    app.db.kysely.transaction().execute(async (tx) => {
      await sql`set local stagedoor.retention = 'on'`.execute(tx);
      await sql`update audit_log set action = 'changed'`.execute(tx);
    }),
  ).rejects.toThrow('only ever');
});

test('more than one batch is purged to the end, past the messages that are kept', async () => {
  const { id, fan } = await buildConversation(app, { messages: [] });
  await sql`
    insert into messages (id, conversation_id, seq, from_fan, author_id, client_message_id, payload_hash, content, created_at, read_at)
    select gen_random_uuid(), ${id}, n, true, ${fan.id}, 'm' || n, '', 'm', now() - interval '500 days',
      case when n > ${BATCH} then now() end from generate_series(1, ${BATCH * 2 + 1}) n`.execute(
    app.db.kysely,
  );
  const first = await purgeMessages(app.db, 100, null, BATCH);
  expect(first.next).not.toBeNull();
  await aDay();
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from messages where conversation_id = ${id}`.execute(app.db.kysely);
  expect(rows).toEqual([{ n: BATCH }]);
});

test('retention runs once a day, no matter how often it is requested', async () => {
  await aDay();
  const jobs = await openJobs(app.db, log);
  const retention = await defineRetention({ db: app.db, jobs, log }, settings);
  await Promise.all(Array.from({ length: 5 }, () => retention.today()));
  const { rows } = await sql`select from jobs.job where name = 'retention'`.execute(app.db.kysely);
  expect(rows).toHaveLength(1);
  await jobs.stop();
});
