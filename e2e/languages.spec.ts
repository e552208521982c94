import { currentAdmin, requestOtp } from '@stagedoor/contract/team/auth';
import { buildConversation } from '../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from './support/accessibility-issues.ts';
import { contentsFor } from './support/conversation.ts';
import { DESKTOP, expect, PHONE, test } from './support/journey.ts';
import { inLanguage, LANGUAGES, speaking } from './support/languages.ts';
import { bubble, thread } from './support/screens.ts';

test('this browser keeps the language chosen at sign-in, and the email with the code is in it', async ({
  desk,
}) => {
  const page = await desk.openSignedOut();
  await page.getByLabel('Language').selectOption('Deutsch');
  const de = inLanguage('de');
  await expect(page.getByText(de('Please enter your email'))).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.reload();
  await expect(page.getByText(de('Please enter your email'))).toBeVisible();
  const { admin } = await desk.hire();
  await page.getByLabel(de('Please enter your email')).fill(admin.email);
  await page.getByRole('button', { name: de('Continue') }).click();
  const { mail } = await desk.server.smtp.mailTo(admin.email);
  expect(mail.subject).toMatch(/^\d{6} ist dein Stagedoor-Code$/);
  await page.reload();
  await page.getByLabel(de('Language')).selectOption('English');
  await expect(page.getByText('Please enter your email')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

test('changing the language in the settings keeps the text being written, and changes the language of emails', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const staff = await desk.hire();
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  await page.getByPlaceholder('Reply as creator...').fill('Half a sen');
  await page.getByRole('button', { name: 'Settings' }).click();
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith(currentAdmin.path) &&
      response.request().headers()['accept-language'] === 'es',
  );
  await page.getByLabel('Language').selectOption('Español');
  const field = page.getByPlaceholder(inLanguage('es')('Reply as creator...'));
  await expect(field).toHaveValue('Half a sen');
  await saved;
  await desk.anonymous.call(requestOtp, { body: { email: staff.admin.email } });
  const { mail } = await desk.server.smtp.mailTo(staff.admin.email);
  expect(mail.subject).toMatch(/^\d{6} es tu código de Stagedoor$/);
});

for (const language of LANGUAGES) {
  for (const size of [DESKTOP, PHONE]) {
    test(`in ${language} (${size.name}) a reply is written and sent by accessible names, without serious accessibility issues`, async ({
      desk,
    }) => {
      const say = inLanguage(language);
      const manager = await desk.hire({ role: 'manager' });
      const { id, fan } = await buildConversation(desk, {
        fan: { first_name: 'Ana', username: 'ana' },
      });
      await buildOffer(
        manager,
        id,
        [await buildProduct(manager, { title: 'Sunset Set' })],
        1_240.5,
      );
      const problems: string[] = [];
      const page = await desk.open(manager, {
        ...size,
        prepare: async (opened) => {
          opened.on('console', (message) => {
            if (message.type() === 'error') problems.push(message.text());
          });
          await speaking(language)(opened);
        },
      });
      await expect(page.getByRole('heading', { name: say('Fan Messages') })).toBeVisible();
      await page.getByRole('tab', { name: say('All [conversations]'), exact: true }).click();
      expect(await accessibilityIssues(page)).toEqual([]);
      await page.getByRole('link', { name: /^Ana/ }).click();
      await expect(bubble(page, 'Hello there')).toBeVisible();
      const prices = { pt: '$ 1240,50', es: '1240,50 $', de: '1240,50 $', ar: '$1240.50' };
      await expect(thread(page)).toContainText(prices[language].replaceAll(' ', '\u00a0'));
      expect(await accessibilityIssues(page)).toEqual([]);
      await page.getByPlaceholder(say('Reply as creator...')).fill('مرحبا Ana');
      await page.getByRole('button', { name: say('Send to {name}', { name: 'Ana' }) }).click();
      await expect(bubble(page, 'مرحبا Ana').getByRole('time')).toBeVisible();
      expect(await contentsFor(desk, fan.external_id)).toContain('مرحبا Ana');
      expect(problems).toEqual([]);
    });
  }
}

test('in Arabic the page is right to left: the list is on the right, and so are the fan’s messages', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: speaking('ar'),
  });
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  const fans = await bubble(page, 'Hello there').getByText('Hello there').boundingBox();
  const list = await page.getByRole('tablist').first().boundingBox();
  const log = await thread(page).boundingBox();
  if (!fans || !list || !log) throw new Error('Something is not shown');
  expect(list.x).toBeGreaterThanOrEqual(log.x + log.width);
  expect(fans.x + fans.width / 2).toBeGreaterThan(log.x + log.width / 2);
});

test('fan names are shown as entered, whatever they look like', async ({ desk }) => {
  const name = 'a\\u202eb {name} # \\x41';
  const { id } = await buildConversation(desk, { fan: { first_name: name } });
  for (const language of ['en', 'de']) {
    const page = await desk.open(await desk.hire(), {
      path: `/inbox/${id}`,
      prepare: speaking(language),
    });
    await expect(page.getByRole('region', { name })).toBeVisible();
    await expect(page.getByRole('heading', { name })).toBeVisible();
  }
});
