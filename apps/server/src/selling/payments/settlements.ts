import type { Core } from '../../domain.ts';
import { AppError } from '../../errors.ts';
import type { PurchasesService } from '../purchases/purchases.service.ts';
import type { TipsService } from '../tips/tips.service.ts';
import { findReturned, noteReturned } from './payments.store.ts';

type Sale = Parameters<PurchasesService['record']>[0];
type Tip = Parameters<TipsService['record']>[0];

export type Settlements = ReturnType<typeof createSettlements>;

/**
 * Records payments and refunds that a provider reports, even repeatedly, late or out of order. Each report is stored before its
 * counterpart is looked up, so at least one of two concurrent reports sees both, and a refunded product ends up locked.
 */
export function createSettlements({ db }: Core, purchases: PurchasesService, tips: TipsService) {
  async function takeBack(paymentReference: string, at: string): Promise<void> {
    try {
      await purchases.refund(paymentReference, at, { notifyPlatform: true });
    } catch (error) {
      // The payment is not recorded yet or never will be. If it is recorded later, `paid` finds the stored refund.
      if (!(error instanceof AppError && error.code === 'purchase_not_found')) throw error;
    }
  }

  return {
    /**
     * Records a payment for an offer or a tip. Ignores a payment that is already refunded.
     * @throws AppError as {@link PurchasesService.record} and {@link TipsService.record} do
     */
    async paid(sale: Sale | Tip): Promise<void> {
      if ((await findReturned(db, sale.payment_reference)) !== null) return;
      const report = { notifyPlatform: true };
      await ('attachment_id' in sale ? purchases.record(sale, report) : tips.record(sale, report));
      const returned = await findReturned(db, sale.payment_reference);
      if (returned !== null) await takeBack(sale.payment_reference, returned.toISOString());
    },

    /** Records a refund, whether the payment is known or not. @param at in the API's instant format */
    async returned(paymentReference: string, at: string): Promise<void> {
      await noteReturned(db, paymentReference, at);
      await takeBack(paymentReference, at);
    },
  };
}
