import { getConversation, inbox } from '@stagedoor/contract/inbox/conversations';
import { snooze } from '@stagedoor/contract/inbox/queue';
import { getDraft, saveDraft } from '@stagedoor/contract/messaging/drafts';
import { getGuardRails, updateGuardRails } from '@stagedoor/contract/messaging/guard-rails';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { eraseFan, listFanMessages, recordPurchase } from '@stagedoor/contract/platform/platform';
import type { ServerEvent } from '@stagedoor/contract/realtime';
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  startCampaign,
} from '@stagedoor/contract/selling/campaigns';
import { deleteProduct, listProducts } from '@stagedoor/contract/selling/products';
import { removeAdmin, updateAdminRole } from '@stagedoor/contract/team/admins';
import { listAudit } from '@stagedoor/contract/team/audit';
import { getSettings } from '@stagedoor/contract/team/settings';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { mostRepeatedQuery } from '../../../test/count-queries.ts';
import {
  buildFanMessage,
  buildReply,
  buildStaff,
  changeSettings,
} from '../../../test/factories.ts';
import { QUICK, startWebhookReceiver } from '../../../test/servers/webhook-receiver.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import {
  buildCampaign,
  fanGroup,
  finished,
  readCampaign,
  recipientsOf,
  runCampaign,
} from '../../../test/worlds/campaigns.ts';
import { buildProduct } from '../../../test/worlds/catalogue.ts';
import { signInFan } from '../../../test/worlds/fan-world.ts';
import { saleOf } from '../../../test/worlds/market.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());
const app = await sharedApp({
  webhook: { url: receiver.url, secret: receiver.secret, timing: QUICK },
});
const manager = await buildStaff(app, { role: 'manager' });
const support = await buildStaff(app);
const { client } = manager;

const read = async (id: string) =>
  (await client.call(getConversation, { params: { id } })).body.data;
const messagesOf = async (id: string) =>
  (await client.call(listMessages, { params: { id } })).body.data;
/** Returns a campaign's audited actions, oldest first. */
const auditOf = async (target_id: string) =>
  (await client.call(listAudit, { query: { target_id } })).body.data
    .map(({ action }) => action)
    .toReversed();
const start = (id: string) => client.call(startCampaign, { params: { id } });

/** Changes the team's settings, and returns a function that restores them. */
async function change(settings: object): Promise<() => Promise<void>> {
  const before = (await client.call(getSettings)).body.data;
  await changeSettings(manager, settings);
  return () => changeSettings(manager, before);
}

test('a mass message leaves the inbox as it was, and a fan’s reply moves the conversation as always', async () => {
  const group = fanGroup(app);
  const waiting = await group.add();
  await buildFanMessage(app, waiting);
  const snoozed = await group.add();
  await buildFanMessage(app, snoozed);
  await client.call(snooze, { params: { id: snoozed.conversation_id }, body: { until: null } });
  const answered = await group.add();
  await buildFanMessage(app, answered);
  await buildReply(support, answered.conversation_id);
  const empty = await group.add();
  await client.call(saveDraft, {
    params: { id: waiting.conversation_id },
    body: { text: 'Half a rep' },
  });
  const ids = [waiting, snoozed, answered, empty].map((fan) => fan.conversation_id);
  const before = await Promise.all(ids.map(read));
  const list = async () =>
    (
      await client.call(inbox, { query: { filter: 'all', sort: 'newest', limit: 200 } })
    ).body.data.map(({ id }) => id);
  const order = await list();
  const campaign = await runCampaign(manager, { audience: group.audience });
  expect(campaign.counts.sent).toBe(4);
  const after = await Promise.all(ids.map(read));
  expect(after).toEqual(
    before.map((each) => ({ ...each, version: each.version + 1, last_seq: each.last_seq + 1 })),
  );
  expect(await list()).toEqual(order);
  expect(
    (await client.call(getDraft, { params: { id: waiting.conversation_id } })).body.data,
  ).toMatchObject({ text: 'Half a rep' });
  for (const id of ids) {
    const messages = await messagesOf(id);
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
    expect(messages.at(-1)).toMatchObject({
      campaign_id: campaign.id,
      content: 'Hi Ana',
      read_at: null,
      author: { id: manager.admin.id },
    });
    expect(messages.slice(0, -1).every(({ campaign_id }) => campaign_id === null)).toBe(true);
  }
  await buildFanMessage(app, empty, { content: 'Oh, hi' });
  expect(await read(empty.conversation_id)).toMatchObject({ unread_count: 1 });
  expect((await list())[0]).toBe(empty.conversation_id);
  const [mass, answer] = await messagesOf(empty.conversation_id);
  expect([mass?.seq, answer?.seq]).toEqual([1, 2]);
  expect(Date.parse(answer?.created_at ?? '')).toBeGreaterThan(Date.parse(mass?.created_at ?? ''));
});

