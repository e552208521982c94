import { toUsd } from '@stagedoor/contract/selling/cents';
import type { Database } from '../../db/database.ts';
import { findCheckoutUrl } from './payments.store.ts';
import type { Payments } from './payments.ts';

/**
 * The platform takes the payments and reports them over its API. Where its page is, it said when it asked for the fan's
 * session; without a page the fan pays in whatever embeds the client.
 */
export const platformPayments = (db: Database): Payments => ({
  provider: 'platform',
  acceptsCard: null,
  expireNeedless: null,
  giveBack: null,
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
