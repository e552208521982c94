import type { Page } from '@playwright/test';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import type { Product } from '@stagedoor/contract/selling/products';
import {
  type BuiltConversation,
  buildConversation,
  type Staff,
} from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { saleOf } from '../../apps/server/test/worlds/market.ts';
import type { Desk } from './journey.ts';

const DAY_MS = 86_400_000;

/** A sent product and when it was bought; by default it was not. */
interface SaleOptions {
  fan: string;
  product: Product;
  /** USD. */
  price: number;
  daysAgo?: number;
  isRefunded?: boolean;
}

/** Sends a product to a new fan with this name. Depending on the options, the fan buys it, and is refunded. */
export async function sell(
  desk: Desk,
  seller: Staff,
  { fan: name, product, price, daysAgo, isRefunded = false }: SaleOptions,
): Promise<BuiltConversation> {
  const conversation = await buildConversation(desk, { fan: { first_name: name } });
  const message = await buildOffer(seller, conversation.id, [product], price);
  if (daysAgo === undefined) return conversation;
  const sale = saleOf(conversation.fan, message, price);
  const purchased_at = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  await desk.platform.call(recordPurchase, { body: { ...sale, purchased_at } });
  if (isRefunded) {
    const { payment_reference } = sale;
    await desk.platform.call(recordRefund, { body: { payment_reference } });
  }
  return conversation;
}

/**
 * Creates five offers, sent today by two staff members. Four were bought: 2 days ago, 2 days ago (then refunded), 20 and 70 days
 * ago. For the last 30 days, the analytics show two purchases, $20.00 and a conversion rate of 40 %.
 */
export async function openShop(desk: Desk) {
  const manager = await desk.hire({ role: 'manager' });
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  const papaya = await desk.hire({ codename: 'Papaya' });
  const sunset = await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  const backstage = await buildProduct(manager, { title: 'Backstage', price: '25' });
  const ana = await sell(desk, kiwi, { fan: 'Ana', product: sunset, price: 10, daysAgo: 2 });
  await sell(desk, kiwi, { fan: 'Ben', product: sunset, price: 10, daysAgo: 20 });
  await sell(desk, papaya, {
    fan: 'Cleo',
    product: backstage,
    price: 24.5,
    daysAgo: 2,
    isRefunded: true,
  });
  await sell(desk, papaya, { fan: 'Dora', product: backstage, price: 30.25, daysAgo: 70 });
  await sell(desk, kiwi, { fan: 'Eva', product: backstage, price: 25 });
  return { manager, kiwi, papaya, sunset, backstage, ana };
}

/** Locators for parts of the analytics, by their accessible names. */
export const analytics = (page: Page) =>
  page.getByRole('region', { name: 'Analytics', exact: true });

export const chart = (page: Page, figure: string) =>
  page.getByRole('application', { name: new RegExp(`^${figure} by `) });

/** Returns a table's cells, row by row, without its header. */
export function cellsOf(page: Page, table: string): Promise<string[][]> {
  return page
    .getByRole('region', { name: table })
    .getByRole('row')
    .evaluateAll((rows) =>
      rows
        .slice(1)
        .map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? '')),
    );
}
