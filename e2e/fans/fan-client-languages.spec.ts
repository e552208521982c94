import type { Page } from '@playwright/test';
import { buildReply } from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { openFan, shown } from '../support/fan-client.ts';
import { expect, test } from '../support/journey.ts';
import { inLanguage } from '../support/languages.ts';

const GREETING = 'Hi {name}! This is your conversation with {creator}. Say something nice.';
const NAMES = { name: 'Ana', creator: 'Aurora' };

const langAndDir = (page: Page) =>
  page.evaluate(() => [document.documentElement.lang, document.dir || 'ltr']);

const BROWSERS = [
  { locale: 'pt-BR', language: 'pt', dir: 'ltr' },
  { locale: 'es-MX', language: 'es', dir: 'ltr' },
  { locale: 'de-AT', language: 'de', dir: 'ltr' },
  { locale: 'ar-EG', language: 'ar', dir: 'rtl' },
] as const;
const PRICES = { pt: '$ 1240,50', es: '1240,50 $', de: '1240,50 $', ar: '$1240.50' };

for (const { locale, language, dir } of BROWSERS) {
  test(`in a browser set to ${locale} the fan client greets, takes messages and reports errors in its language`, async ({
    desk,
  }) => {
    const say = inLanguage(language, 'fan');
    const { id, page, complaints } = await openFan(desk, [], { locale });
    await expect(page.getByText(say(GREETING, NAMES))).toBeVisible();
    expect(await langAndDir(page)).toEqual([language, dir]);
    expect(await accessibilityIssues(page)).toEqual([]);

    const files = page.getByLabel(say('Files'), { exact: true });
    await files.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('') });
    await expect(page.getByRole('alert')).toHaveText(say('{name} is empty.', { name: 'a.txt' }));
    await page.getByRole('textbox', { name: say('Message {name}', { name: 'Aurora' }) }).fill('Oi');
    await page.getByRole('button', { name: say('Send') }).click();
    await expect(shown(page, 'Oi')).toContainText(say('Sent'));

    const manager = await desk.hire({ role: 'manager' });
    await buildReply(manager, id, { content: 'Look at this' });
    await buildOffer(manager, id, [await buildProduct(manager, { title: 'Sunset' })], 1_240.5);
    const price = PRICES[language].replaceAll(' ', '\u00a0');
    await page.getByRole('button', { name: say('Unlock for {price}', { price }) }).click();
    await expect(
      page.getByText(
        say(
          'You can buy this where you follow {name}. Go back there to pay, and it unlocks here automatically.',
          { name: 'Aurora' },
        ),
      ),
    ).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    expect(complaints).toEqual([]);

    // The server refuses a reaction to another message, in English.
    await page.route('**/api/fan/reactions', (route) =>
      route.continue({ postData: { message_id: crypto.randomUUID(), emoji: '🎉' } }),
    );
    await shown(page, 'Look at this').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: '🎉' }).click();
    await expect(page.getByRole('alert').last()).toHaveText(say('Message not found'));
  });

  test(`in a browser set to ${locale} an invitation’s page is in its language`, async ({
    desk,
  }) => {
    const say = inLanguage(language, 'fan');
    const page = await desk.openSignedOut({ locale, path: '/fan/welcome#invite=wrong' });
    await expect(
      page.getByRole('heading', { name: say('We don’t recognize this invitation') }),
    ).toBeVisible();
    expect(await langAndDir(page)).toEqual([language, dir]);
    await expect(page).toHaveTitle(say('Messages'));
  });
}

test('the fan client uses the browser’s first language that it supports, else English', async ({
  desk,
}) => {
  const opened = async (...languages: readonly string[]) => {
    const page = await desk.openSignedOut({
      path: '/fan/',
      prepare: (each) =>
        each.addInitScript(
          (tags) => Object.defineProperty(navigator, 'languages', { get: () => tags }),
          languages,
        ),
    });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    return langAndDir(page);
  };
  expect(await opened('fi-FI', 'de-CH', 'en')).toEqual(['de', 'ltr']);
  expect(await opened('en-US', 'ar')).toEqual(['en', 'ltr']);
  expect(await opened('fi')).toEqual(['en', 'ltr']);
});

test('in Arabic the fan’s own messages and their menu are on the left, and a swipe to the left replies', async ({
  desk,
}) => {
  const say = inLanguage('ar', 'fan');
  const { id, page } = await openFan(desk, ['مرحبا'], { locale: 'ar' });
  await buildReply(await desk.hire(), id, { content: 'أهلا' });
  const answer = shown(page, 'أهلا').getByText('أهلا');
  const boxOf = async (text: string) => {
    const box = await shown(page, text).getByText(text).boundingBox();
    if (!box) throw new Error(`“${text}” is not shown`);
    return box;
  };
  await expect(answer).toBeVisible();
  expect((await boxOf('مرحبا')).x).toBeLessThan((await boxOf('أهلا')).x);

  const menu = page.getByRole('dialog', { name: say('Message') });
  await shown(page, 'مرحبا').focus();
  await page.keyboard.press('Enter');
  expect(await menu.boundingBox()).toMatchObject({ x: 12 });
  await page.keyboard.press('Escape');

  const { x, y } = await boxOf('أهلا');
  const touch = await page.context().newCDPSession(page);
  const at = (moved: number) => [{ x: x - moved, y: y + 5 }];
  // Sent together: with pauses in between, as on a slow machine, this would be a long press.
  await Promise.all([
    touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) }),
    ...[20, 60, 90].map((moved) =>
      touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(moved) }),
    ),
    touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  ]);
  await expect(page.getByRole('button', { name: say('Cancel reply') })).toBeVisible();
});
