import { toUsd } from '@stagedoor/contract/selling/cents';
import type { Database } from '../../db/database.ts';
import { findCheckoutUrl } from './payments.store.ts';
import type { Payments } from './payments.ts';

/**
 * Leaves payments to the platform, which reports them through the platform API. The platform can give the URL of its payment page
 * when it creates the fan's session; otherwise, the fan pays in the page that embeds the client.
 */
export const platformPayments = (db: Database): Payments => ({
  provider: 'platform',
  acceptsCard: null,
  expireNeedless: null,
  queueRefund: null,
  async pageFor({ sessionId, item, price_cents }) {
    const page = await findCheckoutUrl(db, sessionId);
    if (page === null) return null;
    const url = new URL(page);
    for (const [name, value] of Object.entries(item)) url.searchParams.set(name, value);
    url.searchParams.set('amount', toUsd(price_cents).toFixed(2));
    return url.href;
  },
});
