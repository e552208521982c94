import { buildConversation, buildReply } from '../../apps/server/test/factories.ts';
import { openLive } from '../support/conversation.ts';
import { DESKTOP, expect, PHONE, TABLET, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { button, composer, keepToast, row, rows, tab } from '../support/screens.ts';

test('a claim shows live to teammates, who see who claimed it and get no claim button', async ({
  desk,
}) => {
  const [mango, kiwi] = [
    await desk.hire({ codename: 'Mango' }),
    await desk.hire({ codename: 'Kiwi' }),
  ];
  const { id } = await buildConversation(desk);
  const one = await desk.open(mango, { path: `/inbox/${id}` });
  const two = await desk.open(kiwi, { path: `/inbox/${id}` });
  await expect(two.getByRole('button', { name: 'Claim' })).toBeVisible();

  await one.getByRole('button', { name: 'Claim' }).click();
  await expect(one.getByRole('button', { name: 'Release' })).toBeVisible();
  await expect(tab(one, 'Mine')).toHaveText('Mine1');
  await expect(two.getByText('Claimed by other')).toBeVisible();
  await expect(two.getByText('Claimed by Mango')).toBeAttached();
  for (const name of ['Claim', 'Release']) {
    await expect(two.getByRole('button', { name, exact: true })).toHaveCount(0);
  }
  await two.getByRole('button', { name: 'More Actions' }).click();
  await expect(two.getByRole('menuitem', { name: /claim|release/i })).toHaveCount(0);
  await two.keyboard.press('Escape');
  await expect(composer(two)).toBeEditable();
  await tab(one, 'Mine').click();
  await expect(row(one, 'Ana')).toContainText('Claimed');

  await one.getByRole('button', { name: 'Release' }).click();
  await keepToast(one, 'Released Ana');
  await expect(two.getByRole('button', { name: 'Claim' })).toBeVisible();
  await one.getByRole('button', { name: 'Undo' }).click();
  await expect(two.getByText('Claimed by other')).toBeVisible();
});

test('admins who can manage admins release claims of others, after confirmation', async ({
  desk,
}) => {
  const mango = await desk.hire({ codename: 'Mango' });
  const manager = await desk.hire({ role: 'manager' });
  const { id } = await buildConversation(desk, { claimedBy: mango.admin });
  const page = await desk.open(manager, { path: `/inbox/${id}` });
  await page.getByRole('button', { name: 'More Actions' }).click();
  await page.getByRole('menuitem', { name: 'Release Mango’s Claim' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Release' }).click();
  await expect(page.getByRole('button', { name: 'Claim', exact: true })).toBeVisible();
});

test('archive and flag show on active conversations only, have shortcuts, and move the row', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Flag').click();
  await expect(button('Unflag')).toBeVisible();
  await expect(button('Archive')).toHaveCount(0);
  await expect(row(page, 'Ana')).toHaveAccessibleName(/flagged/);
  await page.keyboard.press('!');
  await expect(button('Archive')).toBeVisible();
  await page.keyboard.press('e');
  await expect(button('Unarchive')).toBeVisible();
  await expect(button('Flag')).toHaveCount(0);
  await tab(page, 'Archived').click();
  await expect(row(page, 'Ana')).toBeVisible();
  await expect(page.getByText('Archived Ana')).toBeVisible();
  await page.keyboard.press('z');
  await expect(button('Archive')).toBeVisible();

  await composer(page).fill('');
  await composer(page).pressSequentially('ce!');
  await expect(composer(page)).toHaveValue('ce!');
  await expect(button('Claim')).toBeVisible();
  await page.evaluate(() => localStorage.setItem('shortcuts_off', 'true'));
  await page.getByRole('heading', { name: 'Ana' }).click();
  await page.keyboard.press('c');
  await expect(button('Claim')).toBeVisible();
  await expect(button('Archive')).toBeVisible();
});

test('an archived row stays out of the queue while it is being saved, whatever the list fetches', async ({
  desk,
}) => {
  for (const first_name of ['Ana', 'Bea']) await buildConversation(desk, { fan: { first_name } });
  const { page, way } = await openLive(desk, await desk.hire());
  await tab(page, 'Needs reply').click();
  await expect(rows(page)).toHaveText([/Ana/, /Bea/]);
  await expect(button(page, 'Settings')).toBeVisible();
  const letGo = await holdCalls(page, /\/status$/);
  await row(page, 'Ana').focus();
  await page.keyboard.press('e');
  // The list keeps its order while it has the focus.
  await tab(page, 'Needs reply').focus();
  await expect(rows(page)).toHaveText([/Bea/]);

  await buildConversation(desk, { fan: { first_name: 'Cleo' } });
  await expect(rows(page)).toHaveText([/Bea/, /Cleo/]);
  // Dora's event is lost, so only a refetch can show her.
  way.lost = /^42/;
  await buildConversation(desk, { fan: { first_name: 'Dora' } });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(rows(page)).toHaveText([/Bea/, /Cleo/, /Dora/]);
  letGo();
  await expect(tab(page, 'Needs reply')).toHaveText('Needs reply3');
  await expect(rows(page)).toHaveText([/Bea/, /Cleo/, /Dora/]);
});

test('a failed change is reverted and can be retried', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await page.route('**/status', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  const retry = page.getByRole('button', { name: 'Couldn’t update the status. Retry' });
  await expect(retry).toBeVisible();
  await expect(page.getByRole('button', { name: 'Flag', exact: true })).toBeVisible();
  await expect(page.getByText('Archived Ana')).toHaveCount(0);
  await page.unroute('**/status');
  await retry.click();
  await expect(page.getByRole('button', { name: 'Unarchive' })).toBeVisible();
  await expect(retry).toHaveCount(0);
});

test('the slower of two claims is reverted, with the reason', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const other = await desk.hire({ codename: 'Kiwi' });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(page.getByRole('button', { name: 'Claim' })).toBeVisible();
  await page.route('**/claim', async (route) => {
    await desk.db.kysely
      .updateTable('conversations')
      .set({ claimed_by: other.admin.id })
      .where('id', '=', id)
      .execute();
    await route.continue();
  });
  await page.getByRole('button', { name: 'Claim' }).click();
  await expect(
    page.getByRole('button', { name: 'Kiwi has claimed this conversation. Retry' }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Release' })).toHaveCount(0);
});

test('tablet and phone have the actions in a three-dot menu', async ({ desk }) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  for (const size of [TABLET, PHONE]) {
    const page = await desk.open(staff, { path: `/inbox/${id}`, ...size });
    const menu = page.getByRole('button', { name: 'More Actions' });
    await expect(menu).toBeVisible();
    await expect(page.getByRole('button', { name: 'Archive', exact: true })).toHaveCount(0);
    await menu.click();
    await expect(
      page.getByRole('menuitem').filter({ hasText: /^(Claim|Archive|Flag)$/ }),
    ).toHaveCount(3);
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).toBeFocused();
  }
});

test('without message privileges the actions say why they are disabled', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const staff = await desk.hire({ can_manage_messages: false });
  const page = await desk.open(staff, { path: `/inbox/${id}`, ...DESKTOP });
  const claim = page.getByRole('button', { name: 'Claim' });
  await expect(claim).toHaveAttribute('aria-disabled', 'true');
  await expect(claim).toHaveAccessibleDescription(/You do not have message privileges/);
  await page.keyboard.press('c');
  await claim.click({ force: true });
  await expect(claim).toBeVisible();
});

