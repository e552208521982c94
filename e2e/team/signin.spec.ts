import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { expect, PHONE, storedSession, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { button, signIn, typeCode } from '../support/screens.ts';

const email = (page: Page) => page.getByLabel('Please enter your email');
const box = (page: Page, number: number) => page.getByLabel(`Digit ${number} of 6`);
const boxes = (page: Page) => page.getByLabel(/^Digit \d of 6$/);
async function toCodeStep(page: Page, address: string): Promise<void> {
  await email(page).fill(address);
  await button(page, 'Continue').click();
  await expect(page.getByText('Please enter your verification code')).toBeVisible();
}

test('signed out, every path redirects to the sign-in page', async ({ desk }) => {
  const page = await desk.openSignedOut({ path: '/' });
  for (const path of [
    '/',
    '/inbox',
    '/inbox/some-id',
    '/messages/some-id',
    '/console',
    '/products',
    '/x/y',
  ]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
    await expect(email(page)).toBeVisible();
  }
});

test('signed in, the sign-in page and every unknown path redirect to the inbox', async ({
  desk,
}) => {
  const page = await desk.open(await desk.hire());
  for (const path of ['/login', '/', '/dashboard', '/x/y']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/inbox$/);
    await expect(page.getByRole('heading', { name: 'Fan Messages' })).toBeVisible();
  }
});

test('the first step asks for the email address and shows that it is sending', async ({ desk }) => {
  const staff = await desk.hire();
  const page = await desk.openSignedOut();
  await expect(page.getByText('Please enter your email')).toBeVisible();
  await expect(email(page)).toHaveAttribute('type', 'email');
  await expect(email(page)).toBeFocused();
  await expect(button(page, 'Continue')).toBeDisabled();
  await email(page).fill('   ');
  await expect(button(page, 'Continue')).toBeDisabled();
  const letGo = await holdCalls(page, /request-otp/);
  await email(page).fill(staff.admin.email.toUpperCase());
  await button(page, 'Continue').click();
  await expect(button(page, 'Sending...')).toBeDisabled();
  letGo();
  await expect(page.getByText('Please enter your verification code')).toBeVisible();
  await desk.server.smtp.mailTo(staff.admin.email);
});

test('the second step has six boxes for one digit each, and shows that it is verifying', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const page = await desk.openSignedOut();
  await toCodeStep(page, staff.admin.email);
  await expect(boxes(page)).toHaveCount(6);
  await expect(box(page, 1)).toBeFocused();
  await expect(button(page, 'Continue')).toBeDisabled();
  await page.keyboard.type('1a2');
  await expect(box(page, 1)).toHaveValue('1');
  await expect(box(page, 2)).toHaveValue('2');
  await expect(box(page, 3)).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(box(page, 2)).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(box(page, 2)).toHaveValue('');
  const letGo = await holdCalls(page, /verify-otp/);
  await typeCode(page, await desk.server.smtp.codeFor(staff.admin.email));
  await expect(button(page, 'Verifying...')).toBeDisabled();
  letGo();
  await expect(page).toHaveURL(/\/inbox$/);
  const stored = await page.evaluate(() => [localStorage.admin_token, localStorage.admin_data]);
  expect(stored[0]).toMatch(/^[\w-]{43}$/);
  expect(JSON.parse(stored[1])).toMatchObject({ id: staff.admin.id, email: staff.admin.email });
});

test('Back returns to the typed address; requesting again too soon shows an alert, and the first code can be entered', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const page = await desk.openSignedOut();
  await toCodeStep(page, staff.admin.email);
  await button(page, '← Back').click();
  await expect(email(page)).toHaveValue(staff.admin.email);
  await button(page, 'Continue').click();
  await expect(page.getByRole('alert')).toHaveText(/Please wait \d+ seconds/);
  await button(page, 'Enter Code').click();
  await typeCode(page, await desk.server.smtp.codeFor(staff.admin.email));
  await expect(page).toHaveURL(/\/inbox$/);
});