test('staff get the progress, not a message for each fan, and the fan gets the message live', async () => {
  const group = fanGroup(app);
  const fan = await group.add();
  await group.add();
  const { connect } = await signInFan(app, fan);
  const phone = await connect();
  const witness = await app.connectSocket(support.token);
  const counting = await app.connectSocket(manager.token);
  const { id } = await runCampaign(manager, { audience: group.audience });
  const event = await phone.nextEvent('new_message');
  expect(event).toMatchObject({ message: { content: 'Hi Ana', seq: 1 }, client_id: null });
  expect(event.message).not.toHaveProperty('campaign_id');
  const end = ({ campaign_id, state }: ServerEvent<'campaign_progress'>) =>
    campaign_id === id && state === 'finished';
  expect(await counting.nextEvent('campaign_progress', end)).toMatchObject({
    audience: 2,
    sent: 2,
    skipped: 0,
    conversation_ids: [],
  });
  // Admins who can't see the campaign get no counts.
  expect(await witness.nextEvent('campaign_progress', end)).toEqual({
    campaign_id: id,
    state: 'finished',
    conversation_ids: [],
    states: [],
  });
  for (const each of witness.received('campaign_progress'))
    expect(each).not.toHaveProperty('audience');
  const progress = witness.received('campaign_progress');
  const reached = progress.flatMap((each) => each.conversation_ids);
  expect(reached).toHaveLength(2);
  expect(reached).toContain(fan.conversation_id);
  const { version, last_seq } = await read(fan.conversation_id);
  expect(progress.flatMap(({ states }) => states)[reached.indexOf(fan.conversation_id)]).toEqual({
    version,
    last_seq,
  });
  expect(witness.received('new_message')).toEqual([]);
});

test('the messages of many connected fans are read in one statement', async () => {
  // Has no webhooks, because they would read each message.
  const own = await startTestApp();
  const sender = await buildStaff(own, { role: 'manager' });
  const group = fanGroup(own);
  const phones = await Promise.all(
    Array.from({ length: 12 }, async () => (await signInFan(own, await group.add())).connect()),
  );
  const repeated = await mostRepeatedQuery(async () => {
    await runCampaign(sender, { audience: group.audience });
    for (const phone of phones) await phone.nextEvent('new_message');
  }, ') found on true');
  expect(repeated).toBeLessThan(6);
  await own.close();
});

test('each fan’s message has a webhook, after those before it in the conversation', async () => {
  const group = fanGroup(app);
  const fans = [await group.add(), await group.add()];
  for (const fan of fans) await buildReply(support, fan.conversation_id, { content: 'First' });
  const { id: mass } = await runCampaign(manager, {
    audience: group.audience,
    variants: [{ content: 'Second' }],
  });
  for (const fan of fans) await buildReply(support, fan.conversation_id, { content: 'Third' });
  const delivered = (id: string) =>
    receiver
      .acceptedOf(id)
      .flatMap(({ event }) =>
        event.type === 'message.created'
          ? [[event.data.message.content, event.data.message.campaign_id]]
          : [],
      );
  for (const { conversation_id: id } of fans) {
    await until('three webhooks', () => delivered(id).length >= 3);
    expect(delivered(id)).toEqual([
      ['First', null],
      ['Second', mass],
      ['Third', null],
    ]);
  }
});

