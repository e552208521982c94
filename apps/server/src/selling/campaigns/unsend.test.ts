import { randomBytes } from 'node:crypto';
import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { listMessages, unsendMessage } from '@stagedoor/contract/messaging/messages';
import {
  listFanMessages,
  postFanRead,
  recordPurchase,
} from '@stagedoor/contract/platform/platform';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import {
  cancelCampaign,
  pauseCampaign,
  startCampaign,
  unsendCampaign,
} from '@stagedoor/contract/selling/campaigns';
import { listProducts } from '@stagedoor/contract/selling/products';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { buildFanMessage, buildStaff, changeSettings } from '../../../test/factories.ts';
import { onDatabase } from '../../../test/on-database.ts';
import { QUICK, startWebhookReceiver } from '../../../test/servers/webhook-receiver.ts';
import { sharedApp, startTestApp, type TestApp } from '../../../test/test-app.ts';
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
const { url, secret } = receiver;
afterAll(() => receiver.close());
const app = await sharedApp({ webhook: { url, secret, timing: QUICK } });
const manager = await buildStaff(app, { role: 'manager' });
const { client } = manager;

const unsend = async (id: string) =>
  (await client.call(unsendCampaign, { params: { id } })).body.data;
const refused = (id: string) => client.refused(unsendCampaign, { params: { id } });
const unsent = (id: string, staff: Pick<typeof manager, 'client'> = manager) =>
  until('everything is unsent', async () => {
    const campaign = await readCampaign(staff, id);
    return campaign.unsent_at !== null && !campaign.is_unsending && campaign;
  });
const seenBy = async (fan: { external_id: string }) =>
  (await app.platform.call(listFanMessages, { params: { fan: fan.external_id } })).body.data;

test('a campaign is unsent for fans who have neither read nor bought it; the others keep it', async () => {
  const product = await buildProduct(manager);
  const group = fanGroup(app);
  const open = await signInFan(app, await group.add());
  const [reader, buyer, other] = [await group.add(), await group.add(), await group.add()];
  const window = await open.connect();
  const { id } = await runCampaign(manager, {
    audience: group.audience,
    variants: [
      {
        content: 'A slip of the tongue',
        attachments: [{ product_id: product.id, is_paid: true, price: 9 }],
      },
    ],
  });
  const [message] = await seenBy(reader);
  await app.platform.call(postFanRead, {
    params: { fan: reader.external_id },
    body: { up_to_message_id: message?.id ?? '' },
  });
  const listed = await client.call(listMessages, { params: { id: buyer.conversation_id } });
  const [offer] = listed.body.data;
  if (offer === undefined) throw new Error('the buyer got no message');
  await app.platform.call(recordPurchase, { body: saleOf(buyer, offer, 9) });
  const teammate = await app.connectSocket((await buildStaff(app)).token);

  expect(await unsend(id)).toMatchObject({ state: 'finished' });
  expect(await unsent(id)).toMatchObject({
    state: 'finished',
    counts: { audience: 4, sent: 2, unsent: 2, skipped: 0, read: 1, purchases: 1, revenue: 9 },
  });
  const recipients = await recipientsOf(manager, id, { state: 'unsent' });
  const gone = [open.fan, other].map(({ conversation_id }) => conversation_id).toSorted();
  expect(recipients.map(({ conversation_id }) => conversation_id).toSorted()).toEqual(gone);
  expect(recipients.map(({ read }) => read)).toEqual([false, false]);
  expect(await seenBy(other)).toEqual([]);
  expect(await seenBy(reader)).toHaveLength(1);
  expect(await seenBy(buyer)).toHaveLength(1);

  const lost = recipients.find(
    ({ conversation_id }) => conversation_id === open.fan.conversation_id,
  )?.message_id;
  expect(await window.nextEvent('message_deleted')).toMatchObject({ message_id: lost, seq: 1 });
  const progress = await teammate.nextEvent(
    'campaign_progress',
    ({ conversation_ids }) => conversation_ids.length > 0,
  );
  expect(progress.conversation_ids.toSorted()).toEqual(gone);
  const params = { id: other.conversation_id };
  const { data, version } = (await client.call(listMessages, { params })).body;
  expect(data[0]).toMatchObject({ content: '', attachments: [], campaign_id: id });
  expect(data[0]?.unsent?.by.id).toBe(manager.admin.id);
  expect((await client.call(getConversation, { params })).body.data.version).toBe(version);
  const { body } = await client.call(listProducts);
  expect(body.data.find((each) => each.id === product.id)?.times_sent).toBe(2);
  await until('the platform receives the events', () =>
    receiver
      .acceptedOf(other.conversation_id)
      .some(({ event }) => event.type === 'message.deleted'),
  );
  const audit = (await client.call(listAudit, { query: { target_id: id } })).body.data;
  expect(audit[0]).toMatchObject({ action: 'campaign.unsend', admin: { id: manager.admin.id } });

  // The daily limit doesn't stop the corrected message: it counts only messages that the fans still have.
  const again = await runCampaign(manager, { audience: group.audience });
  const sent = await recipientsOf(manager, again.id, { state: 'sent' });
  expect(sent.map(({ conversation_id }) => conversation_id).toSorted()).toEqual(gone);
});

