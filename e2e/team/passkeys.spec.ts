import type { Page } from '@playwright/test';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { addAuthenticator } from '../support/authenticator.ts';
import { type Desk, expect, type OpenOptions, PHONE, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { signIn } from '../support/screens.ts';

/** Returns the server's URL with a host name, because passkeys don't work with an IP address such as 127.0.0.1. */
const localhost = ({ server }: Desk) => server.url.replace('127.0.0.1', 'localhost');

/** Opens the sign-in page in a browser with an authenticator. */
async function openLogin(desk: Desk, options: OpenOptions = {}) {
  const page = await desk.openSignedOut({ ...options, path: `${localhost(desk)}/login` });
  return { page, authenticator: await addAuthenticator(page) };
}

/** Enters the email address and the code. Deletes earlier codes, because a new code can be requested only after a minute. */
async function enterCode(desk: Desk, page: Page, email: string): Promise<void> {
  desk.server.smtp.clear();
  await desk.db.kysely.deleteFrom('login_codes').execute();
  await signIn(page, email, desk.server.smtp);
}

async function openPasskeys(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Passkeys...' }).click();
}
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Passkeys' });
const passkeys = (page: Page) => dialog(page).getByRole('listitem');

async function addPasskey(page: Page, name: string): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Add Passkey' }).click();
  await dialog(page).getByLabel('New passkey name').fill(name);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await expect(passkeys(page).filter({ hasText: name })).toBeVisible();
}

/** Returns when an admin last used a passkey, in milliseconds since 1970. */
async function lastUse(desk: Desk, adminId: string): Promise<number | undefined> {
  const passkey = await desk.db.kysely
    .selectFrom('passkeys')
    .select('last_used_at')
    .where('admin_id', '=', adminId)
    .executeTakeFirstOrThrow();
  return passkey.last_used_at?.getTime();
}

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign Out' }).click();
const inbox = (page: Page) => page.getByRole('heading', { name: 'Fan Messages' });