test('each fan can buy their own offer, and an owner is never offered it', async () => {
  const group = fanGroup(app);
  const fans = [await group.add(), await group.add()];
  const product = await buildProduct(manager);
  const offer = { product_id: product.id, is_paid: true as const, price: 7.5 };
  const variants = [{ content: '', attachments: [offer] }];
  const restore = await change({ mass_messages_a_day: 5 });
  const first = await runCampaign(manager, { variants, audience: group.audience });
  const [buyer] = fans;
  if (!buyer) throw new Error('nobody is in the group');
  const [message] = await messagesOf(buyer.conversation_id);
  if (!message) throw new Error('nothing was sent');
  await app.platform.call(recordPurchase, { body: saleOf(buyer, message, 7.5) });
  expect((await readCampaign(manager, first.id)).counts).toMatchObject({
    sent: 2,
    purchases: 1,
    revenue: 7.5,
  });
  await buildFanMessage(app, buyer);
  const outcomes = (await recipientsOf(manager, first.id)).map(
    ({ fan_id, replied, purchases, revenue }) => [fan_id === buyer.id, replied, purchases, revenue],
  );
  expect(outcomes).toHaveLength(2);
  expect(outcomes).toContainEqual([true, true, 1, 7.5]);
  expect(outcomes).toContainEqual([false, false, 0, 0]);
  const { data } = (await client.call(listProducts)).body;
  expect(data.find(({ id }) => id === product.id)).toMatchObject({
    times_sent: 2,
    times_purchased: 1,
  });
  const second = await runCampaign(manager, { variants, audience: group.audience });
  expect(second.counts).toMatchObject({ sent: 1, skipped: 1 });
  expect(await messagesOf(buyer.conversation_id)).toHaveLength(2);
  await restore();
});

test('a campaign begins at its time', async () => {
  const group = fanGroup(app);
  const fan = await group.add();
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await buildCampaign(manager, { audience: group.audience, send_at });
  expect((await start(id)).body.data.state).toBe('scheduled');
  const { rows } = await sql<{ begin_at: Date }>`
    select begin_at from campaigns where id = ${id}`.execute(app.db.kysely);
  expect(rows[0]?.begin_at.toISOString()).toBe(send_at);
  expect((await readCampaign(manager, id)).counts.audience).toBe(0);
  // Instead of waiting for an hour.
  await sql`update campaigns set begin_at = now() where id = ${id}`.execute(app.db.kysely);
  const done = await finished(manager, id);
  expect(done.counts.sent).toBe(1);
  expect(await auditOf(id)).toEqual([
    'campaign.create',
    'campaign.start',
    'campaign.begin',
    'campaign.finish',
  ]);
  expect(await messagesOf(fan.conversation_id)).toHaveLength(1);
});

/** Sends the rest of a campaign now, instead of waiting for its time or its per-minute limit. */
const hurry = (id: string) =>
  sql`update campaigns set begin_at = least(begin_at, now()), per_minute = null where id = ${id}`.execute(
    app.db.kysely,
  );
const paused = (id: string) =>
  until('the server has paused the campaign', async () => {
    const campaign = await readCampaign(manager, id);
    return campaign.state === 'paused' && campaign;
  });
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test.each([
  {
    change: 'removed',
    end: (id: string) => client.call(removeAdmin, { params: { id } }),
    paused_reason: 'The person who started this was removed',
  },
  {
    change: 'demoted',
    end: (id: string) =>
      client.call(updateAdminRole, { params: { id }, body: { role: 'support' } }),
    paused_reason: 'The person who started this can no longer send mass messages',
  },
])(
  'a mass message of a $change admin pauses, and the admin who resumes it sends the rest',
  async (former) => {
    const group = fanGroup(app);
    for (let n = 0; n < 3; n++) await group.add();
    const starter = await buildStaff(app, { role: 'manager' });
    const { audience } = group;
    const begun = await buildCampaign(starter, { audience, per_minute: 1 });
    await starter.client.call(startCampaign, { params: begun });
    await until(
      'one message',
      async () => (await readCampaign(manager, begun.id)).counts.sent === 1,
    );
    const planned = await buildCampaign(starter, { audience: group.audience, send_at: inAnHour() });
    await starter.client.call(startCampaign, { params: planned });
    // A teammate who resumes a campaign isn't credited with its sales.
    await client.call(pauseCampaign, { params: planned });
    const { data } = (await client.call(resumeCampaign, { params: planned })).body;
    expect(data.started_by).toBe(starter.admin.id);

    await former.end(starter.admin.id);
    const restore = await change({ mass_messages_a_day: 5 });
    for (const { id } of [begun, planned]) {
      await hurry(id);
      const { paused_reason, counts } = await paused(id);
      expect(paused_reason).toBe(former.paused_reason);
      expect(counts.sent).toBe(id === begun.id ? 1 : 0);
      const [audited] = (await client.call(listAudit, { query: { target_id: id } })).body.data;
      expect(audited).toMatchObject({
        action: 'campaign.pause',
        details: { reason: paused_reason },
      });
      const resumed = (await client.call(resumeCampaign, { params: { id } })).body.data;
      expect(resumed).toMatchObject({ started_by: manager.admin.id, paused_reason: null });
      const authors = (await recipientsOf(manager, (await finished(manager, id)).id)).map(
        async ({ conversation_id, message_id }) =>
          (await messagesOf(conversation_id)).find((each) => each.id === message_id)?.author?.id,
      );
      const own = id === begun.id ? [starter, manager, manager] : [manager, manager, manager];
      const actual = await Promise.all(authors);
      expect(actual.map(String).toSorted()).toEqual(own.map(({ admin }) => admin.id).toSorted());
    }
    await restore();
  },
);

