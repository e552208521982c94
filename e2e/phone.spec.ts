import type { Page } from '@playwright/test';
import { buildConversation } from '../apps/server/test/factories.ts';
import { tagFan } from './support/furnish.ts';
import { expect, PHONE, test } from './support/journey.ts';
import { bubble, composer, row, tab, thread } from './support/screens.ts';

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' });

test('the bottom bar leads from page to page, and to the next fan', async ({ desk }) => {
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire({ role: 'manager' }), PHONE);
  await expect(bar(page).getByRole('link', { name: 'Inbox' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await bar(page).getByRole('link', { name: 'Products' }).tap();
  await expect(page.getByRole('heading', { name: 'Products', exact: true })).toBeVisible();
  await bar(page).getByRole('button', { name: 'More' }).tap();
  await page.getByRole('menuitem', { name: 'Console' }).tap();
  await expect(page.getByRole('heading', { name: 'Admin Console' })).toBeVisible();
  await expect(bar(page).getByRole('button', { name: 'More' })).toHaveAttribute('aria-current');
  await bar(page).getByRole('button', { name: 'Next' }).tap();
  await expect(page).toHaveURL(`/messages/${id}`);
  await expect(bar(page)).toBeHidden();
  await page.getByRole('button', { name: 'Back to Inbox' }).tap();
  await bar(page).getByRole('button', { name: 'More' }).tap();
  await page.getByRole('menuitem', { name: 'Command Palette' }).tap();
  await expect(page.getByRole('dialog', { name: 'Command Palette' })).toBeVisible();
});

test('while a mass message is written, its actions replace the bottom bar', async ({ desk }) => {
  const page = await desk.open(await desk.hire({ role: 'manager' }), {
    ...PHONE,
    path: '/campaigns',
  });
  await expect(bar(page)).toBeVisible();
  await page.getByRole('button', { name: 'New Mass Message' }).first().tap();
  const save = page.getByRole('button', { name: 'Save Draft' });
  await expect(save).toBeVisible();
  await expect(bar(page)).toBeHidden();
  const below = async () => {
    const box = await save.boundingBox();
    return PHONE.height - (box?.y ?? 0) - (box?.height ?? 0);
  };
  await expect.poll(below).toBeLessThanOrEqual(16);
  await page.getByRole('link', { name: 'Mass Messages', exact: true }).tap();
  await expect(bar(page)).toBeVisible();
});

test('the console’s header takes one row, with its buttons as icons', async ({ desk }) => {
  const page = await desk.open(await desk.hire({ role: 'manager' }), {
    ...PHONE,
    path: '/console',
  });
  const header = page.getByRole('banner');
  await expect(header.getByRole('button')).toHaveText(['Products', 'Back to Inbox']);
  const height = async () => (await header.boundingBox())?.height;
  await expect.poll(height).toBeLessThanOrEqual(64);
  await header.getByRole('button', { name: 'Back to Inbox' }).tap();
  await expect(page).toHaveURL(/\/inbox$/);
});

test('the bottom bar offers only what the role permits', async ({ desk }) => {
  const page = await desk.open(await desk.hire({ can_manage_messages: false }), PHONE);
  await bar(page).getByRole('button', { name: 'More' }).tap();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Clock In',
    'Shifts',
    'Earnings',
    'Mentions',
    'Handovers',
    'Templates',
    'Scheduled Messages',
    'Segments',
    'Command Palette',
    'Sign Out',
  ]);
  await page.keyboard.press('Escape');
  await expect(bar(page).getByRole('link')).toHaveText(['Inbox']);
  await expect(bar(page).getByRole('button')).toHaveText(['More']);
});

test('an open conversation leaves all but 140 of 844 px to its messages', async ({ desk }) => {
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await tagFan(desk, fan.id, ['VIP', 'Portugal']);
  const page = await desk.open(await desk.hire(), PHONE);
  await tab(page, 'All').click();
  await row(page, 'Ana').tap();
  await expect(page).toHaveURL(`/messages/${id}`);
  await expect(bubble(page, 'Hello there')).toBeVisible();
  const height = async () => (await thread(page).locator('..').boundingBox())?.height;
  await expect.poll(height).toBeGreaterThanOrEqual(844 - 140);
  await composer(page).tap();
  await expect(page.getByText('To Ana')).toBeVisible();

  await page.getByRole('radio', { name: 'Note' }).tap({ force: true });
  await expect(page.getByText('Only staff can see this')).toBeVisible();
  await page.getByRole('radio', { name: 'Reply' }).tap({ force: true });
  await expect(composer(page)).toBeFocused();
});