test('offers unsent after their day was summed up no longer count as sent by mass messages', async () => {
  const product = await buildProduct(manager);
  const group = fanGroup(app);
  await group.add();
  const query = { start_date: new Date(Date.now() - 7 * 86_400_000).toISOString() };
  const offersSent = async () => {
    const { sources } = (await client.call(analyticsOverview, { query })).body;
    return sources.map(({ source, products_sent }) => `${source}: ${products_sent}`);
  };
  const before = await offersSent();
  const { id } = await runCampaign(manager, {
    audience: group.audience,
    variants: [
      { content: 'New!', attachments: [{ product_id: product.id, is_paid: true, price: 9 }] },
    ],
  });
  await sql`update product_sends set sent_at = now() - interval '3 days' where product_id = ${product.id}`.execute(
    app.db.kysely,
  );
  await sql`select sum_up_anew()`.execute(app.db.kysely);
  expect(await offersSent()).not.toEqual(before);
  await unsend(id);
  await unsent(id);
  expect(await offersSent()).toEqual(before);
});

test('a campaign is unsent once, after it has begun; one that is running or paused ends', async () => {
  const group = fanGroup(app);
  for (let fan = 0; fan < 3; fan++) await group.add();
  const draft = await buildCampaign(manager, { audience: group.audience });
  expect(await refused(draft.id)).toMatchObject({ status: 409, code: 'invalid_transition' });
  await client.call(cancelCampaign, { params: { id: draft.id } });
  expect(await refused(draft.id)).toMatchObject({ code: 'invalid_transition' });

  const { id } = await buildCampaign(manager, { audience: group.audience, per_minute: 1 });
  await client.call(startCampaign, { params: { id } });
  await until('one is sent', async () => (await readCampaign(manager, id)).counts.sent > 0);
  await client.call(pauseCampaign, { params: { id } });
  expect(await unsend(id)).toMatchObject({ state: 'canceled' });
  expect(await refused(id)).toMatchObject({ code: 'invalid_transition' });
  const { counts } = await finished(manager, id);
  expect(counts).toMatchObject({ audience: 3, sent: 0 });
  expect(counts.unsent).toBeGreaterThan(0);
  expect(counts.unsent + counts.skipped).toBe(3);
});

test('one message of a campaign can be unsent on its own', async () => {
  const group = fanGroup(app);
  const [fan] = [await group.add(), await group.add()];
  const { id } = await runCampaign(manager, { audience: group.audience });
  const [message] = await seenBy(fan);
  await client.call(unsendMessage, { params: { id: message?.id ?? '' } });
  expect((await readCampaign(manager, id)).counts).toMatchObject({ sent: 1, unsent: 1 });
  expect(await seenBy(fan)).toEqual([]);
});

test('a fan who wrote without having read a message, and then lost it, has not replied to it', async () => {
  const group = fanGroup(app);
  const fan = await group.add();
  const { id } = await runCampaign(manager, { audience: group.audience });
  await buildFanMessage(app, fan);
  expect(await recipientsOf(manager, id)).toMatchObject([{ read: false, replied: true }]);
  await unsend(id);
  await unsent(id);
  expect(await recipientsOf(manager, id)).toMatchObject([
    { state: 'unsent', read: false, replied: false },
  ]);
});

test('the daily limit counts the mass messages that the fan still has', async () => {
  await changeSettings(manager, { mass_messages_a_day: 2 });
  const group = fanGroup(app);
  const fan = await group.add();
  const send = async () => (await runCampaign(manager, { audience: group.audience })).id;
  const limited = async () => {
    const { counts } = await readCampaign(manager, await send());
    expect(counts).toMatchObject({ sent: 0, skipped: 1 });
  };
  const [first, second] = [await send(), await send()];
  await limited();
  // Unsends the newer one, then the older one: first as whole campaigns, then as single messages.
  await unsend(second);
  await unsent(second);
  await send();
  await limited();
  await unsend(first);
  await unsent(first);
  await send();
  await limited();
  const [, older] = await seenBy(fan);
  await client.call(unsendMessage, { params: { id: older?.id ?? '' } });
  await send();
  await limited();
  const [newer] = await seenBy(fan);
  await client.call(unsendMessage, { params: { id: newer?.id ?? '' } });
  await send();
  await limited();
  await changeSettings(manager, { mass_messages_a_day: 1 });
});