test('an admin adds a passkey, signs in with it, and can retry after canceling', async ({
  desk,
}) => {
  const { admin } = await desk.hire();
  const { page, authenticator } = await openLogin(desk);
  await enterCode(desk, page, admin.email);
  await openPasskeys(page);
  await expect(dialog(page).getByText('No passkeys yet')).toBeVisible();
  await addPasskey(page, 'Work laptop');
  expect(await authenticator.count()).toBe(1);
  await dialog(page).getByRole('button', { name: 'Rename Work laptop' }).click();
  await dialog(page).getByLabel('New name for Work laptop').fill('Blue laptop');
  await page.keyboard.press('Enter');
  await expect(passkeys(page)).toContainText(['Blue laptop']);
  await page.keyboard.press('Escape');
  await signOut(page);

  await enterCode(desk, page, admin.email);
  await expect(page.getByRole('heading', { name: 'Use Your Passkey' })).toBeVisible();
  await authenticator.answer(false);
  await expect(page.getByRole('button', { name: 'Use Passkey' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('was canceled or timed out');
  await authenticator.answer(true);
  const use = page.getByRole('button', { name: 'Use Passkey' });
  const refuse = { json: { error: 'Not this passkey' } };
  await page.route('**/passkeys/sign-in', (route) => route.fulfill(refuse), { times: 1 });
  await use.click();
  await expect(page.getByRole('alert')).toHaveText('Not this passkey');
  await use.click();
  await expect(inbox(page)).toBeVisible();
  await openPasskeys(page);
  await expect(passkeys(page)).toContainText(['Last used: Just now']);
});

test('removing a passkey asks for one again if the last use was long ago', async ({ desk }) => {
  const { admin } = await desk.hire();
  const { page, authenticator } = await openLogin(desk);
  await enterCode(desk, page, admin.email);
  await openPasskeys(page);
  await addPasskey(page, 'Laptop');
  await desk.db.kysely
    .updateTable('sessions')
    .set({ confirmed_at: new Date(Date.now() - 3_600_000) })
    .where('admin_id', '=', admin.id)
    .execute();
  const remove = async () => {
    await dialog(page).getByRole('button', { name: 'Remove Laptop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  };
  await authenticator.answer(false);
  await remove();
  await expect(dialog(page).getByRole('alert')).toContainText('was canceled');
  await expect(passkeys(page)).toHaveCount(1);
  await authenticator.answer(true);
  await remove();
  await expect(dialog(page).getByText('No passkeys yet')).toBeVisible();
  await page.keyboard.press('Escape');
  await signOut(page);
  await enterCode(desk, page, admin.email);
  await expect(inbox(page)).toBeVisible();
});

test('a removal that is confirmed during another passkey’s removal runs after it', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const admin_id = staff.admin.id;
  for (const name of ['Laptop', 'Phone'])
    await desk.db.kysely
      .insertInto('passkeys')
      .values({
        admin_id,
        name,
        credential_id: name,
        public_key: Buffer.of(0),
        counter: 0,
        transports: [],
        synced: false,
      })
      .execute();
  await desk.db.kysely
    .updateTable('sessions')
    .set({ confirmed_at: new Date() })
    .where('admin_id', '=', admin_id)
    .execute();
  const page = await desk.open(staff);
  await openPasskeys(page);
  const letGo = await holdCalls(page, /\/passkeys\/[\w-]{36}$/);
  for (const name of ['Laptop', 'Phone']) {
    await dialog(page)
      .getByRole('button', { name: `Remove ${name}` })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  }
  await expect(dialog(page).locator('[aria-busy=true]')).toHaveCount(2);
  letGo();
  await expect(passkeys(page)).toHaveCount(0);
});

test('requiring passkeys for a role signs out at once, adding one signs in, and a manager can reset it', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const { admin } = await desk.hire();
  const { page } = await openLogin(desk);
  await enterCode(desk, page, admin.email);
  await expect(inbox(page)).toBeVisible();

  const { page: console } = await openLogin(desk);
  await enterCode(desk, console, manager.admin.email);
  await expect(inbox(console)).toBeVisible();
  await console.goto(`${localhost(desk)}/console/security`);
  const card = console.getByRole('region', { name: 'Passkeys at Sign-In' });
  const row = card.getByRole('listitem').filter({ hasText: 'Support' });
  await expect(row).toContainText('0 of 1 have a passkey');
  await card.getByRole('switch', { name: 'Require Passkeys for Support' }).click();
  const question = console.getByRole('alertdialog');
  await expect(question).toContainText('1 admin has none yet and adds one at the next sign-in');
  await question.getByRole('button', { name: 'Require' }).click();
  await expect(card.getByRole('switch', { name: 'Require Passkeys for Support' })).toBeChecked();
  await expect(page.getByLabel('Please enter your email')).toBeVisible();

  await enterCode(desk, page, admin.email);
  await expect(page.getByRole('heading', { name: 'Add a Passkey' })).toBeVisible();
  await page.getByLabel('Passkey name').fill('First');
  await page.getByRole('button', { name: 'Add Passkey' }).click();
  await expect(inbox(page)).toBeVisible();
  await openPasskeys(page);
  await expect(passkeys(page)).toContainText([
    'Your role requires a passkey. Add another one first.',
  ]);

  await console.reload();
  await expect(row).toContainText('1 of 1 have a passkey');
  const edit = console.getByRole('button', { name: `Edit ${admin.email}` });
  await console.getByRole('link', { name: 'Team', exact: true }).click();
  await edit.click();
  await expect(
    console.getByText('To reset these passkeys, first add one to your own account.'),
  ).toBeVisible();
  await console.goto(`${localhost(desk)}/inbox`);
  await openPasskeys(console);
  await addPasskey(console, 'Desk');
  await console.goto(`${localhost(desk)}/console`);
  await edit.click();
  await console.getByRole('button', { name: 'Reset Passkeys' }).click();
  await console.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
  await expect(console.getByText('Reset. None')).toBeVisible();
  await expect(page.getByLabel('Please enter your email')).toBeVisible();
  await enterCode(desk, page, admin.email);
  await expect(page.getByRole('heading', { name: 'Add a Passkey' })).toBeVisible();
});

test('managers can’t lock themselves out', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: '/console/security' });
  await page.getByRole('switch', { name: 'Require Passkeys for Manager' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Require' }).click();
  await expect(page.getByRole('alert')).toContainText('You need a passkey of your own first');
  await expect(
    page.getByRole('switch', { name: 'Require Passkeys for Manager' }),
  ).not.toBeChecked();
  await expect(page.getByRole('switch', { name: 'Require Passkeys for Creator' })).toBeDisabled();
});

test('a manager confirms with their passkey to add or promote staff, or to create a platform key', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const { admin } = await desk.hire();
  const { page, authenticator } = await openLogin(desk);
  await enterCode(desk, page, manager.admin.email);
  await openPasskeys(page);
  await addPasskey(page, 'Laptop');
  await page.goto(`${localhost(desk)}/console`);
  const used = async () => (await lastUse(desk, manager.admin.id)) ?? 0;
  const letConfirmationLapse = () =>
    desk.db.kysely
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - 3_600_000) })
      .where('admin_id', '=', manager.admin.id)
      .execute();

  await letConfirmationLapse();
  await page.getByRole('textbox', { name: 'Email' }).fill('new@staff.example');
  const add = page.getByRole('button', { name: 'Add Admin' });
  await authenticator.answer(false);
  await add.click();
  await expect(page.getByRole('alert')).toContainText('was canceled');
  await authenticator.answer(true);
  await add.click();
  await expect(page.getByText('Admin new@staff.example added successfully!')).toBeVisible();
  const afterAdding = await used();
  expect(afterAdding).toBeGreaterThan(0);

  await letConfirmationLapse();
  await page.getByRole('button', { name: `Edit ${admin.email}` }).click();
  await page.getByRole('dialog').getByLabel('Role').selectOption('moderator');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`Admin ${admin.email} updated`)).toBeVisible();
  const afterPromoting = await used();
  expect(afterPromoting).toBeGreaterThan(afterAdding);

  await letConfirmationLapse();
  await page.goto(`${localhost(desk)}/console/platform`);
  await page.getByRole('button', { name: 'New Key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Bot');
  await page.getByRole('dialog').getByRole('button', { name: 'Create Key' }).click();
  await expect(page.getByRole('dialog', { name: 'Copy the New Key' })).toBeVisible();
  expect(await used()).toBeGreaterThan(afterPromoting);
});

