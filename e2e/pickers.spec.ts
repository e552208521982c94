import type { Locator, Page } from '@playwright/test';
import { buildConversation } from '../apps/server/test/factories.ts';
import { scheduledIn } from '../apps/server/test/worlds/scheduled.ts';
import { accessibilityIssues } from './support/accessibility-issues.ts';
import { boxProblems } from './support/boxes.ts';
import { DESKTOP, type Desk, expect, type OpenOptions, PHONE, test } from './support/journey.ts';
import { inLanguage, speaking } from './support/languages.ts';
import { britishDate } from './support/pickers.ts';
import { bubble } from './support/screens.ts';

const DAY_MS = 86_400_000;
const dayFromNow = (days: number) =>
  new Date(Date.now() + days * DAY_MS).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' });

const dateField = (within: Page | Locator) =>
  within.getByRole('textbox', { name: 'Date', exact: true });
const timeField = (within: Page | Locator) =>
  within.getByRole('combobox', { name: 'Time', exact: true });
const calendar = (page: Page) => page.getByRole('dialog', { name: /^Choose date/ });
const day = (page: Page, date: string) => page.locator(`[data-day="${date}"] button`);

async function openSchedule(desk: Desk, options: OpenOptions = {}, timezone?: string) {
  const staff = await desk.hire();
  const conversation = await buildConversation(desk, {
    fan: { first_name: 'Ana', ...(timezone && { timezone }) },
  });
  const { id } = conversation;
  const page = await desk.open(staff, { path: `/inbox/${id}`, ...options });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  return { id, staff, page };
}

async function openDialog(page: Page, say = (text: string) => text): Promise<Locator> {
  await page.getByPlaceholder(say('Reply as creator...')).fill('Good morning');
  await page.getByRole('button', { name: say('Schedule Message') }).click();
  return page.getByRole('dialog', { name: say('Schedule Message') });
}

