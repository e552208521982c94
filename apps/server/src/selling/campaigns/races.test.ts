import { randomBytes } from 'node:crypto';
import { eraseFan, recordPurchase } from '@stagedoor/contract/platform/platform';
import {
  pauseCampaign,
  resumeCampaign,
  startCampaign,
} from '@stagedoor/contract/selling/campaigns';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { buildStaff } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import {
  buildCampaign,
  fanGroup,
  finished,
  NOTE_WRONG_OFFERS,
  readCampaign,
  recipientsOf,
} from '../../../test/worlds/campaigns.ts';
import { buildOffer, buildProduct } from '../../../test/worlds/catalogue.ts';
import { saleOf } from '../../../test/worlds/market.ts';

const FANS = 900;
/** Fans who buy, and fans who are erased, while the campaign runs. */
const BUYERS = 12;
const ERASED = 12;

test('each fan gets a message once or never, whatever happens meanwhile, and owners get no offer', async () => {
  const { url: databaseUrl, drop } = await createTestDatabase();
  const keys = {
    codeKey: randomBytes(32),
    mediaKey: randomBytes(32),
    inviteKey: randomBytes(32),
  };
  const start = () => startTestApp({ databaseUrl, ...keys });
  const a = await start();
  const nodes = [await start()];
  onTestFinished(async () => {
    for (const node of [...nodes, a]) await node.close();
    await drop();
  });
  const manager = await buildStaff(a, { role: 'manager' });
  const product = await buildProduct(manager);
  await sql`insert into fans (external_id, first_name)
    select 'crowd-' || n, 'Fan' from generate_series(1, ${FANS}) n`.execute(a.db.kysely);
  const { rows: fans } = await sql<{ id: string; external_id: string; conversation_id: string }>`
    with opened as (
      insert into conversations (fan_id, creator_id) select f.id, c.id from fans f, creators c returning id, fan_id
    ) select f.id, f.external_id, o.id as conversation_id from opened o join fans f on f.id = o.fan_id
    order by random()`.execute(a.db.kysely);
  const buyers = fans.slice(0, BUYERS);
  const offers = [];
  for (const buyer of buyers)
    offers.push(await buildOffer(manager, buyer.conversation_id, [product], 5));

  await sql.raw(NOTE_WRONG_OFFERS).execute(a.db.kysely);
  const { id } = await buildCampaign(manager, {
    // Slow enough for all of this to happen while it runs.
    per_minute: 12_000,
    variants: [
      {
        content: 'For you, {first_name}',
        attachments: [{ product_id: product.id, is_paid: true, price: 9 }],
        share: 60,
      },
      {
        content: 'New!',
        attachments: [{ product_id: product.id, is_paid: true, price: 8 }],
        share: 40,
      },
    ],
  });
  const params = { id };
  await manager.client.call(startCampaign, { params });

  const buying = (async () => {
    for (const [index, buyer] of buyers.entries()) {
      const offer = offers[index];
      if (offer === undefined) continue;
      await a.platform.call(recordPurchase, { body: saleOf(buyer, offer, 5) });
    }
  })();
  const erasing = (async () => {
    for (const fan of fans.slice(-ERASED))
      await a.platform.call(eraseFan, { params: { fan: fan.external_id } });
  })();
  const disturbing = (async () => {
    for (let turn = 0; turn < 3; turn++) {
      // Kills the campaign's transactions as a crash would, but not those of erasures, which set `was_read`.
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%campaign_recipients%'
        and query not like '%was_read%'`.execute(a.db.kysely);
      await nodes.pop()?.close();
      nodes.push(await start());
      await manager.client
        .call(pauseCampaign, { params })
        .then(() => manager.client.call(resumeCampaign, { params }))
        .catch(() => undefined);
    }
  })();
  await Promise.all([buying, erasing, disturbing]);
  const { state } = await readCampaign(manager, id);
  if (state === 'paused') await manager.client.call(resumeCampaign, { params });
  const done = await finished(manager, id);

  const recipients = await recipientsOf(manager, id);
  const sent = recipients.filter((each) => each.state === 'sent');
  expect(new Set(recipients.map(({ fan_id }) => fan_id)).size).toBe(recipients.length);
  expect(recipients.filter((each) => each.state === 'pending')).toEqual([]);
  expect(done.counts).toMatchObject({
    audience: recipients.length,
    sent: sent.length,
    skipped: recipients.length - sent.length,
  });
  expect(recipients.length).toBeGreaterThanOrEqual(FANS - ERASED);
  const { rows: broken } = await sql`
    select c.id from conversations c join fans f on f.id = c.fan_id left join messages m on m.conversation_id = c.id
    left join campaign_recipients r on r.campaign_id = ${id} and r.fan_id = c.fan_id
    group by c.id, r.state, r.message_id
    having c.last_seq <> count(m.id) or c.last_seq <> coalesce(max(m.seq), 0)
      or count(*) filter (where m.campaign_id = ${id}) <> (r.state = 'sent')::int
      or count(*) filter (where m.campaign_id = ${id} and m.id <> r.message_id) > 0`.execute(
    a.db.kysely,
  );
  expect(broken).toEqual([]);
  const { rows: wrong } = await sql`select * from wrong_offers`.execute(a.db.kysely);
  expect(wrong).toEqual([]);
  const { rows: counted } = await sql<{ times_sent: number; offers: number }>`
    select times_sent, (select count(*)::int from product_sends where product_id = p.id) as offers from products p
    where id = ${product.id}`.execute(a.db.kysely);
  expect(counted[0]?.times_sent).toBe(counted[0]?.offers);
});

test('a campaign that is started while a long one runs doesn’t wait for its end', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  const manager = await buildStaff(app, { role: 'manager' });
  await sql`with crowd as (
      insert into fans (external_id, first_name) select 'crowd-' || n, 'Crowd' from generate_series(1, 6000) n returning id
    ) insert into conversations (fan_id, creator_id) select f.id, c.id from crowd f, creators c`.execute(
    app.db.kysely,
  );
  const group = fanGroup(app);
  await group.add();
  // Makes every batch slow, even on a fast machine.
  await sql
    .raw(`create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return null; end $$;
    create trigger waits after insert on messages for each statement execute function wait()`)
    .execute(app.db.kysely);
  const long = await buildCampaign(manager);
  await manager.client.call(startCampaign, { params: { id: long.id } });
  await until(
    'the first batch',
    async () => (await readCampaign(manager, long.id)).counts.sent > 0,
  );
  const short = await buildCampaign(manager, { audience: group.audience });
  await manager.client.call(startCampaign, { params: { id: short.id } });
  await finished(manager, short.id);
  expect((await readCampaign(manager, long.id)).state).toBe('running');
});
