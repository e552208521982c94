import type { Page } from '@playwright/test';
import { buildFanMessage, buildReply } from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { openConversation } from '../support/conversation.ts';
import { choose, picture, sendButton } from '../support/files.ts';
import { expect, test } from '../support/journey.ts';
import { gate } from '../support/network.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Print Conversation' });
const paper = (page: Page) => page.locator('.printout');

/** Counts the calls to `print`. Call it before the page is opened. */
const countPrints = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { prints: 0 });
    window.print = () => void (window as unknown as { prints: number }).prints++;
  });

const prints = (page: Page) =>
  page.evaluate(() => (window as unknown as { prints: number }).prints);

async function print(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More Actions' }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
}

test('a conversation is printed in full, by day, with authors and captions for attachments', async ({
  desk,
}) => {
  const texts = Array.from({ length: 120 }, (_, number) => `Message ${number + 1} of many`);
  const { page, id, messages } = await openConversation(desk, texts, countPrints);
  const mango = await desk.hire({ codename: 'Mango', role: 'manager' });
  const reply_to_message_id = messages[0]?.id ?? '';
  await buildReply(mango, id, { content: 'First things first', reply_to_message_id });
  await buildOffer(mango, id, [await buildProduct(mango, { title: 'Sunset Set' })], 9.99);
  // Sending before the page shows the teammate's reply would ask first.
  await expect(page.getByText('Sunset Set')).toBeVisible();
  await choose(page, 'Photos', await picture('beach.png'));
  await sendButton(page).click();
  const ownPicture = page
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: 'View beach.png' }) });
  await expect(ownPicture.getByRole('time')).toBeVisible();
  const { db } = desk;
  const yesterday = new Date(Date.now() - 30 * 3_600_000);
  await db.kysely
    .updateTable('messages')
    .set({ created_at: yesterday })
    .where('id', '=', reply_to_message_id)
    .execute();
  await page.emulateMedia({ colorScheme: 'dark' });
  await print(page);
  await expect(dialog(page).getByText('123 messages are ready to print.')).toBeVisible();
  await expect.poll(() => prints(page)).toBe(1);
  await expect(paper(page)).toBeHidden();

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(paper(page)).toBeVisible();
  await expect(page.locator('#root')).toBeHidden();
  await expect(dialog(page)).toBeHidden();
  await expect(paper(page).getByRole('heading', { level: 1 })).toHaveText('Conversation with Ana');
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'Europe/Berlin' });
  await expect(paper(page).getByRole('heading', { level: 2 })).toHaveText([
    day.format(yesterday),
    day.format(new Date()),
  ]);
  for (const text of [texts[0], texts[60], texts[119]]) {
    await expect(
      paper(page)
        .getByText(text ?? '', { exact: true })
        .first(),
    ).toBeVisible();
  }
  const answer = paper(page).locator('div').filter({ hasText: 'First things first' });
  await expect(answer).toContainText('Creator (Mango)');
  await expect(answer).toContainText('Message 1 of many');
  await expect(paper(page).getByText('📷 Photo: beach.png')).toBeVisible();
  // Paid content is named but not printed.
  await expect(paper(page).getByText('Sunset Set', { exact: true })).toBeVisible();
  await expect(paper(page).locator('img')).toHaveCount(0);
  await expect(paper(page)).not.toContainText('9.99');
  await expect(paper(page)).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  // The printout is longer than the screen.
  const sheets = (await page.pdf()).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g);
  expect(sheets?.length).toBeGreaterThan(2);

  await page.emulateMedia({ media: 'screen' });
  await dialog(page).getByRole('button', { name: 'Print' }).click();
  expect(await prints(page)).toBe(2);
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await expect(paper(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'More Actions' })).toBeFocused();
});

test('loading for print shows its progress, and can be canceled or retried', async ({ desk }) => {
  const { page, fan } = await openConversation(desk, ['Hello there'], countPrints);
  await buildFanMessage(desk, fan, { content: 'Are you there?' });
  let isBroken = true;
  await page.route(/messages\?limit=200/, (route) =>
    isBroken ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  );
  await print(page);
  await expect(dialog(page).getByRole('alert')).toContainText('Failed to load messages');
  await expect(dialog(page).getByRole('button', { name: 'Print' })).toBeDisabled();
  isBroken = false;
  await dialog(page).getByRole('button', { name: 'Retry' }).click();
  await expect(dialog(page).getByText('2 messages are ready to print.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test('the newest 2,000 messages of a very long conversation are printed', async ({ desk }) => {
  const { page } = await openConversation(desk, ['Hello there'], countPrints);
  let asked = 0;
  const { held, letGo } = gate();
  await page.route(/messages\?limit=200/, async (route) => {
    const response = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/&before=.*/, ''),
    });
    const body = await response.json();
    asked++;
    if (asked === 3) await held;
    const [message] = body.data;
    body.data = Array.from({ length: 200 }, (_, index) => ({
      ...message,
      id: `${asked}-${index}`,
    }));
    await route.fulfill({ response, json: { ...body, has_more: true } });
  });
  await print(page);
  await expect(dialog(page).getByText('Loading messages... 400')).toBeVisible();
  letGo();
  await expect(dialog(page).getByText('Only the newest 2,000 messages are printed.')).toBeVisible();
  expect(asked).toBe(10);
  await expect(paper(page).locator('time')).toHaveCount(2_000);
});
