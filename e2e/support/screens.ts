import type { Locator, Page } from '@playwright/test';
import type { SmtpSink } from '../../apps/server/test/servers/smtp-sink.ts';

/** Locators for parts of the console, by their accessible names. */
export const rows = (page: Page): Locator =>
  page.getByRole('list', { name: 'Conversations' }).getByRole('link');

/** Locates a fan's row, whose accessible name begins with the fan's name: 'Ana, 3 unread, …'. */
export const row = (page: Page, fan: string): Locator =>
  page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: new RegExp(`^${fan}`) });

export const tab = (page: Page, name: string): Locator =>
  page.getByRole('tab', { name: new RegExp(`^${name}`) });

export const tile = (page: Page, name: string): Locator =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('..')
    .getByRole('definition')
    .first();

/** Opens the Filters dialog of the list and chooses one of its items. */
export async function listMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('dialog', { name: 'Filters' }).getByText(item, { exact: true }).click();
}

/** Locates a dialog by its name or a part of the name. */
export const dialog = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('dialog', { name });

/** Waits for a toast, and keeps it from closing by itself until the pointer moves elsewhere. */
export const keepToast = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').getByText(text).hover();

export const searchBox = (page: Page): Locator =>
  page.getByPlaceholder('Search by name or message...');

export const composer = (page: Page): Locator => page.getByPlaceholder('Reply as creator...');

export const thread = (page: Page): Locator => page.getByRole('log');

/** Locates a button by its whole name. */
export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

/** Locates the bubbles that contain a text. */
export const bubble = (page: Page, text: string): Locator =>
  thread(page).getByRole('article').filter({ hasText: text });

/** Types a reply and sends it with Enter. */
export async function reply(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** Opens the Send Product dialog from the menu of the composer. */
export async function openSendProduct(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'Send Product' }).click();
  return dialog(page, 'Send Product');
}

/** Signs in with the email address and the code sent to it. */
export async function signIn(page: Page, email: string, smtp: SmtpSink): Promise<void> {
  await page.getByLabel('Please enter your email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Please enter your verification code').waitFor();
  await typeCode(page, await smtp.codeFor(email));
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Digit 1 of 6').focus();
  await page.keyboard.type(code);
}