test('a conversation is assigned to a teammate from its menu, and several from the selection bar', async ({
  desk,
}) => {
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, { fan: { first_name: 'Bea' } });
  const theirs = await desk.open(kiwi);
  await tab(theirs, 'Mine').click();
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await page.getByRole('button', { name: 'More Actions' }).click();
  await page.getByRole('menuitem', { name: 'Assign...' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Kiwi' }).click();
  await keepToast(page, 'Assigned to Kiwi');
  await tab(page, 'All').press('Enter');
  await expect(row(page, 'Ana')).toContainText('Claimed');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Assignment undone')).toBeVisible();
  await expect(row(page, 'Ana')).not.toContainText('Claimed');

  await row(page, 'Bea').hover();
  await page.getByRole('checkbox', { name: 'Select Bea' }).click();
  const bar = page.getByRole('toolbar', { name: 'Selected conversations' });
  await bar.getByRole('button', { name: 'Assign...' }).click();
  await page.getByRole('list', { name: 'Assign to' }).getByRole('button', { name: 'Kiwi' }).click();
  await keepToast(page, '1 assigned to Kiwi');
  await expect(rows(theirs)).toHaveText([/Bea/]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('1 given back')).toBeVisible();
  await expect(rows(theirs)).toHaveCount(0);
});

test('a row names the teammate who wrote last', async ({ desk }) => {
  const [olive, mango] = [await desk.hire({ codename: 'Olive' }), await desk.hire()];
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildReply(olive, id, { content: 'Hello Ana' });
  for (const [staff, preview] of [
    [olive, 'You: Hello Ana'],
    [mango, 'Olive: Hello Ana'],
  ] as const) {
    const page = await desk.open(staff);
    await tab(page, 'All').click();
    await expect(row(page, 'Ana')).toContainText(preview);
  }
});