const FANS = 1_000;

const addFans = (on: TestApp, count: number) =>
  sql`with added as (
      insert into fans (external_id) select gen_random_uuid() from generate_series(1, ${count}) returning id)
    insert into conversations (fan_id, creator_id) select added.id, c.id from added, creators c`.execute(
    on.db.kysely,
  );

test('unsending reads each recipient a few times, however many batches there are', async () => {
  const { url: databaseUrl, drop } = await createTestDatabase();
  onTestFinished(drop);
  const mediaKey = randomBytes(32);
  const sender = await startTestApp({ databaseUrl, mediaKey });
  const own = await buildStaff(sender, { role: 'manager' });
  await addFans(sender, 2);
  await runCampaign(own);
  // Keeps the planner's statistics from before the campaign.
  await sql`alter table campaign_recipients set (autovacuum_enabled = false)`.execute(
    sender.db.kysely,
  );
  await sql`analyze campaign_recipients`.execute(sender.db.kysely);
  await addFans(sender, FANS);
  const { id } = await runCampaign(own);
  await sender.close();

  await onDatabase({ connectionString: databaseUrl }, async (other) => {
    const left = () =>
      until('the node has left', async () => {
        const { rows } = await other.query(`select from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
        return rows.length === 0;
      });
    await left();
    await other.query('select pg_stat_reset()');
    await other.query(
      `update campaigns set is_unsending = true, unsent_at = now(), unsent_by = started_by where id = $1`,
      [id],
    );
    const node = await startTestApp({ databaseUrl, mediaKey });
    await until('everything is unsent', async () => {
      const { rows } = await other.query('select from campaigns where is_unsending');
      return rows.length === 0;
    });
    await node.close();
    await left();
    const { rows } = await other.query(
      `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = 'campaign_recipients'`,
    );
    expect(rows[0].read).toBeLessThan(4 * FANS);
  });
});

test('a node that dies while it unsends leaves the rest to another, and nothing is done twice', async () => {
  const { url: databaseUrl, drop } = await createTestDatabase();
  const keys = {
    codeKey: randomBytes(32),
    mediaKey: randomBytes(32),
    inviteKey: randomBytes(32),
  };
  const nodes = [await startTestApp({ databaseUrl, ...keys })];
  const [a] = nodes;
  if (a === undefined) throw new Error('no node was started');
  onTestFinished(async () => {
    for (const node of nodes) await node.close();
    await drop();
  });
  const own = await buildStaff(a, { role: 'manager' });
  await addFans(a, FANS);
  const { id } = await runCampaign(own);
  // Every third fan has read it; the first of the other conversations is locked.
  await sql`update messages set read_at = now() where id in (
    select id from (select id, row_number() over (order by id) as n from messages) m where n % 3 = 0)`.execute(
    a.db.kysely,
  );
  const [busy] = (await recipientsOf(own, id)).filter(({ message_id }) => message_id !== null);
  // A step fails at its end, as if its process had died there.
  await sql
    .raw(`create sequence steps;
    create function die() returns trigger language plpgsql as $$ begin
      if nextval('steps') % 3 = 2 then raise 'died'; end if;
      return new;
    end $$;
    create trigger dies before update of unsent_up_to on campaigns for each row execute function die()`)
    .execute(a.db.kysely);
  await onDatabase({ connectionString: databaseUrl }, async (other) => {
    await other.query('begin');
    await other.query('select from conversations where id = $1 for update', [
      busy?.conversation_id,
    ]);
    await own.client.call(unsendCampaign, { params: { id } });
    nodes.push(await startTestApp({ databaseUrl, ...keys }));
    await until('the others lost it', async () => {
      const { counts } = await readCampaign(own, id);
      return counts.unsent > 100;
    });
    await other.query('rollback');
  });
  const { counts } = await unsent(id, own);
  const kept = Math.floor(FANS / 3);
  expect(counts).toMatchObject({ sent: kept, unsent: FANS - kept, read: kept });
  const { rows } = await sql<{ state: string; messages: number; versions: number }>`
    select r.state, count(*)::int as messages, count(distinct c.version)::int as versions
    from campaign_recipients r join messages m on m.id = r.message_id join conversations c on c.id = r.conversation_id
    where (r.state = 'unsent') = (m.unsent_at is not null) group by r.state order by r.state`.execute(
    a.db.kysely,
  );
  expect(rows).toEqual([
    { state: 'sent', messages: kept, versions: 1 },
    { state: 'unsent', messages: FANS - kept, versions: 1 },
  ]);
});
