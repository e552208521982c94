import type { PaymentProvider } from '@stagedoor/contract/platform/fan-app';
import { fillWrittenTimes } from '../db/written-times.ts';
import type { Core, Domain } from '../domain.ts';
import { every } from '../realtime/outbox.ts';
import { bindAnalyticsRoutes } from './analytics/analytics.routes.ts';
import { sumUpDays } from './analytics/analytics.store.ts';
import { purgeCampaignFiles } from './campaigns/campaign-files.store.ts';
import { bindCampaignRoutes } from './campaigns/campaigns.routes.ts';
import {
  type CampaignsDependencies,
  createCampaignsService,
} from './campaigns/campaigns.service.ts';
import { createRecipientsService } from './campaigns/recipients.service.ts';
import { fillResults } from './campaigns/results.store.ts';
import { createContestsService } from './earnings/contests.service.ts';
import { bindEarningRoutes } from './earnings/earnings.routes.ts';
import { createEarningsService, type EarningsDependencies } from './earnings/earnings.service.ts';
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
import { bindTipRoutes } from './tips/tips.routes.ts';
import { createTipsService } from './tips/tips.service.ts';

/** How often to sum up finished days. Milliseconds. */
const SUM_UP_MS = 60_000;
/** How often to expire open checkouts that are no longer needed. Milliseconds. */
const EXPIRE_MS = 1_000;
/** How often to look for campaigns with something to send. Milliseconds. */
const CAMPAIGNS_MS = 250;
/** How often to book staff earnings. Milliseconds. */
const BOOK_MS = 1_000;

interface SellingParts {
  readonly messages: PaymentsDependencies['messages'];
  readonly showProduct: PurchasesDependencies['showProduct'];
  readonly showNew: CampaignsDependencies['showNew'];
  readonly unsend: CampaignsDependencies['unsend'];
  readonly refusalOf: CampaignsDependencies['refusalOf'];
  readonly sold: PurchasesDependencies['sold'];
  readonly notifyOfEarnings: EarningsDependencies['notify'];
  readonly payments: PaymentSettings;
}

export interface Selling extends Domain {
  readonly paymentProvider: PaymentProvider;
}

/** Wires products, purchases, tips, payments, earnings, analytics, segments and mass messages. */
export async function openSelling(core: Core, parts: SellingParts): Promise<Selling> {
  const { db, logError } = core;
  const { messages, showProduct, showNew, unsend, refusalOf, sold } = parts;
  const tips = createTipsService(core);
  const purchases = createPurchasesService({ ...core, tips, showProduct, sold });
  const payments = await openPayments(parts.payments, core, purchases, tips);
  const campaigns = createCampaignsService({ ...core, showNew, unsend, refusalOf });
  const earnings = createEarningsService({ ...core, notify: parts.notifyOfEarnings });
  const contests = createContestsService({
    db,
    book: earnings.book,
    change: earnings.change,
    notify: parts.notifyOfEarnings,
  });
  const intervals = [
    every(CAMPAIGNS_MS, campaigns.work, logError),
    every(BOOK_MS, earnings.book, logError),
    every(SUM_UP_MS, () => sumUpDays(db), logError),
    ...(payments.expireNeedless ? [every(EXPIRE_MS, payments.expireNeedless, logError)] : []),
  ];
  return {
    paymentProvider: payments.provider,
    bind(router) {
      bindProductRoutes(router, core);
      bindPurchaseRoutes(router, purchases);
      bindTipRoutes(router, core, tips);
      bindPaymentRoutes(router, createPaymentsService({ payments, purchases, tips, messages }));
      bindDoublePaymentRoutes(router, { ...core, payments, purchases });
      bindAnalyticsRoutes(router, db);
      bindCampaignRoutes(router, campaigns, createRecipientsService(db));
      bindEarningRoutes(router, earnings, contests);
      bindSegmentRoutes(router, createSegmentsService(core));
    },
    reemitters: { ...purchases.reemitters, ...tips.reemitters, ...campaigns.reemitters },
    sweeps: [
      () => purgeProducts(db),
      () => purgeCampaignFiles(db),
      fillWrittenTimes(db),
      fillResults(db),
    ],
    stop() {
      campaigns.stop();
      return Promise.all(intervals.map((interval) => interval.stop()));
    },
  };
}