test('a date and time are chosen by keyboard alone, and Escape closes one layer at a time', async ({
  desk,
}) => {
  const { id, staff, page } = await openSchedule(desk);
  const dialog = await openDialog(page);
  await dateField(dialog).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const today = dayFromNow(0);
  await expect(day(page, today)).toBeFocused();
  await expect(day(page, today)).toHaveAttribute('aria-current', 'date');
  await expect(day(page, today)).toHaveAccessibleName(/, today$/);
  for (const [key, date] of [
    ['ArrowRight', dayFromNow(1)],
    ['ArrowDown', dayFromNow(8)],
    ['ArrowLeft', dayFromNow(7)],
  ] as const) {
    await page.keyboard.press(key);
    await expect(day(page, date)).toBeFocused();
  }
  await page.keyboard.press('Home');
  await expect(page.locator('[data-day] button:focus')).toHaveAccessibleName(/^Monday/);
  await page.keyboard.press('End');
  await expect(page.locator('[data-day] button:focus')).toHaveAccessibleName(/^Sunday/);
  const shown = calendar(page).getByRole('grid');
  const month = await shown.getAttribute('aria-label');
  await page.keyboard.press('PageDown');
  await expect(shown).not.toHaveAccessibleName(month ?? '');
  await page.keyboard.press('PageUp');
  await expect(shown).toHaveAccessibleName(month ?? '');
  await page.keyboard.press('Escape');
  await expect(calendar(page)).toBeHidden();
  await expect(dialog).toBeVisible();
  const opener = dialog.getByRole('button', { name: 'Choose date: Date' });
  await expect(opener).toBeFocused();
  await expect(dateField(dialog)).toHaveValue('');

  await page.keyboard.press('Enter');
  await expect(day(page, today)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(opener).toBeFocused();
  await expect(dateField(dialog)).toHaveValue(britishDate(dayFromNow(7)));
  await expect(timeField(dialog)).toHaveValue('09:00');
  await page.keyboard.press('Tab');
  await expect(timeField(dialog)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  const steps = page.getByRole('listbox', { name: 'Time' });
  await expect(steps.getByRole('option', { selected: true })).toHaveText('09:00');
  await page.keyboard.press('Escape');
  await expect(steps).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(timeField(dialog)).toHaveValue('09:30');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const [scheduled] = await scheduledIn(staff, id);
  expect(
    new Date(scheduled?.send_at ?? '').toLocaleString('sv', { timeZone: 'Europe/Berlin' }),
  ).toBe(`${dayFromNow(7)} 09:30:00`);
});

test('a snooze’s end is chosen by pointer, and shown by both clocks', async ({ desk }) => {
  const { page } = await openSchedule(desk, {}, 'Asia/Tokyo');
  await page.getByRole('heading', { name: 'Ana' }).click();
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Snooze' });
  await dialog.getByRole('button', { name: 'Choose date: Date' }).click();
  await calendar(page).getByRole('button', { name: 'Next month' }).click();
  const fifteenth = page.locator('[data-day$="-15"] button');
  const date = (await page.locator('[data-day$="-15"]').getAttribute('data-day')) ?? '';
  await fifteenth.click();
  await expect(dateField(dialog)).toHaveValue(britishDate(date));
  await timeField(dialog).click();
  await page.getByRole('option', { name: '10:00' }).click();
  await expect(timeField(dialog)).toHaveValue('10:00');
  await expect(dialog.getByText(/^1[78]:00 for Ana · 10:00 for you$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
  await expect(page.getByText(/^Snoozed Ana until/).first()).toBeVisible();
});

test('a date is typed in the language’s own order, and an invalid one stays, with the reason', async ({
  desk,
}) => {
  const say = inLanguage('de');
  const { id, staff, page } = await openSchedule(desk, {
    prepare: speaking('de'),
  });
  const dialog = await openDialog(page, say);
  const date = dialog.getByRole('textbox', { name: say('Date'), exact: true });
  const time = dialog.getByRole('combobox', { name: say('Time [of day]'), exact: true });
  await expect(date).toHaveAttribute('placeholder', 'TT.MM.JJJJ');
  await date.fill('31.2.');
  await time.click();
  await expect(date).toHaveValue('31.2.');
  await expect(date).toHaveAccessibleDescription(/^Gib ein Datum wie \d\d\.\d\d\.\d{4} ein$/);
  const [year = '', month = '', dayOfMonth = ''] = dayFromNow(3).split('-');
  await date.fill(`${Number(dayOfMonth)}.${Number(month)}.${year.slice(2)}`);
  await time.fill('930');
  await expect(date).toHaveValue(`${dayOfMonth}.${month}.${year}`);
  await time.press('Enter');
  await expect(dialog).toHaveCount(0);
  const [scheduled] = await scheduledIn(staff, id);
  expect(
    new Date(scheduled?.send_at ?? '').toLocaleString('sv', { timeZone: 'Europe/Berlin' }),
  ).toBe(`${dayFromNow(3)} 09:30:00`);
});

test('from right to left, the arrow to the left leads to the next day', async ({ desk }) => {
  const say = inLanguage('ar');
  const { page } = await openSchedule(desk, {
    prepare: speaking('ar'),
  });
  const dialog = await openDialog(page, say);
  await dialog
    .getByRole('button', { name: say('Choose date: {field}', { field: say('Date') }) })
    .press('Enter');
  await expect(day(page, dayFromNow(0))).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(day(page, dayFromNow(1))).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(day(page, dayFromNow(0))).toBeFocused();
  const [previous, next] = await Promise.all(
    ['Previous month', 'Next month'].map((name) =>
      page.getByRole('button', { name: say(name) }).boundingBox(),
    ),
  );
  expect(previous?.x ?? 0).toBeGreaterThan(next?.x ?? Number.POSITIVE_INFINITY);
});

test('a time that the clocks skip or repeat is explained', async ({ desk }) => {
  const { page } = await openSchedule(desk);
  const dialog = await openDialog(page);
  await dateField(dialog).fill('28/03/2027');
  await timeField(dialog).fill('02:30');
  await expect(
    dialog.getByText('The clocks go forward and skip 02:30 that day. 03:30 is used.'),
  ).toBeVisible();
  await dateField(dialog).fill('31/10/2027');
  await expect(
    dialog.getByText('The clocks go back, so 02:30 comes twice that day. The first one is used.'),
  ).toBeVisible();
});

for (const [size, options] of Object.entries({
  '390x844': PHONE,
  '640x360': { width: 640, height: 360, touch: true },
  '1440x900': DESKTOP,
})) {
  test(`the calendar and the times fit into a window of ${size}, and have no serious accessibility issues`, async ({
    desk,
  }) => {
    const { page } = await openSchedule(desk, options, 'Asia/Tokyo');
    const dialog = await openDialog(page);
    await dialog.getByRole('button', { name: 'Choose date: Date' }).click();
    await expect(calendar(page).getByRole('grid')).toBeVisible();
    const isInside = async (panel: Locator) => {
      const box = await panel.boundingBox();
      const { width = 0, height = 0 } = page.viewportSize() ?? {};
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    };
    await isInside(calendar(page));
    expect(await accessibilityIssues(page)).toEqual([]);
    expect(await boxProblems(page)).toEqual([]);
    await day(page, dayFromNow(1)).click();
    await expect(calendar(page)).toBeHidden();
    await timeField(dialog).click();
    await isInside(page.getByRole('listbox', { name: 'Time' }));
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
