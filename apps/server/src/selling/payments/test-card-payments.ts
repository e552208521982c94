import type { Payments } from './payments.ts';

/** The accepted card: Stripe's well-known test number. */
const GOOD_CARD = '4242424242424242';

/** Simulated payments, for trying out the product when no provider is configured. */
export const testCardPayments: Payments = {
  provider: 'test_card',
  pageFor: async () => null,
  expireNeedless: null,
  queueRefund: null,
  acceptsCard: (number) => number.replaceAll(/[\s-]/g, '') === GOOD_CARD,
};
