import { buildConversation } from '../../apps/server/test/factories.ts';
import { expect, type OpenOptions, PHONE, test } from '../support/journey.ts';
import { bubble, composer, row, tab } from '../support/screens.ts';
import { TOURS, takeTour } from '../support/tours/tour.ts';
import { cutTexts, hiddenFocus, smallTargets, spaceTexts } from '../support/wcag.ts';

/** What is left of 1280 × 1024 pixels at 400 %. */
const ZOOMED: OpenOptions = { width: 320, height: 256 };
/** Presses of Tab that go through a screen, or far enough. */
const TABS = 30;

for (const [where, prepare] of Object.entries(TOURS)) {
  test.describe(where, () => {
    // A tour goes through a dozen states of its screens.
    test.slow();

    test(`what has the focus is never wholly hidden, and targets have their 24 px: ${where}`, async ({
      desk,
    }) => {
      await takeTour(desk, prepare, {}, async (page) => {
        expect(await smallTargets(page)).toEqual([]);
        for (let presses = 0; presses < TABS; presses++) {
          await page.keyboard.press('Tab');
          expect(await hiddenFocus(page)).toBeNull();
        }
      });
    });

    test(`at 400 % everything reflows into 320 px: ${where}`, async ({ desk }) => {
      await takeTour(desk, prepare, ZOOMED, async (page) => {
        const wide = () =>
          page.evaluate(() =>
            [
              document.documentElement,
              ...document.querySelectorAll('dialog[open], dialog[open] > div'),
            ]
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
              .map((element) => element.className),
          );
        await expect.poll(wide).toEqual([]);
      });
    });

    test(`texts that are spaced out are not cut: ${where}`, async ({ desk }) => {
      await takeTour(desk, prepare, { width: 1280 }, async (page) => {
        await spaceTexts(page);
        expect(await cutTexts(page)).toEqual([]);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width).toBeLessThanOrEqual(1280);
      });
    });
  });
}

test('whatever row the keys lead to is in view, also below what sticks to the top of a phone', async ({
  desk,
}) => {
  for (let number = 0; number < 15; number++) await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { ...PHONE, height: 500 });
  await expect(row(page, 'Ana').first()).toBeVisible();
  const keys = [...Array<string>(14).fill('j'), ...Array<string>(14).fill('k')];
  for (const key of keys) {
    await page.keyboard.press(key);
    expect(await hiddenFocus(page)).toBeNull();
  }
});

test('what is dragged can be done by single presses too', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire({ role: 'manager' }), { path: `/inbox/${id}` });
  await page.getByRole('button', { name: 'Notes', exact: true }).click();
  const notes = page.getByRole('complementary', { name: /^Notes/ });
  for (const width of [400, 600, 300, 400]) {
    await expect.poll(async () => (await notes.boundingBox())?.width).toBe(width);
    await page.getByRole('button', { name: 'Change width' }).click();
  }
});

test('in the system’s own colours what is current, chosen, on or focused is still told apart', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const staff = await desk.hire({ role: 'manager' });
  const page = await desk.open(staff, { path: `/inbox/${id}`, forcedColors: 'active' });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  const mark = (element: Element) => getComputedStyle(element, '::after').backgroundColor;
  expect(await row(page, 'Ana').evaluate(mark)).not.toBe(await row(page, 'Ben').evaluate(mark));
  const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await tab(page, 'Unread').evaluate(mark)).not.toBe(canvas);
  await composer(page).focus();
  await expect(composer(page)).toHaveCSS('outline-style', 'solid');
  await expect(page.getByRole('button', { name: 'Send to Ana' })).toBeVisible();
  await page.getByRole('button', { name: 'Settings' }).click();
  const checked = page.getByText('System', { exact: true });
  await expect(checked).toHaveCSS('outline-style', 'solid');
  await expect(page.getByText('Dark', { exact: true })).toHaveCSS('outline-style', 'none');
  await page.goto('/console');
  const toggle = page.getByRole('switch').first();
  const grounds = () =>
    toggle.evaluate((element) => [
      getComputedStyle(element).backgroundColor,
      getComputedStyle(element.firstElementChild ?? element).backgroundColor,
    ]);
  const [ground, knob] = await grounds();
  expect(ground).not.toBe(knob);
  await toggle.click();
  await expect.poll(async () => (await grounds())[0]).not.toBe(ground);
  await expect(page.getByRole('button', { name: 'Add Admin' })).toHaveCSS(
    'border-top-width',
    '1px',
  );
});
