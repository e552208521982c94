import * as api from '@stagedoor/contract/selling/analytics';
import type { Core } from '../../domain.ts';
import { AppError, purchaseNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import type { PurchasesService } from '../purchases/purchases.service.ts';
import * as store from './double-payments.store.ts';
import { type Payments, stripePaymentOf } from './payments.ts';

interface DoublePaymentRoutes extends Core {
  readonly payments: Pick<Payments, 'queueRefund'>;
  readonly purchases: Pick<PurchasesService, 'refund'>;
}

/** Binds the list of double payments and their refunds. */
export function bindDoublePaymentRoutes(
  router: Router,
  { db, payments, purchases }: DoublePaymentRoutes,
): void {
  router.bind(api.listDoublePayments, async () =>
    reply(200, { data: await store.listDoublePayments(db) }),
  );

  router.bind(api.refundDoublePayment, async ({ actor, params: { id } }) => {
    const found = await store.findDoublePayment(db, id);
    if (found === null) throw purchaseNotFound();
    const adminId = actor.admin.id;
    const payment = stripePaymentOf(found.payment_reference);
    if (payment === null) {
      // The platform has to return the money; a webhook notifies it of the refund.
      const report = { notifyPlatform: true, adminId };
      await purchases.refund(found.payment_reference, undefined, report);
      return reply(200, { data: { state: 'refunded' } });
    }
    if (payments.queueRefund === null) throw new AppError('payment_unavailable');
    const note = (tx: Parameters<typeof store.noteRefundRequest>[0]) =>
      store.noteRefundRequest(tx, id);
    await payments.queueRefund(payment, 'already_owned', found.attachment_id, { adminId, note });
    return reply(200, { data: { state: 'requested' } });
  });
}
