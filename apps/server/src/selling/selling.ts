import type { PaymentProvider } from '@stagedoor/contract/platform/fan-app';
import { fillWrittenTimes } from '../db/written-times.ts';
import type { Core, Domain } from '../domain.ts';
import { findFan } from '../fans/fans/fans.store.ts';
import { every } from '../realtime/outbox.ts';
import { bindAnalyticsRoutes } from './analytics/analytics.routes.ts';
import { sumUpDays } from './analytics/analytics.store.ts';
import { bindDoublePaymentRoutes } from './payments/double-payments.routes.ts';
import { openPayments, type PaymentSettings } from './payments/open-payments.ts';
import { bindPaymentRoutes } from './payments/payments.routes.ts';
import { createPaymentsService, type PaymentsDependencies } from './payments/payments.service.ts';
import { bindProductRoutes } from './products/products.routes.ts';
import { purgeProducts } from './products/products.store.ts';
import { bindPurchaseRoutes } from './purchases/purchases.routes.ts';
import {
  createPurchasesService,
  type PurchasesDependencies,
} from './purchases/purchases.service.ts';
import { bindSegmentRoutes } from './segments/segments.routes.ts';
import { createSegmentsService } from './segments/segments.service.ts';

/** How often to sum up finished days. Milliseconds. */
const SUM_UP_MS = 60_000;
/** How often to expire open checkouts for products that their fans already own. Milliseconds. */
const EXPIRE_MS = 1_000;

interface SellingParts {
  readonly messages: PaymentsDependencies['messages'];
  readonly showProduct: PurchasesDependencies['showProduct'];
  readonly sold: PurchasesDependencies['sold'];
  readonly payments: PaymentSettings;
}

export interface Selling extends Domain {
  readonly paymentProvider: PaymentProvider;
}

/** Wires products, purchases, payments, analytics and segments. */
export async function openSelling(core: Core, parts: SellingParts): Promise<Selling> {
  const { db, logError } = core;
  const { messages, showProduct, sold } = parts;
  const purchases = createPurchasesService({
    ...core,
    findFan: (externalId) => findFan(db, externalId),
    showProduct,
    sold,
  });
  const payments = await openPayments(parts.payments, core, purchases);
  const intervals = [
    every(SUM_UP_MS, () => sumUpDays(db), logError),
    ...(payments.expireNeedless ? [every(EXPIRE_MS, payments.expireNeedless, logError)] : []),
  ];
  return {
    paymentProvider: payments.provider,
    bind(router) {
      bindProductRoutes(router, core);
      bindPurchaseRoutes(router, purchases);
      bindPaymentRoutes(router, {
        paying: createPaymentsService({ payments, purchases, messages }),
      });
      bindDoublePaymentRoutes(router, { ...core, payments, purchases });
      bindAnalyticsRoutes(router, { db });
      bindSegmentRoutes(router, { segments: createSegmentsService(core) });
    },
    reemitters: purchases.reemitters,
    sweeps: [() => purgeProducts(db), fillWrittenTimes(db)],
    stop: () => Promise.all(intervals.map((interval) => interval.stop())),
  };
}