test('failures without a server text show a default text', async ({ desk }) => {
  const staff = await desk.hire();
  const page = await desk.openSignedOut();
  await page.route(/request-otp/, (route) => route.abort());
  await email(page).fill(staff.admin.email);
  await button(page, 'Continue').click();
  await expect(page.getByRole('alert')).toHaveText('Failed to send verification code');
  await page.unroute(/request-otp/);
  await button(page, 'Continue').click();
  await page.route(/verify-otp/, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await typeCode(page, '123456');
  await expect(page.getByRole('alert')).toHaveText('Failed to verify code');
});

test('signing out clears stored data, even if the server can’t be reached', async ({ desk }) => {
  for (const isReachable of [true, false]) {
    const staff = await desk.hire();
    const page = await desk.open(staff);
    if (!isReachable) await page.route(/signout/, (route) => route.abort());
    await button(page, 'Sign Out').click();
    await expect(page).toHaveURL(/\/login$/);
    expect(await page.evaluate(() => [localStorage.admin_token, localStorage.admin_data])).toEqual([
      undefined,
      undefined,
    ]);
    if (isReachable) {
      await expect
        .poll(async () => (await staff.client.raw('GET', '/api/auth/admin/me')).status)
        .toBe(401);
    }
  }
});

test('invalid stored admin data is replaced by the server’s', async ({ desk }) => {
  const staff = await desk.hire();
  const page = await desk.openSignedOut();
  await page.evaluate(({ admin_token }) => {
    localStorage.setItem('admin_token', admin_token ?? '');
    localStorage.setItem('admin_data', '{broken');
  }, storedSession(staff));
  const letGo = await holdCalls(page, /admin\/me/);
  await page.goto('/inbox');
  await expect(page.getByText('Loading...')).toBeVisible();
  letGo();
  await expect(page.getByRole('heading', { name: 'Fan Messages' })).toBeVisible();
  const stored = await page.evaluate(() => localStorage.admin_data);
  expect(JSON.parse(stored)).toMatchObject({ id: staff.admin.id });
});

test('a deactivated admin is redirected to the sign-in page from anywhere', async ({ desk }) => {
  const staff = await desk.hire();
  const pages = [await desk.open(staff), await desk.open(staff, PHONE)];
  for (const page of pages) await expect(page.getByText('No conversations yet')).toBeVisible();
  await sql`update admins set is_active = false where id = ${staff.admin.id}`.execute(
    desk.db.kysely,
  );
  for (const page of pages) await expect(page).toHaveURL(/\/login$/);
});

test('signing in in one tab signs in the others, and signing out signs them out', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const first = await desk.openSignedOut();
  const second = await first.context().newPage();
  await second.goto('/inbox');
  await expect(second).toHaveURL(/\/login$/);
  await signIn(first, staff.admin.email, desk.server.smtp);
  for (const page of [first, second]) await expect(page).toHaveURL(/\/inbox$/);
  await button(second, 'Sign Out').click();
  for (const page of [first, second]) await expect(page).toHaveURL(/\/login$/);
});

test('a reply with an error field fails at both steps, whatever its status', async ({ desk }) => {
  const staff = await desk.hire();
  const page = await desk.openSignedOut();
  const refuse = (text: string) =>
    page.route(/(request|verify)-otp/, (route) => route.fulfill({ json: { error: text } }), {
      times: 1,
    });
  await refuse('Not this address');
  await email(page).fill(staff.admin.email);
  await button(page, 'Continue').click();
  await expect(page.getByRole('alert')).toHaveText('Not this address');
  await expect(email(page)).toBeVisible();
  await toCodeStep(page, staff.admin.email);
  await refuse('Not this code');
  await typeCode(page, '000000');
  await expect(page.getByRole('alert')).toHaveText('Not this code');
  await expect(box(page, 1)).toBeFocused();
  await typeCode(page, await desk.server.smtp.codeFor(staff.admin.email));
  await expect(page.getByRole('heading', { name: 'Fan Messages' })).toBeVisible();
});
