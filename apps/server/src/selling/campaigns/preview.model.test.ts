import { recordPurchase } from '@stagedoor/contract/platform/platform';
import { previewCampaign, startCampaign } from '@stagedoor/contract/selling/campaigns';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildFanMessage, buildReply, buildStaff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildCampaign, fanGroup, finished, recipientsOf } from '../../../test/worlds/campaigns.ts';
import { buildOffer, buildProduct } from '../../../test/worlds/catalogue.ts';
import { saleOf } from '../../../test/worlds/market.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const product = await buildProduct(manager);

/** What happened to a fan before the preview, and between the first preview and the start. */
const aFan = fc.record({
  hasName: fc.boolean(),
  offer: fc.constantFrom('none', 'offered', 'bought'),
  wrote: fc.boolean(),
  gotReply: fc.boolean(),
  wroteSince: fc.boolean(),
  boughtSince: fc.boolean(),
});
const aState = fc.record({
  fans: fc.array(aFan, { minLength: 1, maxLength: 5 }),
  content: fc.constantFrom('Hi', 'Hi {first_name}', 'Hi {first_name|there}'),
  isOffer: fc.boolean(),
  exclude: fc.record(
    {
      offered_within_days: fc.constant(1),
      messaged_within_hours: fc.constant(1),
      unread: fc.boolean(),
      in_conversation: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
});

test('for random states, a preview’s numbers at the start are what is sent, each difference with its reason', async () => {
  await fc.assert(
    fc.asyncProperty(aState, async ({ fans, content, isOffer, exclude }) => {
      const group = fanGroup(app);
      const since: (() => Promise<unknown>)[] = [];
      for (const { hasName, offer, wrote, gotReply, wroteSince, boughtSince } of fans) {
        const fan = await group.add({ first_name: hasName ? 'Ana' : '' });
        const offered =
          offer === 'none' ? null : await buildOffer(manager, fan.conversation_id, [product], 3);
        const buy = async () => {
          if (offered) await app.platform.call(recordPurchase, { body: saleOf(fan, offered, 3) });
        };
        if (offer === 'bought') await buy();
        if (wrote) await buildFanMessage(app, fan);
        if (gotReply) await buildReply(manager, fan.conversation_id);
        if (wroteSince) since.push(() => buildFanMessage(app, fan));
        if (boughtSince && offer === 'offered') since.push(buy);
      }
      const attachments = isOffer
        ? [{ product_id: product.id, is_paid: true as const, price: 5 }]
        : [];
      const { id } = await buildCampaign(manager, {
        variants: [{ content, attachments }],
        audience: group.audience,
        exclude,
      });
      const params = { id };
      const preview = async () =>
        (await manager.client.call(previewCampaign, { params })).body.data;
      const first = await preview();
      for (const happen of since) await happen();
      const last = await preview();
      await manager.client.call(startCampaign, { params });
      const { counts } = await finished(manager, id);
      const recipients = await recipientsOf(manager, id);
      const skippedFor = (reason: string) =>
        recipients.filter((recipient) => recipient.reason === reason).length;
      expect(counts).toMatchObject({ audience: last.audience, sent: last.sendable });
      for (const [reason, count] of Object.entries(last.excluded))
        expect([reason, skippedFor(reason)]).toEqual([reason, count]);
      expect(recipients.length).toBe(fans.length);
      expect(first.sendable - last.sendable).toBeLessThanOrEqual(since.length);
    }),
    { numRuns: 20 },
  );
});
