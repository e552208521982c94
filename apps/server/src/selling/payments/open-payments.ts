import type { Config } from '../../config.ts';
import type { Core } from '../../domain.ts';
import { FAN_CLIENT_PATH } from '../../fans/fan-sessions/fan-client-url.ts';
import type { PurchasesService } from '../purchases/purchases.service.ts';
import type { TipsService } from '../tips/tips.service.ts';
import type { Payments } from './payments.ts';
import { platformPayments } from './platform-payments.ts';
import { defineRefunds, REFUND_RETRIES } from './refunds.ts';
import { createSettlements } from './settlements.ts';
import { stripeEventHandler } from './stripe-events.ts';
import type { StripeSettings } from './stripe-payments.ts';
import { serveStripeWebhook } from './stripe-webhook.ts';
import { testCardPayments } from './test-card-payments.ts';

export type PaymentSettings = 'platform' | 'test_card' | StripeSettings;

/** Returns Stripe if it is configured, the test card in development without a database URL, and otherwise the platform. */
export function paymentsFor(
  config: Pick<Config, 'stripe' | 'databaseUrl' | 'production'>,
): PaymentSettings {
  const { stripe, databaseUrl, production } = config;
  return stripe ?? (databaseUrl === null && !production ? 'test_card' : 'platform');
}

/** Opens the configured payment provider, with its webhook if it has one. */
export async function openPayments(
  settings: PaymentSettings,
  core: Core,
  purchases: PurchasesService,
  tips: TipsService,
): Promise<Payments> {
  const { http, db, log, base } = core;
  if (settings === 'platform') return platformPayments(db);
  if (settings === 'test_card') return testCardPayments;
  // Loads the SDK only if Stripe is configured.
  const { stripePayments } = await import('./stripe-payments.ts');
  const stripe = stripePayments(settings, {
    db,
    fanClient: () => `${base()}${FAN_CLIENT_PATH}`,
    log,
  });
  const retries = settings.refundRetries ?? REFUND_RETRIES;
  const queueRefund = await defineRefunds(core, stripe, retries);
  const settlements = createSettlements(core, purchases, tips);
  serveStripeWebhook(http, stripe, stripeEventHandler(core, settlements, queueRefund));
  return { ...stripe, queueRefund };
}
