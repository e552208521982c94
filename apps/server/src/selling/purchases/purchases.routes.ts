import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { type Router, reply } from '../../http/route.ts';
import type { PurchasesService } from './purchases.service.ts';

/** The platform gets no webhooks for its own reports. */
const BY_PLATFORM = { notifyPlatform: false };

/** Binds the platform's reports of payments and refunds. */
export function bindPurchaseRoutes(router: Router, purchases: PurchasesService): void {
  router.bind(recordPurchase, async ({ body }) => {
    const { purchase, created } = await purchases.record(body, BY_PLATFORM);
    return reply(created ? 201 : 200, { data: purchase });
  });

  router.bind(recordRefund, async ({ body }) =>
    reply(200, {
      data: await purchases.refund(body.payment_reference, body.refunded_at, BY_PLATFORM),
    }),
  );
}
