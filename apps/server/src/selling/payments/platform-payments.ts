import { toUsd } from '@stagedoor/contract/selling/cents';
import type { Database } from '../../db/database.ts';
import { findCheckoutUrl } from './payments.store.ts';
import type { Payments } from './payments.ts';

/**
 * The platform takes payments and reports them through its API. It gives its payment page when it creates the fan's session;
 * without one, the fan pays in the page that embeds the client.
 */
export const platformPayments = (db: Database): Payments => ({
  provider: 'platform',
  acceptsCard: null,
  expireNeedless: null,
  queueRefund: null,
  async pageFor({ sessionId, message_id, attachment_id, price_cents }) {
    const page = await findCheckoutUrl(db, sessionId);
    if (page === null) return null;
    const url = new URL(page);
    url.searchParams.set('message_id', message_id);
    url.searchParams.set('attachment_id', attachment_id);
    url.searchParams.set('amount', toUsd(price_cents).toFixed(2));
    return url.href;
  },
});
