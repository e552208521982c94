import {
  type GuardRails,
  getGuardRails,
  updateGuardRails,
} from '@stagedoor/contract/messaging/guard-rails';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { formatPrice } from '../../lib/text/price.ts';

/** What messages may not say or ask. An event tells when it changed. */
export const guardRailsOptions = queryOptions({
  queryKey: ['guard_rails'],
  queryFn: async ({ signal }): Promise<GuardRails> => (await call(getGuardRails, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Sets all of it, at the version at which it was read. */
export async function saveGuardRails(body: GuardRails): Promise<GuardRails> {
  return (await call(updateGuardRails, { body })).data;
}

/** What is said of a price that managers don't allow; null for one that they do. */
export function priceObjection(price: number, rails: GuardRails | undefined): string | null {
  if (!rails) return null;
  const { price_min: min, price_max: max } = rails;
  if ((min === null || price >= min) && (max === null || price <= max)) return null;
  if (min !== null && max !== null)
    return t('Please ask between {lowest} and {highest}', {
      lowest: formatPrice(min),
      highest: formatPrice(max),
    });
  return min === null
    ? t('Please ask at most {highest}', { highest: formatPrice(max ?? 0) })
    : t('Please ask at least {lowest}', { lowest: formatPrice(min) });
}