test('a mass message that offers a deleted product pauses and says why; it can’t be resumed', async () => {
  const group = fanGroup(app);
  for (let n = 0; n < 2; n++) await group.add();
  const product = await buildProduct(manager);
  const offer = { product_id: product.id, is_paid: true as const, price: 5 };
  const details = { audience: group.audience, variants: [{ attachments: [offer] }] };
  const begun = await buildCampaign(manager, { ...details, per_minute: 1 });
  const planned = await buildCampaign(manager, { ...details, send_at: inAnHour() });
  for (const { id } of [begun, planned]) await start(id);
  await until('one message', async () => (await readCampaign(manager, begun.id)).counts.sent === 1);
  await client.call(deleteProduct, { params: product });
  for (const { id } of [begun, planned]) {
    await hurry(id);
    expect((await paused(id)).paused_reason).toBe('Product not found');
    expect(await client.refused(resumeCampaign, { params: { id } })).toMatchObject({
      status: 400,
      code: 'invalid_attachment',
    });
    expect(await readCampaign(manager, id)).toMatchObject({
      state: 'paused',
      counts: { sent: id === begun.id ? 1 : 0 },
    });
  }
});

test('guard rails are checked again when a mass message that has not begun is resumed', async () => {
  const { id } = await buildCampaign(manager, {
    variants: [{ content: 'A forbidden word' }],
    send_at: inAnHour(),
  });
  await start(id);
  await client.call(pauseCampaign, { params: { id } });
  const rails = (await client.call(getGuardRails)).body.data;
  const body = { ...rails, banned_words: ['forbidden'] };
  const { version } = (await client.call(updateGuardRails, { body })).body.data;
  expect(await client.refused(resumeCampaign, { params: { id } })).toMatchObject({
    status: 422,
    code: 'banned_words',
  });
  await client.call(updateGuardRails, { body: { ...rails, version } });
  const { data } = (await client.call(resumeCampaign, { params: { id } })).body;
  expect(data).toMatchObject({ state: 'scheduled', paused_reason: null });
  await client.call(cancelCampaign, { params: { id } });
});

test('a per-minute limit is kept; canceling skips the remaining fans and keeps what was sent', async () => {
  const group = fanGroup(app);
  for (let n = 0; n < 3; n++) await group.add();
  const { id } = await buildCampaign(manager, { audience: group.audience, per_minute: 1 });
  await start(id);
  await until('the first message', async () => (await readCampaign(manager, id)).counts.sent === 1);
  expect((await client.call(pauseCampaign, { params: { id } })).body.data.state).toBe('paused');
  expect((await client.call(resumeCampaign, { params: { id } })).body.data.state).toBe('running');
  await client.call(cancelCampaign, { params: { id } });
  const done = await finished(manager, id);
  expect(done).toMatchObject({ state: 'canceled', counts: { audience: 3, sent: 1, skipped: 2 } });
  const reasons = (await recipientsOf(manager, id)).map(({ reason }) => String(reason));
  expect(reasons.toSorted()).toEqual(['canceled', 'canceled', 'null']);
});

