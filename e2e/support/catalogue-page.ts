import type { Locator, Page } from '@playwright/test';
import { listProducts } from '@stagedoor/contract/selling/products';
import { buildPicture } from '../../apps/server/test/worlds/catalogue.ts';
import type { Desk, OpenOptions } from './journey.ts';

/** Locators for parts of the products page, by their accessible names. */
export const cards = (page: Page): Locator =>
  page.getByRole('list', { name: 'Products' }).getByRole('article');

export const card = (page: Page, title: string): Locator =>
  page.getByRole('article', { name: title, exact: true });

export const folderLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name });

export const dialog = (page: Page, name: string): Locator =>
  page.getByRole('dialog', { name, exact: true });

/** Chooses an item from a card's menu. */
export async function choose(page: Page, title: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${title}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Returns a picture for a file field. */
export async function pictureFile() {
  return { name: 'sunset.png', mimeType: 'image/png', buffer: await buildPicture() };
}

/** Drags a card's picture onto a folder, in several steps like a real mouse. */
export async function dragOnto(page: Page, title: string, folder: string): Promise<void> {
  const [from, to] = await Promise.all([
    middleOf(card(page, title)),
    middleOf(folderLink(page, folder)),
  ]);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 20, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
}

/** Returns a point in an element's upper half, where a card has its picture. */
export async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  // Waits until the element stops moving.
  await element.hover({ trial: true });
  const box = await element.boundingBox();
  if (!box) throw new Error('the element is not visible');
  return { x: box.x + box.width / 2, y: box.y + box.height / 3 };
}

/**
 * Inserts products that all look the same.
 * @param like the product whose pictures the new ones use
 */
export async function addProducts(
  { db }: Desk,
  like: { readonly id: string },
  rows: readonly { title: string; folder_id: string | null }[],
): Promise<void> {
  const { full_key, preview_key, thumbnail_key, mime_type, size, width, height } = await db.kysely
    .selectFrom('products')
    .selectAll()
    .where('id', '=', like.id)
    .executeTakeFirstOrThrow();
  const pictures = { full_key, preview_key, thumbnail_key, mime_type, size, width, height };
  const values = rows.map((row) => ({ description: null, price_cents: 999, ...pictures, ...row }));
  await db.kysely.insertInto('products').values(values).execute();
}

/** Opens the products page as a manager. */
export async function openCatalogue(desk: Desk, options: OpenOptions = {}) {
  const manager = await desk.hire({ role: 'manager' });
  const open = () => desk.open(manager, { path: '/products', ...options });
  const stored = async () => (await manager.client.call(listProducts)).body.data;
  return { manager, open, stored };
}
