import { listMessages } from '@stagedoor/contract/messaging/messages';
import {
  postFanRead,
  recordPurchase,
  recordRefund,
  recordTip,
} from '@stagedoor/contract/platform/platform';
import { analyticsOverview, exportAnalytics } from '@stagedoor/contract/selling/analytics';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildFanMessage, buildReply, buildStaff, unique } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { fanGroup, readCampaign, runCampaign } from '../../../test/worlds/campaigns.ts';
import { buildOffer, buildProduct } from '../../../test/worlds/catalogue.ts';
import { saleOf } from '../../../test/worlds/market.ts';

test('mass messages and tips are rows of their own, equal to the campaign’s results and to plain SQL', async () => {
  const app = await startTestApp();
  try {
    const manager = await buildStaff(app, { role: 'manager' });
    const seller = await buildStaff(app);
    const { client } = manager;
    const product = await buildProduct(manager);
    const byHand = await buildProduct(manager);
    const group = fanGroup(app);
    const fans = [await group.add(), await group.add(), await group.add(), await group.add()];
    const { id } = await runCampaign(manager, {
      audience: group.audience,
      variants: [
        {
          content: 'New!',
          share: 50,
          attachments: [{ product_id: product.id, is_paid: true, price: 9.99 }],
        },
        {
          content: 'Still new!',
          share: 50,
          attachments: [{ product_id: product.id, is_paid: true, price: 12.01 }],
        },
      ] as never,
    });
    const sales = await Promise.all(
      fans.map(async (fan) => {
        const { body } = await client.call(listMessages, { params: { id: fan.conversation_id } });
        const message = body.data.at(-1);
        if (!message) throw new Error('the fan got no message');
        const read = { up_to_message_id: message.id };
        await app.platform.call(postFanRead, { params: { fan: fan.external_id }, body: read });
        return saleOf(fan, message, message.attachments[0]?.price ?? 0);
      }),
    );
    const [first, second, third] = sales;
    for (const sale of [first, second, third])
      await app.platform.call(recordPurchase, { body: sale as NonNullable<typeof sale> });
    await app.platform.call(recordRefund, {
      body: { payment_reference: third?.payment_reference ?? '' },
    });
    const [fan] = fans;
    if (!fan) throw new Error('a fan is missing');
    await buildFanMessage(app, fan);
    await buildReply(seller, fan.conversation_id);
    const offer = await buildOffer(seller, fan.conversation_id, [byHand], 3.33);
    await app.platform.call(recordPurchase, { body: saleOf(fan, offer, 3.33) });
    const tip = (amount: number, tipped_at?: string) => ({
      fan: fan.external_id,
      amount,
      payment_reference: unique('tip'),
      ...(tipped_at !== undefined && { tipped_at }),
    });
    const refunded = tip(50);
    for (const body of [tip(5), tip(0.07), refunded]) await app.platform.call(recordTip, { body });
    await app.platform.call(recordRefund, {
      body: { payment_reference: refunded.payment_reference },
    });

    const check = async () => {
      const { rows } = await sql<Record<string, number>>`
        select
          (select count(*)::int from messages where not from_fan and campaign_id is null) as by_hand,
          (select count(*)::int from messages where campaign_id is not null) as mass,
          (select count(*)::int from product_sends s join messages m on m.id = s.message_id where m.campaign_id is not null)
            as mass_sends,
          (select count(*)::int from product_sends) as sends,
          (select count(*)::int from purchases where refunded_at is null) as purchases,
          (select sum(amount_cents)::float8 / 100 from purchases where refunded_at is null) as revenue,
          (select sum(p.amount_cents)::float8 / 100 from purchases p join messages m on m.id = p.message_id
            where p.refunded_at is null and m.campaign_id is not null) as mass_revenue,
          (select count(*)::int from tips where refunded_at is null) as tips,
          (select sum(amount_cents)::float8 / 100 from tips where refunded_at is null) as tipped`.execute(
        app.db.kysely,
      );
      const [plain] = rows;
      if (!plain) throw new Error('no row returned');
      const { body } = await client.call(analyticsOverview);
      const { overview, sources, admin_performance } = body;
      expect(overview).toMatchObject({
        total_messages: plain.by_hand,
        total_products_sent: plain.sends,
        total_purchases: plain.purchases,
      });
      expect(overview.total_revenue).toBeCloseTo(plain.revenue ?? 0, 6);
      const [hand, mass, tips] = sources;
      expect(hand).toMatchObject({
        source: 'messages',
        messages_sent: plain.by_hand,
        products_sent: 1,
        payments: 1,
        revenue: 3.33,
      });
      const { counts, variants } = await readCampaign(manager, id);
      expect(mass).toEqual({
        source: 'mass_messages',
        messages_sent: counts.sent,
        products_sent: plain.mass_sends,
        payments: counts.purchases,
        revenue: counts.revenue,
      });
      expect(counts).toMatchObject({
        sent: plain.mass,
        read: 4,
        replied: 1,
        purchases: 2,
        unlock_rate: 50,
      });
      expect(counts.revenue).toBe(plain.mass_revenue);
      expect(variants.reduce((sum, each) => sum + each.counts.purchases, 0)).toBe(2);
      expect(tips).toEqual({
        source: 'tips',
        messages_sent: 0,
        products_sent: 0,
        payments: plain.tips,
        revenue: plain.tipped,
      });
      // The sales also count for the admin who started the campaign, but the mass messages are not among their messages and
      // replies.
      const of = (admin: string) => admin_performance.find(({ admin_id }) => admin_id === admin);
      expect(of(manager.admin.id)).toMatchObject({
        messages_sent: 0,
        products_purchased: 2,
        total_revenue: counts.revenue,
        reply_time_p50: null,
        tips: 0,
      });
      expect(of(seller.admin.id)).toMatchObject({
        products_purchased: 1,
        tips: 2,
        tip_revenue: 5.07,
      });
      const { text } = await client.call(exportAnalytics, { query: { report: 'sources' } });
      expect(text.trimEnd().split('\r\n')).toEqual([
        'source,messages_sent,products_sent,payments,revenue',
        ...sources.map((row) =>
          [
            row.source,
            row.messages_sent,
            row.products_sent,
            row.payments,
            row.revenue.toFixed(2),
          ].join(','),
        ),
      ]);
    };
    await check();
    // From stored sums: of all days up to now, and of one that changes afterwards.
    await sql`select sum_up_days(date_bin('1 day', clock_timestamp() + interval '1 day', 'epoch'))`.execute(
      app.db.kysely,
    );
    await check();
    for (const { payment_reference } of sales.slice(0, 1)) {
      await app.platform.call(recordRefund, { body: { payment_reference } });
      await app.platform.call(recordRefund, { body: { payment_reference } });
    }
    const { body } = await client.call(analyticsOverview);
    const { counts } = await readCampaign(manager, id);
    expect(body.sources[1]).toMatchObject({ payments: 1, revenue: counts.revenue });
    await app.platform.call(recordTip, { body: tip(1.23) });
    const late = await client.call(analyticsOverview);
    expect(late.body.sources[2]).toMatchObject({ payments: 3, revenue: 6.3 });
  } finally {
    await app.close();
  }
});