test('after its end, nobody gets a campaign’s message any more', async () => {
  const group = fanGroup(app);
  for (let n = 0; n < 3; n++) await group.add();
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await buildCampaign(manager, {
    audience: group.audience,
    per_minute: 1,
    expires_at,
  });
  await start(id);
  await until('the first message', async () => (await readCampaign(manager, id)).counts.sent === 1);
  await app.db.kysely
    .updateTable('campaigns')
    .set({ expires_at: new Date(), per_minute: null })
    .where('id', '=', id)
    .execute();
  const done = await finished(manager, id);
  expect(done).toMatchObject({ state: 'finished', counts: { audience: 3, sent: 1, skipped: 2 } });
  const skipped = await recipientsOf(manager, id, { state: 'skipped' });
  expect(skipped.map(({ reason }) => reason)).toEqual(['expired', 'expired']);
  expect(await auditOf(id)).toEqual([
    'campaign.create',
    'campaign.start',
    'campaign.begin',
    'campaign.expire',
  ]);
});

/** Returns the current hour in a time zone that is this many hours ahead of UTC. */
const hourIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).getUTCHours();

test('quiet hours in a fan’s own zone delay the message until they end or change; unknown zones count as the team’s', async () => {
  const group = fanGroup(app);
  await group.add({ timezone: 'UTC' });
  const awake = await group.add({ timezone: 'Asia/Tokyo' });
  await group.add();
  const restore = await change({ quiet_from_hour: hourIn(-1), quiet_until_hour: hourIn(2) });
  const { id } = await buildCampaign(manager, { audience: group.audience });
  await start(id);
  await until('one message', async () => (await readCampaign(manager, id)).counts.sent === 1);
  const recipients = await recipientsOf(manager, id);
  expect(recipients.filter(({ state }) => state === 'pending')).toHaveLength(2);
  expect(recipients.find(({ state }) => state === 'sent')?.fan_id).toBe(awake.id);
  await restore();
  expect((await finished(manager, id)).counts.sent).toBe(3);
});

test('at local times, each fan gets the message the next time their clock shows it', async () => {
  const group = fanGroup(app);
  const zones = ['Pacific/Honolulu', 'UTC', 'Asia/Tokyo', ''];
  const fans: string[] = [];
  for (const timezone of zones)
    fans.push((await group.add(timezone === '' ? {} : { timezone })).id);
  // In Tokyo, this time has already passed today.
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await buildCampaign(manager, {
    audience: group.audience,
    send_at,
    fan_local_time: true,
  });
  await start(id);
  await until('the audience', async () => (await readCampaign(manager, id)).counts.audience === 4);
  const due = async () => {
    const rows = await app.db.kysely
      .selectFrom('campaign_recipients')
      .select(['fan_id', 'due_at'])
      .where('campaign_id', '=', id)
      .execute();
    const byFan = new Map(rows.map((row) => [row.fan_id, row.due_at.getTime()]));
    return fans.map((fan) => ((byFan.get(fan) ?? 0) - Date.parse(send_at)) / 3_600_000);
  };
  // Hours after `send_at`; the team's zone is UTC.
  expect(await due()).toEqual([10, 0, 24 - 9, 0]);
  const restore = await change({
    quiet_from_hour: hourIn(9 - 1),
    quiet_until_hour: hourIn(9 + 2),
  });
  // Makes the message of one fan due, in that fan's quiet hours.
  await app.db.kysely
    .updateTable('campaign_recipients')
    .set({ due_at: new Date(), planned_at: new Date() })
    .where('fan_id', '=', fans[2] ?? '')
    .execute();
  await until('the quiet hours', async () => ((await due())[2] ?? 0) > 0);
  // Only this fan's message is due, so only it is sent.
  await restore();
  await until('one message', async () => (await readCampaign(manager, id)).counts.sent === 1);
  const sent = await recipientsOf(manager, id, { state: 'sent' });
  expect(sent.map(({ fan_id }) => fan_id)).toEqual([fans[2]]);
  await client.call(cancelCampaign, { params: { id } });
});

