import { formatPrice } from '@stagedoor/browser/money';
import {
  type GuardRails,
  getGuardRails,
  updateGuardRails,
} from '@stagedoor/contract/messaging/guard-rails';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';

/** The banned words and price limits. An event refreshes them. */
export const guardRailsOptions = queryOptions({
  queryKey: ['guard_rails'],
  queryFn: async ({ signal }): Promise<GuardRails> => (await call(getGuardRails, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Saves the guard rails, based on the version that was read. */
export async function saveGuardRails(body: GuardRails): Promise<GuardRails> {
  return (await call(updateGuardRails, { body })).data;
}

/** Returns why a price is outside the limits, or null if it is allowed. */
export function priceObjection(price: number, rails: GuardRails | undefined): string | null {
  if (!rails) return null;
  const { price_min: min, price_max: max } = rails;
  if ((min === null || price >= min) && (max === null || price <= max)) return null;
  if (min !== null && max !== null)
    return t('Enter a price between {lowest} and {highest}', {
      lowest: formatPrice(min),
      highest: formatPrice(max),
    });
  return min === null
    ? t('Enter a price of at most {highest}', { highest: formatPrice(max ?? 0) })
    : t('Enter a price of at least {lowest}', { lowest: formatPrice(min) });
}
