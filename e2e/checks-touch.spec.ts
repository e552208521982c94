import type { Page } from '@playwright/test';
import { createFolder } from '@stagedoor/contract/selling/products';
import { buildConversation, buildReply } from '../apps/server/test/factories.ts';
import { buildProduct } from '../apps/server/test/worlds/catalogue.ts';
import { type Desk, expect, PHONE, TABLET, test } from './support/journey.ts';
import { bubble, composer, row, tab } from './support/screens.ts';
import { smallTargets } from './support/targets.ts';

async function furnish(desk: Desk) {
  const manager = await desk.hire({ role: 'manager' });
  await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  await manager.client.call(createFolder, { body: { name: 'Summer', description: null } });
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildReply(manager, id);
  return { manager, id };
}

/** Clicks a button that opens a dialog or a menu, returns the small targets in it, and closes it. */
async function look(page: Page, name: string | RegExp): Promise<string[]> {
  await page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
  const opened = page.getByRole('dialog').or(page.getByRole('menu'));
  await expect(opened.first()).toBeVisible();
  const found = await smallTargets(page);
  await page.keyboard.press('Escape');
  await expect(opened).toHaveCount(0);
  return found.map((line) => `${String(name)}: ${line}`);
}

for (const size of [PHONE, { ...TABLET, touch: true }]) {
  test(`40: every touch target in the inbox and a conversation is at least 44 px (${size.name})`, async ({
    desk,
  }) => {
    const { manager, id } = await furnish(desk);
    const page = await desk.open(manager, size);
    await tab(page, 'All').click();
    await expect(row(page, 'Ana')).toBeVisible();
    expect(await smallTargets(page)).toEqual([]);
    for (const name of ['Tags', 'Invite Users', 'Settings', size === PHONE ? 'More' : 'Commands'])
      expect(await look(page, name)).toEqual([]);

    await page.goto(`/inbox/${id}`);
    await expect(bubble(page, 'Hi!')).toBeVisible();
    await composer(page).fill('A draft');
    expect(await smallTargets(page)).toEqual([]);
    for (const name of ['Attach', 'More Actions', 'Manage Tags'])
      expect(await look(page, name)).toEqual([]);
    await page.getByRole('button', { name: 'Notes' }).click();
    await expect(page.getByRole('heading', { name: /^Notes/ })).toBeVisible();
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await smallTargets(page)).toEqual([]);
  });

  test(`40: every touch target on the other pages is at least 44 px (${size.name})`, async ({
    desk,
  }) => {
    const { manager } = await furnish(desk);
    const page = await desk.open(manager, { ...size, path: '/products' });
    await expect(page.getByText('Sunset Set').first()).toBeVisible();
    expect(await smallTargets(page)).toEqual([]);
    for (const name of ['Manage Folders', 'Create Product'])
      expect(await look(page, name)).toEqual([]);
    for (const [path, heading] of [
      ['/console', 'Admin Console'],
      ['/console/audit', 'Audit Log'],
      ['/console/rules', 'Team Rules'],
      ['/console/security', 'Passkeys at Sign-In'],
      ['/console/platform', 'Platform Keys'],
      ['/earnings', 'Earnings'],
      ['/shifts', 'Shifts'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(await smallTargets(page), path).toEqual([]);
    }
    expect(await look(page, 'Plan Shift')).toEqual([]);
    const guest = await desk.openSignedOut(size);
    await expect(guest.getByLabel('Please enter your email')).toBeVisible();
    expect(await smallTargets(guest)).toEqual([]);
  });
}

test('a reaction takes no touches meant for the message below it', async ({ desk }) => {
  const staff = await desk.hire();
  const { id, messages } = await buildConversation(desk, { messages: ['The first', 'The second'] });
  const { id: user_id } = staff.admin;
  const reaction = { message_id: messages[0]?.id ?? '', user_id, emoji: '🔥' };
  await desk.db.kysely.insertInto('reactions').values(reaction).execute();
  const page = await desk.open(staff, { ...PHONE, path: `/messages/${id}` });
  const chip = await bubble(page, 'The first').getByRole('button', { name: /^🔥/ }).boundingBox();
  const below = await bubble(page, 'The second').getByText('The second').boundingBox();
  if (!chip || !below) throw new Error('nothing is shown');
  const touched = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x, y)?.closest('article')?.textContent,
    [chip.x + chip.width / 2, below.y - 4] as const,
  );
  expect(touched).toContain('The second');
});