test('time zones named like abbreviations observe daylight saving time', async () => {
  const group = fanGroup(app);
  const zones = ['Europe/Paris', 'CET', 'MET', 'EET', 'WET'];
  const fans: string[] = [];
  for (const timezone of zones) fans.push((await group.add({ timezone })).id);
  const restore = await change({ time_zone: 'CET' });
  const { id } = await buildCampaign(manager, {
    audience: group.audience,
    send_at: new Date(Date.now() + 3_600_000).toISOString(),
    fan_local_time: true,
  });
  const noon = new Date(`${new Date().getUTCFullYear() + 1}-07-01T12:00:00Z`);
  await sql`update campaigns set send_at = ${noon} where id = ${id}`.execute(app.db.kysely);
  await start(id);
  await sql`update campaigns set begin_at = now() where id = ${id}`.execute(app.db.kysely);
  await until('the audience', async () => (await readCampaign(manager, id)).counts.audience === 5);
  await restore();
  const { rows } = await sql<{ fan_id: string; hours: number }>`
    select fan_id, (extract(epoch from due_at - ${noon}) / 3600)::int as hours from campaign_recipients
    where campaign_id = ${id}`.execute(app.db.kysely);
  const hours = new Map(rows.map((row) => [row.fan_id, row.hours]));
  expect(fans.map((fan) => hours.get(fan))).toEqual([0, 0, 0, -1, 1]);
  await client.call(cancelCampaign, { params: { id } });
});

test('an audience is computed with the memory that large exclusions need', async () => {
  const own = await startTestApp();
  await sql
    .raw(`create table memory as select ''::text as work_mem with no data;
    create function note_memory() returns trigger language plpgsql as $$ begin
      insert into memory values (current_setting('work_mem'));
      return null;
    end $$;
    create trigger noted after insert on campaign_recipients for each statement execute function note_memory()`)
    .execute(own.db.kysely);
  await runCampaign(await buildStaff(own, { role: 'manager' }));
  const { rows } = await sql`select work_mem from memory`.execute(own.db.kysely);
  expect(rows).toEqual([{ work_mem: '64MB' }]);
  await own.close();
});

test('a campaign that fails doesn’t stop those after it', async () => {
  const group = fanGroup(app);
  await group.add();
  const { id } = await buildCampaign(manager, { audience: group.audience });
  // Without an author, nothing can be sent.
  await sql`update campaigns set state = 'running', started_at = now() where id = ${id}`.execute(
    app.db.kysely,
  );
  expect((await runCampaign(manager, { audience: group.audience })).counts.sent).toBe(1);
  expect((await readCampaign(manager, id)).counts.sent).toBe(0);
  await sql`update campaigns set state = 'canceled' where id = ${id}`.execute(app.db.kysely);
  await finished(manager, id);
});

test('a fan who is erased before their turn is skipped, and figures outlive an erased recipient', async () => {
  const group = fanGroup(app);
  const fans = [await group.add(), await group.add(), await group.add()];
  const { id } = await buildCampaign(manager, { audience: group.audience, per_minute: 1 });
  await start(id);
  await until('the first message', async () => (await readCampaign(manager, id)).counts.sent === 1);
  for (const fan of fans) await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  // Instead of waiting for minutes.
  await app.db.kysely
    .updateTable('campaigns')
    .set({ per_minute: null })
    .where('id', '=', id)
    .execute();
  const done = await finished(manager, id);
  expect(done.counts).toMatchObject({ audience: 3, sent: 1, skipped: 2 });
  const recipients = await recipientsOf(manager, id);
  expect(recipients.map(({ display_name }) => display_name)).toEqual(['', '', '']);
  const reasons = recipients.map(({ reason }) => String(reason));
  expect(reasons.toSorted()).toEqual(['erased', 'erased', 'null']);
});

test('a fan’s side counts a mass message as unread, like any other', async () => {
  const group = fanGroup(app);
  const fan = await group.add();
  await runCampaign(manager, { audience: group.audience });
  const { data } = (await app.platform.call(listFanMessages, { params: { fan: fan.external_id } }))
    .body;
  expect(data).toMatchObject([{ seq: 1, read_at: null, content: 'Hi Ana' }]);
});
