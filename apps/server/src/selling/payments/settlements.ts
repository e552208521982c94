import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { PurchasesService } from '../purchases/purchases.service.ts';
import { findReturned, noteReturned } from './payments.store.ts';

type Sale = Parameters<PurchasesService['record']>[0];

interface SettlementDependencies {
  readonly db: Database;
  readonly purchases: PurchasesService;
}

export type Settlements = ReturnType<typeof createSettlements>;

/**
 * What a payment provider says was paid and given back: again and again, late, and in any order. Each side notes its own
 * news before it looks for the other's, so that of two at once at least one sees both, and what was given back ends locked.
 */
export function createSettlements({ db, purchases }: SettlementDependencies) {
  async function takeBack(paymentReference: string, at: string): Promise<void> {
    try {
      await purchases.refund(paymentReference, at, { tellPlatform: true });
    } catch (error) {
      // Not heard of yet, or never recorded: whoever records it finds the note.
      if (!(error instanceof AppError && error.code === 'purchase_not_found')) throw error;
    }
  }

  return {
    /**
     * A payment came in. One that was given back meanwhile is no sale.
     * @throws AppError as {@link PurchasesService.record} does
     */
    async paid(sale: Sale): Promise<void> {
      if ((await findReturned(db, sale.payment_reference)) !== null) return;
      await purchases.record(sale, { tellPlatform: true });
      const returned = await findReturned(db, sale.payment_reference);
      if (returned !== null) await takeBack(sale.payment_reference, returned.toISOString());
    },

    /** A payment was given back, known here or not. @param at as the API writes instants */
    async returned(paymentReference: string, at: string): Promise<void> {
      await noteReturned(db, paymentReference, at);
      await takeBack(paymentReference, at);
    },
  };
}
