import type { Page } from '@playwright/test';
import { updateAdminPermissions, updateAdminRole } from '@stagedoor/contract/team/admins';
import { buildAdmin } from '../../apps/server/test/factories.ts';
import { expectToLast, ownClock, stopClock } from '../support/clock.ts';
import { DESKTOP, type Desk, expect, type OpenOptions, PHONE, test } from '../support/journey.ts';
import { gate, holdCalls, withoutLiveWay } from '../support/network.ts';
import { button, tile } from '../support/screens.ts';
import { openShop } from '../support/shop.ts';

const DENIAL = 'Access Denied: You do not have permission to access the admin console.';
const ADMINS = '**/api/auth/admin-management/admins';
const form = (page: Page) => page.getByRole('region', { name: 'Add New Admin' });
const list = (page: Page) => page.getByRole('region', { name: 'Admin Users' });
const row = (page: Page, email: string) => list(page).locator(`[data-admin="${email}"]`);
const privileges = (page: Page, email: string) =>
  page.getByRole('switch', { name: `Message privileges for ${email}` });

/** Opens the console with all permissions. The list also contains the server's first admin. */
async function openConsole(desk: Desk, options: OpenOptions = {}): Promise<Page> {
  const staff = await desk.hire({ role: 'creator', email: 'boss@staff.example' });
  const page = await desk.open(staff, { path: '/console', ...options });
  await expect(row(page, 'boss@staff.example')).toBeVisible();
  return page;
}

async function add(page: Page, email: string): Promise<void> {
  await form(page).getByLabel('Email').fill(email);
  await button(page, 'Add Admin').click();
}

test('the inbox links to the console and back, for admins who can manage admins', async ({
  desk,
}) => {
  const page = await desk.open(await desk.hire({ role: 'manager' }));
  await button(page, 'Console').click();
  await expect(page).toHaveURL(/\/console$/);
  await expect(page.getByRole('heading', { name: 'Admin Console' })).toBeVisible();
  await button(page, 'Products').click();
  await expect(page).toHaveURL(/\/products$/);
  await page.goBack();
  await button(page, 'Back to Inbox').click();
  await expect(page).toHaveURL(/\/inbox$/);
  const other = await desk.open(await desk.hire({ role: 'moderator' }));
  await expect(button(other, 'Sign Out')).toBeVisible();
  await expect(button(other, 'Console')).toHaveCount(0);
});

test('without the permission the console says so, and redirects to the inbox after 3 seconds', async ({
  desk,
}) => {
  const staff = await desk.hire({ role: 'support' });
  const page = await desk.open(staff, { prepare: ownClock });
  await expect(button(page, 'Sign Out')).toBeVisible();
  await stopClock(page);
  await page.goto('/console');
  await expectToLast(page, page.getByRole('alert').getByText(DENIAL), 3_000);
  await expect(page).toHaveURL(/\/inbox$/);
  await page.clock.resume();
  await page.goto('/console/audit');
  await expect(page.getByText(DENIAL)).toBeVisible();
  await button(page, 'Go to inbox now').click();
  await expect(page).toHaveURL(/\/inbox$/);
});

test('an admin demoted while using the console is redirected at once', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: '/console' });
  await expect(row(page, manager.admin.email)).toBeVisible();
  const { client } = await desk.hire({ role: 'creator' });
  await client.call(updateAdminRole, {
    params: { id: manager.admin.id },
    body: { role: 'support' },
  });
  await expect(page.getByText(DENIAL)).toBeVisible();
  await expect(page).toHaveURL(/\/inbox$/);
  await expect(button(page, 'Console')).toHaveCount(0);
});

