import { nextConversation } from '@stagedoor/contract/inbox/queue';
import { recordPurchase } from '@stagedoor/contract/platform/platform';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildProduct } from '../../../test/worlds/catalogue.ts';

const app = await sharedApp();

test('the reasons include how many of the offered products the fan bought', async () => {
  const staff = await buildStaff(app, { role: 'manager' });
  const { id, fan } = await buildConversation(app);
  const offers = [];
  for (let count = 0; count < 3; count++) {
    const product = await buildProduct(staff);
    const attachments = [{ product_id: product.id, price: 5, is_paid: true as const }];
    offers.push(await buildReply(staff, id, { content: ' ', attachments }));
  }
  const [attachment] = offers[0]?.attachments ?? [];
  await app.platform.call(recordPurchase, {
    body: {
      fan: fan.external_id,
      message_id: offers[0]?.id ?? '',
      attachment_id: attachment?.id ?? '',
      amount: 5,
      payment_reference: `pay-${id}`,
    },
  });
  await buildFanMessage(app, fan);
  const { body } = await staff.client.call(nextConversation);
  expect(body.data?.id).toBe(id);
  expect(body.reasons).toContainEqual({ kind: 'bought', bought: 1, offered: 3 });
});