test('at an IP address the console says where passkeys work', async ({ desk }) => {
  const page = await desk.open(await desk.hire());
  await openPasskeys(page);
  const link = dialog(page).getByRole('link', { name: localhost(desk) });
  await expect(link).toHaveAttribute('href', localhost(desk));
  await expect(dialog(page).getByRole('button', { name: 'Add Passkey' })).toHaveCount(0);
});

test(`passkeys have no serious accessibility issues`, async ({ desk }) => {
  const { admin } = await desk.hire({ role: 'creator' });
  const { page } = await openLogin(desk, PHONE);
  await desk.db.kysely.insertInto('passkey_roles').values({ role: 'creator' }).execute();
  await enterCode(desk, page, admin.email);
  await expect(page.getByRole('heading', { name: 'Add a Passkey' })).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add Passkey' }).click();
  await expect(inbox(page)).toBeVisible();
  await openPasskeys(page);
  await expect(passkeys(page)).toHaveCount(1);
  expect(await accessibilityIssues(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Add Passkey' }).click();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.goto(`${localhost(desk)}/console/security`);
  await expect(page.getByRole('region', { name: 'Passkeys at Sign-In' })).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.goto(`${localhost(desk)}/inbox`);
  await signOut(page);
  await enterCode(desk, page, admin.email);
  await expect(page.getByRole('heading', { name: 'Use Your Passkey' })).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
});