test('an admin is added, live for teammates, and input is never lost', async ({ desk }) => {
  const page = await openConsole(desk, { prepare: ownClock });
  const teammate = await desk.open(await desk.hire({ role: 'manager' }), { path: '/console' });
  await expect(tile(teammate, 'Total Admins')).toHaveText('3');
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('support');
  await button(page, 'Add Admin').click();
  await expect(form(page).getByRole('alert')).toHaveText('Email is required');
  await expect(form(page).getByLabel('Email')).toBeFocused();
  await add(page, 'no address');
  await expect(form(page).getByRole('alert')).toHaveText('Please enter a valid email address');

  await page.route(ADMINS, (route) => route.fulfill({ status: 500, json: {} }));
  await add(page, 'New@Staff.example');
  await expect(page.getByRole('alert')).toHaveText('Failed to add admin');
  await expect(form(page).getByLabel('Email')).toHaveValue('New@Staff.example');
  await page.unroute(ADMINS);
  await add(page, 'boss@staff.example');
  await expect(page.getByRole('alert')).toHaveText('An admin with this email already exists');
  await button(page, 'Dismiss').click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await button(page, 'Back to Inbox').click();
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();

  await form(page).getByLabel('Email').fill('New@Staff.example');
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Moderator');
  await stopClock(page);
  await button(page, 'Add Admin').click();
  await expectToLast(page, page.getByText('Admin new@staff.example added successfully!'), 5_000);
  await expect(form(page).getByLabel('Email')).toHaveValue('');
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('support');
  await expect(row(page, 'new@staff.example').locator('[data-role]')).toHaveText('Moderator');
  await expect(row(teammate, 'new@staff.example')).toContainText('Never signed in');
  await expect(tile(teammate, 'Total Admins')).toHaveText('4');
});

test('message privileges change at once on screen, and are reverted if the server refuses', async ({
  desk,
}) => {
  const { email, id } = await buildAdmin(desk, { email: 'kiwi@staff.example' });
  const page = await openConsole(desk, { prepare: ownClock });
  const { held, letGo } = gate();
  await page.route(`${ADMINS}/*/permissions`, async (route) => {
    await held;
    await route.fulfill({ status: 500, json: {} });
  });
  await expect(privileges(page, email)).toBeChecked();
  await expect(tile(page, 'Message Access')).toHaveText('3');
  await privileges(page, email).click();
  await expect(privileges(page, email)).not.toBeChecked();
  await expect(tile(page, 'Message Access')).toHaveText('2');
  letGo();
  await expect(page.getByRole('alert')).toHaveText('Failed to update permissions');
  await expect(privileges(page, email)).toBeChecked();
  await page.unroute(`${ADMINS}/*/permissions`);

  await privileges(page, email).click();
  await expect(page.getByText(`Message privileges revoked for ${email}`)).toBeVisible();
  await stopClock(page);
  await privileges(page, email).click();
  await expectToLast(page, page.getByText(`Message privileges granted for ${email}`), 3_000);
  await page.clock.resume();
  const { client } = await desk.hire({ role: 'manager' });
  await client.call(updateAdminPermissions, {
    params: { id },
    body: { can_manage_messages: false },
  });
  await expect(privileges(page, email)).not.toBeChecked();
});

test('removing asks first, keeps the row without its toggle, and can be undone', async ({
  desk,
}) => {
  const { email } = await buildAdmin(desk, { email: 'kiwi@staff.example', role: 'moderator' });
  const page = await openConsole(desk, { prepare: ownClock });
  await expect(row(page, 'boss@staff.example')).toContainText('You');
  await expect(button(page, 'Remove boss@staff.example')).toHaveCount(0);
  const remove = button(page, `Remove ${email}`);
  await remove.click();
  const question = page.getByRole('alertdialog', { name: 'Remove Admin' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(remove).toBeFocused();

  await page.route(`${ADMINS}/*`, (route) => route.fulfill({ status: 500, json: {} }));
  await remove.click();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to remove admin');
  await page.unroute(`${ADMINS}/*`);
  await remove.click();
  await stopClock(page);
  await question.getByRole('button', { name: 'Remove' }).click();
  await expectToLast(page, page.getByText(`Admin ${email} removed successfully`), 3_000);
  await expect(row(page, email)).toContainText('Inactive');
  await expect(privileges(page, email)).toHaveCount(0);
  await expect(tile(page, 'Inactive')).toHaveText('1');
  await page.clock.resume();
  await button(page, `Invite Back ${email}`).click();
  await expect(page.getByText(`Admin ${email} added successfully!`)).toBeVisible();
  await expect(row(page, email).locator('[data-role]')).toHaveText('Moderator');
  await expect(privileges(page, email)).toBeChecked();
});

test('the browser’s Back button asks before it discards changes in a dialog', async ({ desk }) => {
  const { email } = await buildAdmin(desk, { codename: 'Kiwi' });
  const page = await desk.open(await desk.hire({ role: 'creator' }));
  await button(page, 'Console').click();
  await button(page, `Edit ${email}`).click();
  const codename = page.getByRole('textbox', { name: 'Codename' });
  await codename.fill('Mango');
  await page.evaluate(() => window.history.back());
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(codename).toHaveValue('Mango');
  await expect(page).toHaveURL(/\/console$/);
});

test('codename, color and role can be edited; taken names and higher roles can’t be chosen', async ({
  desk,
}) => {
  const { email } = await buildAdmin(desk, { email: 'kiwi@staff.example', codename: 'Kiwi' });
  await buildAdmin(desk, { role: 'creator', email: 'star@staff.example' });
  const manager = await desk.hire({ role: 'manager', email: 'boss@staff.example' });
  const page = await desk.open(manager, { path: '/console' });
  await expect(row(page, 'star@staff.example')).toContainText('Above your role');
  await expect(privileges(page, 'star@staff.example')).toBeDisabled();
  const edit = button(page, `Edit ${email}`);
  await edit.click();
  const dialog = page.getByRole('dialog', { name: 'Edit Admin' });
  await expect(dialog.getByRole('textbox', { name: 'Codename' })).toHaveValue('Kiwi');
  await expect(dialog.getByRole('button', { name: 'Kiwi, taken' })).toBeDisabled();
  await expect(dialog.getByRole('option', { name: 'Creator' })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Codename' }).fill('Man');
  await button(dialog, 'Mango').click();
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();

  await dialog.getByRole('textbox', { name: 'Codename' }).fill(manager.admin.codename);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'This codename is already in use or was used before',
  );
  await dialog.getByRole('textbox', { name: 'Codename' }).fill('Mango');
  await dialog.getByRole('radio', { name: '#00708F' }).check();
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption('Moderator');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(edit).toBeFocused();
  await expect(row(page, email)).toContainText('Mango');
  await expect(row(page, email).locator('[data-role]')).toHaveText('Moderator');
});

test('an admin’s details are locked while they are being saved', async ({ desk }) => {
  const { email } = await buildAdmin(desk, { email: 'kiwi@staff.example', codename: 'Kiwi' });
  const page = await openConsole(desk);
  await button(page, `Edit ${email}`).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Admin' });
  const codename = dialog.getByRole('textbox', { name: 'Codename' });
  await codename.fill('Man');
  const save = await holdCalls(page, /\/codename$/);
  await codename.press('Enter');
  await expect(codename).not.toBeEditable();
  await button(dialog, 'Mango').click();
  await expect(codename).toHaveValue('Man');
  const color = dialog.getByRole('radio', { name: '#00708F' });
  await color.click();
  await expect(color).not.toBeChecked();
  save();
  await expect(dialog).toHaveCount(0);
  await expect(row(page, email)).toContainText('Man');
});

test('a list that fails to load says so, and can be retried', async ({ desk }) => {
  const refuse = async (page: Page) => {
    await withoutLiveWay(page);
    await page.route(ADMINS, (route) => route.fulfill({ status: 404, json: {} }));
  };
  const staff = await desk.hire({ role: 'manager' });
  const page = await desk.open(staff, { path: '/console', prepare: refuse });
  await expect(page.getByRole('alert')).toHaveText('Failed to fetch admins');
  await page.unroute(ADMINS);
  await page.route(ADMINS, (route) => route.abort());
  await button(page, 'Retry').click();
  await expect(page.getByRole('alert')).toHaveText('Failed to load admins');
  await page.unroute(ADMINS);
  await button(page, 'Retry').click();
  await expect(row(page, staff.admin.email)).toBeVisible();
});

test('a large staff list has a search; a small one does not', async ({ desk }) => {
  const page = await openConsole(desk);
  await expect(page.getByLabel('Search admins')).toHaveCount(0);
  await desk.db.kysely
    .insertInto('admins')
    .values(
      Array.from({ length: 198 }, (_, index) => ({
        email: `person-${index}@staff.example`,
        codename: `Person ${index}`,
        role: 'support' as const,
        display_color: '#4251D4',
      })),
    )
    .execute();
  await page.reload();
  await expect(tile(page, 'Total Admins')).toHaveText('200');
  await page.getByLabel('Search admins').fill('person 42');
  await expect(list(page).locator('[data-admin]')).toHaveCount(1);
  await page.getByLabel('Search admins').fill('nobody');
  await expect(page.getByText('No admins found')).toBeVisible();
  await button(page, 'Clear Search').last().click();
  await expect(list(page).locator('[data-admin]')).toHaveCount(200);
});

/** Records how far the page's content shifts without input, from the first paint on. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
        };
        if (!hadRecentInput) shifts.push(value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 200,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
}

for (const size of [DESKTOP, PHONE]) {
  test(`nothing moves while a section loads (${size.width})`, async ({ desk }) => {
    const { manager } = await openShop(desk);
    for (const role of ['support', 'moderator', 'support'] as const)
      await buildAdmin(desk, { role });
    const page = await desk.open(manager, { ...size, path: '/console', prepare: recordShifts });
    for (const [path, shown] of [
      ['/console', 'Top Products'],
      ['/console/analytics', 'Top Products'],
      ['/console/rules', 'Words and phrases, one per line'],
      ['/console/security', 'have a passkey'],
      ['/console/audit', 'created the product'],
      ['/console/platform', 'No address set'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(shown).first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      const shifted = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
      expect(
        shifted.reduce((sum, value) => sum + value, 0),
        path,
      ).toBeLessThan(0.02);
    }
  });
}

test('each section has its own address, and an unknown one leads to the inbox', async ({
  desk,
}) => {
  const page = await openConsole(desk);
  const sections = page.getByRole('navigation', { name: 'Console Sections' });
  for (const [name, path, shown] of [
    ['Analytics', 'analytics', 'Analytics'],
    ['Rules', 'rules', 'Guard Rails'],
    ['Security', 'security', 'Passkeys at Sign-In'],
    ['Audit Log', 'audit', 'Audit Log'],
    ['Platform', 'platform', 'Platform Keys'],
  ] as const) {
    await sections.getByRole('link', { name }).click();
    await expect(page).toHaveURL(new RegExp(`/console/${path}$`));
    await expect(page.getByRole('heading', { name: shown, exact: true })).toBeVisible();
    await expect(page).toHaveTitle(name);
    await expect(sections.locator('[aria-current=page]')).toHaveText(name);
  }
  await page.goBack();
  await expect(page).toHaveURL(/\/console\/audit$/);
  await page.goto('/console/elsewhere');
  await expect(page).toHaveURL(/\/inbox$/);
});

for (const { width, isTable } of [
  { width: 390, isTable: false },
  { width: 820, isTable: false },
  { width: 1440, isTable: true },
]) {
  test(`the console fits ${width} pixels`, async ({ desk }) => {
    await buildAdmin(desk, { email: `${'long'.repeat(14)}@staff.example`, role: 'moderator' });
    const page = await openConsole(desk, { ...PHONE, touch: !isTable, width });
    await expect(page.getByRole('table', { name: 'Admin Users' })).toHaveCount(isTable ? 1 : 0);
    for (const path of ['/console', '/console/rules', '/console/security', '/console/audit']) {
      await page.goto(path);
      await expect(page.getByRole('button', { name: /^Back to/ })).toBeVisible();
      // Only the page's content may scroll, never the document.
      const overflow = () =>
        page.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          return Math.max(scrollWidth - window.innerWidth, scrollHeight - window.innerHeight);
        });
      await expect.poll(overflow).toBeLessThanOrEqual(0);
    }
  });
}
