import type { Locator, Page } from '@playwright/test';
import { getSettings } from '@stagedoor/contract/team/settings';
import { createShift, listShifts, updateShift } from '@stagedoor/contract/team/shifts';
import { sql } from 'kysely';
import {
  buildConversation,
  buildReply,
  changeSettings,
  type Staff,
} from '../../apps/server/test/factories.ts';
import { buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { expect, PHONE, test } from '../support/journey.ts';
import { gate, holdCalls, withoutLiveWay } from '../support/network.ts';
import { britishDate } from '../support/pickers.ts';
import { button, dialog, keepToast, row, tab } from '../support/screens.ts';
import { sell } from '../support/shop.ts';

const WEEK = '/shifts?week=2031-03-24';
/** The week that ends on the Sunday on which clocks go forward in New York. */
const CLOCKS_CHANGE = '/shifts?week=2031-03-03';

const plan = (manager: Staff, of: Staff, starts_at: string, ends_at: string, note = '') =>
  manager.client.call(createShift, { body: { admin_id: of.admin.id, starts_at, ends_at, note } });
const fromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Returns the stored times of the weeks that the journeys plan, in order, in UTC. */
async function stored({ client }: Staff): Promise<string[]> {
  const query = { from: '2031-03-01T00:00:00Z', to: '2031-04-20T00:00:00Z' };
  const { data } = (await client.call(listShifts, { query })).body;
  return data.map(({ starts_at, ends_at }) => `${starts_at.slice(5, 16)} ${ends_at.slice(5, 16)}`);
}

const shifts = (page: Page) =>
  page.getByRole('region', { name: 'Week', exact: true }).getByRole('button');
const shift = (page: Page, name: RegExp) =>
  shifts(page).filter({ visible: true }).and(page.getByRole('button', { name }));
const figuresOf = (page: Page) => dialog(page, 'Kiwi’s Figures');
const toast = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text);
const field = (within: Locator, group: string, name: string) =>
  within.getByRole('group', { name: group }).getByLabel(name, { exact: true });

/** Drags something in the week's grid by a number of day columns and hours. */
async function drag(page: Page, what: Locator, days: number, hours: number): Promise<void> {
  const grid = await page.locator('[data-week-grid]').boundingBox();
  await what.scrollIntoViewIfNeeded();
  const box = await what.boundingBox();
  if (grid === null || box === null) throw new Error('nothing to drag');
  const x = box.x + box.width / 2;
  const y = box.y + Math.min(box.height / 2, 30);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 10, y + 10);
  await page.mouse.move(x + (days * grid.width) / 7, y + (hours * grid.height) / 24);
  await page.mouse.up();
}

test('a manager plans a weekly pattern in the team’s time zone, and everyone sees it live', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager', codename: 'Zest' });
  const kiwi = await desk.hire({ codename: 'Kiwi', display_color: '#0B7A4B' });
  await changeSettings(manager, { time_zone: 'America/New_York' });
  const other = await desk.open(kiwi, { path: CLOCKS_CHANGE });
  await expect(other.getByText('No shifts this week. Managers plan them here.')).toBeVisible();
  await expect(other.getByRole('button', { name: 'Plan Shift' })).toHaveCount(0);
  const page = await desk.open(manager, { path: CLOCKS_CHANGE });
  await expect(page.getByText('Clocks go forward')).toBeVisible();
  await page.getByRole('button', { name: 'Plan Shift' }).click();
  const form = dialog(page, 'Plan Shift');
  await expect(form).toContainText('America/New York');
  await form.getByLabel('Teammate').selectOption('Kiwi');
  await expect(field(form, 'Starts', 'Date')).toHaveValue(britishDate('2031-03-03'));
  await expect(field(form, 'Starts', 'Time')).toHaveValue('09:00');
  await form.getByLabel('Note (optional)').fill('Watch the sales');
  await form.getByLabel('Repeats').selectOption('Every week');
  await expect(form.getByRole('checkbox', { name: 'Monday' })).toBeChecked();
  await form.getByRole('checkbox', { name: 'Wednesday' }).check();
  await form.getByRole('textbox', { name: 'Until' }).fill(britishDate('2031-03-16'));
  await form.getByRole('textbox', { name: 'Leave out a day' }).fill(britishDate('2031-03-05'));
  await expect(form.getByRole('list', { name: 'Left out' })).toContainText('5');
  expect(await accessibilityIssues(page)).toEqual([]);
  await form.getByRole('button', { name: 'Plan Shift' }).click();
  await expect(toast(page, '3 shifts planned')).toBeVisible();
  await expect(shift(page, /^Kiwi .*09:00 – 17:00/)).toHaveCount(1);
  expect(await accessibilityIssues(page)).toEqual([]);
  // 9:00 in New York, before and after the clocks change.
  expect(await stored(manager)).toEqual([
    '03-03T14:00 03-03T22:00',
    '03-10T13:00 03-10T21:00',
    '03-12T13:00 03-12T21:00',
  ]);
  await expect(shift(other, /^Kiwi .*09:00 – 17:00/)).toBeVisible();
  await shift(other, /^Kiwi/).click();
  await expect(dialog(other, 'Kiwi')).toContainText('Watch the sales');

  await page.getByRole('button', { name: 'Next Week' }).click();
  await expect(shift(page, /^Kiwi .*09:00 – 17:00/)).toHaveCount(2);
  await shift(page, /^Kiwi/).first().click();
  const change = dialog(page, 'Change Shift');
  await field(change, 'Starts', 'Time').fill('10:00');
  await change.getByLabel('Applies to').selectOption('This and the following ones');
  await change.getByRole('button', { name: 'Save Shift' }).click();
  await expect(shift(page, /^Kiwi .*10:00 – 18:00/)).toHaveCount(2);
  expect(await stored(manager)).toEqual([
    '03-03T14:00 03-03T22:00',
    '03-10T14:00 03-10T22:00',
    '03-12T14:00 03-12T22:00',
  ]);
  await shift(page, /^Kiwi/).first().click();
  await change.getByLabel('Applies to').selectOption('All shifts of the series');
  await change.getByRole('button', { name: 'Delete...' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete all shifts of this series?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(/^No shifts this week/)).toBeVisible();
  expect(await stored(manager)).toEqual([]);
});

test('a shift is moved and resized by pointer and by keys, can be put back, and never overlaps', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager', codename: 'Zest' });
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  await plan(manager, kiwi, '2031-03-25T09:00:00Z', '2031-03-25T11:00:00Z');
  const page = await desk.open(manager, { path: WEEK });
  const one = shift(page, /^Kiwi/);
  await expect(one).toHaveAccessibleName(/Mar 25.*09:00 – 11:00$/);
  await drag(page, one, 1, 2);
  await keepToast(page, 'Shift moved to');
  await expect(one).toHaveAccessibleName(/Mar 26.*11:00 – 13:00$/);
  await expect.poll(() => stored(manager)).toEqual(['03-26T11:00 03-26T13:00']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(one).toHaveAccessibleName(/Mar 25.*09:00 – 11:00$/);
  await expect.poll(() => stored(manager)).toEqual(['03-25T09:00 03-25T11:00']);
  await drag(page, page.locator('[data-end]'), 0, 1.25);
  await expect(one).toHaveAccessibleName(/09:00 – 12:15$/);
  await expect.poll(() => stored(manager)).toEqual(['03-25T09:00 03-25T12:15']);

  await one.focus();
  await one.press('ArrowDown');
  await one.press('ArrowDown');
  await expect(one).toHaveAccessibleName(/09:30 – 12:45$/);
  await one.press('Shift+ArrowUp');
  await expect(one).toHaveAccessibleName(/09:30 – 12:30$/);
  await one.press('ArrowRight');
  await expect(one).toHaveAccessibleName(/Mar 26.*09:30 – 12:30$/);
  await expect.poll(() => stored(manager)).toEqual(['03-26T09:30 03-26T12:30']);
  await expect(one).toBeFocused();
  // When a shift moves into another week, the page shows that week.
  for (let days = 0; days < 5; days++) await one.press('ArrowRight');
  await expect(one).toHaveAccessibleName(/Mar 31.*09:30 – 12:30$/);
  await expect(one).toBeFocused();
  await expect.poll(() => stored(manager)).toEqual(['03-31T09:30 03-31T12:30']);
  await one.press('Enter');
  await expect(dialog(page, 'Change Shift')).toBeVisible();
  await page.keyboard.press('Escape');

  await plan(manager, kiwi, '2031-04-01T09:00:00Z', '2031-04-01T11:00:00Z');
  await expect(shift(page, /^Kiwi/)).toHaveCount(2);
  const second = shift(page, /^Kiwi.*Apr 1/);
  await drag(page, second, -1, 0);
  await expect(
    page.getByText(/^This overlaps another shift of the same teammate: .*Mar 31/),
  ).toBeVisible();
  await expect(second).toHaveAccessibleName(/09:00 – 11:00$/);
  await second.click();
  const change = dialog(page, 'Change Shift');
  await field(change, 'Starts', 'Date').fill(britishDate('2031-03-31'));
  await change.getByRole('button', { name: 'Save Shift' }).click();
  await expect(change.getByRole('group', { name: 'Starts' }).getByRole('alert')).toContainText(
    'This overlaps another shift of the same teammate',
  );
  expect(await stored(manager)).toEqual(['03-31T09:30 03-31T12:30', '04-01T09:00 04-01T11:00']);
});

test('a shift’s pending move stays visible while the plan is refetched', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  const plum = await desk.hire({ codename: 'Plum' });
  await plan(manager, kiwi, '2031-03-25T09:00:00Z', '2031-03-25T11:00:00Z');
  const page = await desk.open(manager, { path: WEEK });
  const one = shift(page, /^Kiwi/);
  await expect(one).toHaveAccessibleName(/Mar 25.*09:00 – 11:00$/);
  const letGo = await holdCalls(page, /\/api\/shifts\/[\w-]{36}$/);
  await drag(page, one, 1, 2);
  await expect(one).toHaveAccessibleName(/Mar 26.*11:00 – 13:00$/);
  await plan(manager, plum, '2031-03-27T09:00:00Z', '2031-03-27T11:00:00Z');
  await expect(shift(page, /^Plum/)).toBeVisible();
  await expect(one).toHaveAccessibleName(/Mar 26.*11:00 – 13:00$/);
  letGo();
  await expect.poll(() => stored(manager)).toContain('03-26T11:00 03-26T13:00');
  await expect(one).toHaveAccessibleName(/Mar 26.*11:00 – 13:00$/);
});

for (const outcome of ['saved', 'refused'])
  test(`a shift that is moved twice stays at its latest time when the first move is ${outcome}`, async ({
    desk,
  }) => {
    const manager = await desk.hire({ role: 'manager' });
    const kiwi = await desk.hire({ codename: 'Kiwi' });
    await plan(manager, kiwi, '2031-03-25T09:00:00Z', '2031-03-25T11:00:00Z');
    const page = await desk.open(manager, { path: WEEK });
    const one = shift(page, /^Kiwi/);
    await expect(one).toBeVisible();
    const plans = await holdCalls(page, /\/api\/shifts\?/);
    const [first, second] = [gate(), gate()];
    const moves = [first.held, second.held];
    await page.route(/\/api\/shifts\/[\w-]{36}$/, async (route) => {
      await moves.shift();
      await route.continue();
    });
    await drag(page, one, 1, 2);
    await expect(one).toHaveAccessibleName(/Mar 26.*11:00 – 13:00$/);
    await drag(page, one, 1, 0);
    await expect(one).toHaveAccessibleName(/Mar 27.*11:00 – 13:00$/);
    if (outcome === 'refused')
      await plan(manager, kiwi, '2031-03-26T12:00:00Z', '2031-03-26T14:00:00Z');
    const next = page.waitForRequest(/\/api\/shifts\/[\w-]{36}$/);
    first.letGo();
    await next;
    if (outcome === 'refused')
      await expect(page.getByText(/^This overlaps another shift/)).toBeVisible();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await expect(one).toHaveAccessibleName(/Mar 27.*11:00 – 13:00$/);
    second.letGo();
    plans();
    await expect.poll(() => stored(manager)).toContain('03-27T11:00 03-27T13:00');
    await expect(shift(page, /^Kiwi.*Mar 27/)).toHaveAccessibleName(/11:00 – 13:00$/);
  });

test('staff clock in and out, can hand over their claims, and learn that an idle clock stopped', async ({
  desk,
}) => {
  const mango = await desk.hire({ codename: 'Mango' });
  await buildConversation(desk, { fan: { first_name: 'Ana' }, claimedBy: mango.admin });
  const page = await desk.open(mango);
  const menu = page.getByRole('dialog', { name: 'Team' });
  await button(page, 'Team').click();
  await expect(menu).toContainText('You are off the clock');
  await menu.getByRole('button', { name: 'Clock In' }).click();
  await expect(menu).toContainText('On the clock since');
  await menu.getByRole('button', { name: 'Clock Out' }).click();
  const handover = dialog(page, 'End Shift');
  await expect(handover.getByRole('list', { name: 'Claimed conversations' })).toContainText('Ana');
  await handover.getByRole('button', { name: 'Cancel' }).click();

  await button(page, 'Team').click();
  await menu.getByRole('button', { name: 'Shifts' }).click();
  await expect(page).toHaveURL(/\/shifts$/);
  await page.getByRole('button', { name: 'Clock In' }).click();
  await expect(page.getByText(/^On the clock since/)).toBeVisible();
  // Moves the last act further back than the team's limit for an idle clock.
  await sql`update clocks set started_at = started_at - interval '2 hours',
    ended_at = ended_at - interval '2 hours', last_act_at = last_act_at - interval '1 hour'`.execute(
    desk.db.kysely,
  );
  const bar = page
    .getByRole('status')
    .filter({ hasText: /^Your clock stopped at .*, your last act$/ });
  await expect(bar).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clock In Again' }).first().click();
  await expect(bar).toHaveCount(0);
  await expect(page.getByText(/^On the clock since/)).toBeVisible();
});

test('with access only on shift a banner counts down, and a manager grants more time live', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const [kiwi, mango] = [
    await desk.hire({ codename: 'Kiwi' }),
    await desk.hire({ codename: 'Mango' }),
  ];
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await plan(manager, kiwi, fromNow(-60), fromNow(20));
  const [on, off] = [await desk.open(kiwi), await desk.open(mango)];
  await expect(button(on, 'Team')).toBeVisible();
  await changeSettings(manager, { access_only_on_shift: true });
  await expect(on.getByRole('timer')).toContainText(/You can act for 3\d:\d\d/);
  const readOnly = off.getByText('Outside your shift you can read, not act');
  await expect(readOnly).toBeVisible();
  expect(await accessibilityIssues(off)).toEqual([]);
  await tab(off, 'All').click();
  await row(off, 'Ana').click();
  await button(off, 'Claim').click();
  await expect(
    off.getByText('You can only read outside your shifts. Ask a manager for more time.').first(),
  ).toBeVisible();

  const boss = await desk.open(manager, { path: '/console' });
  await off.getByRole('button', { name: 'Ask for 30 More Minutes' }).click();
  await expect(off.getByText(/^Asked for 30 more minutes at/)).toBeVisible();
  await expect(boss.getByText('Mango asks for 30 more minutes')).toBeVisible();
  expect(await accessibilityIssues(boss)).toEqual([]);
  await boss.getByRole('button', { name: 'Grant Mango 30 more minutes' }).click();
  await expect(boss.getByText('Mango asks for 30 more minutes')).toHaveCount(0);
  await expect(off.getByRole('timer')).toContainText(/You can act for (30:00|29:\d\d|2\d:\d\d)/);
  await expect(readOnly).toHaveCount(0);
  await button(off, 'Claim').click();
  await expect(button(off, 'Release')).toBeVisible();
});

test('above the week it says who is on shift, who is next and which hours have no cover', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager', codename: 'Zest' });
  const [kiwi, mango] = [
    await desk.hire({ codename: 'Kiwi' }),
    await desk.hire({ codename: 'Mango' }),
  ];
  await plan(manager, kiwi, fromNow(-60), fromNow(60));
  await plan(manager, mango, fromNow(30), fromNow(90));
  await plan(manager, kiwi, '2031-03-25T09:00:00Z', '2031-03-25T12:00:00Z');
  await plan(manager, mango, '2031-03-25T11:00:00Z', '2031-03-25T17:00:00Z');
  const page = await desk.open(manager, { path: WEEK });
  const now = page.getByRole('region', { name: 'On Shift Now' });
  await expect(now).toContainText(/Kiwi until \d\d:\d\dNext: Mango · .*\d\d:\d\d/);
  await expect(page.getByRole('heading', { name: /Tue/ })).toContainText('16 h without cover');
  const hours = page.getByRole('region', { name: 'Hours This Week' });
  await expect(hours.getByRole('listitem')).toHaveText([
    /^Kiwi0 min of 3 h planned/,
    /^Mango0 min of 6 h planned/,
  ]);
  const own = await desk.open(mango, { path: WEEK });
  await expect(own.getByRole('region', { name: 'On Shift Now' })).toContainText('Kiwi until');
  await expect(own.getByText('without cover')).toHaveCount(0);
  // A shift that doesn't begin today is shown with its day.
  const before = await desk.open(mango, {
    path: WEEK,
    prepare: ({ clock }) => clock.setFixedTime('2031-03-24T12:00:00Z'),
  });
  await expect(before.getByRole('region', { name: 'On Shift Now' })).toContainText(
    /Next: Kiwi · Tue, Mar 25.*09:00/,
  );
});

test('on a tablet the week opens at today beside its hours, and a shift’s name stays in view', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager', codename: 'Zest' });
  const staff = [manager, await desk.hire({ codename: 'Huckleberry' }), await desk.hire()];
  for (const one of staff) await plan(manager, one, '2031-03-25T09:00:00Z', '2031-03-25T17:00:00Z');
  await plan(manager, manager, '2031-03-29T22:00:00Z', '2031-03-30T16:00:00Z');
  const page = await desk.open(manager, {
    width: 820,
    height: 900,
    path: WEEK,
    prepare: ({ clock }) => clock.setFixedTime('2031-03-30T12:00:00Z'),
  });
  await expect(page.getByRole('heading', { name: 'Sun' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('09:00', { exact: true }).first()).toBeInViewport();
  const named = shift(page, /Mar 29/).getByText('Zest');
  await expect(named.last()).toBeInViewport({ ratio: 1 });
  // A name that doesn't fit stays on one line and ends in an ellipsis.
  const long = await page.getByText('Huckleberry', { exact: true }).last().boundingBox();
  expect(long?.height).toBe(14);
  const head = await page.getByRole('heading', { name: 'Sun' }).boundingBox();
  const hour = await page.getByText('07:00', { exact: true }).boundingBox();
  expect(hour?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
});

test('on a phone the week is shown a day at a time, and shifts are planned in a dialog', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager', codename: 'Zest' });
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  await plan(manager, kiwi, '2031-03-25T21:00:00Z', '2031-03-26T05:00:00Z', 'Night shift');
  const page = await desk.open(manager, { ...PHONE, path: WEEK });
  await expect(page.getByText('No shifts on this day')).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  const list = page.getByRole('list', { name: 'Shifts' });
  for (const day of [/^Tuesday/, /^Wednesday/]) {
    await page.getByRole('radio', { name: day }).check();
    await expect(list.getByRole('button', { name: /Kiwi.*21:00 – 05:00/ })).toContainText(
      'Night shift',
    );
  }
  await expect(list).toContainText('Tue, 21:00 – 05:00');
  expect(await accessibilityIssues(page)).toEqual([]);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(isWide).toBe(false);
  await list.getByRole('button', { name: /Kiwi/ }).click();
  const change = dialog(page, 'Change Shift');
  await field(change, 'Ends', 'Time').fill('06:00');
  await change.getByRole('button', { name: 'Save Shift' }).click();
  await expect(list.getByRole('button', { name: /Kiwi.*21:00 – 06:00/ })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByRole('button', { name: /Kiwi.*21:00 – 05:00/ })).toBeVisible();
});

test('saving a shift keeps what a teammate changed in its other fields, and so does Undo', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager', codename: 'Zest' });
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  const planned = await plan(manager, kiwi, '2031-03-25T09:00:00Z', '2031-03-25T11:00:00Z');
  const { id } = planned.body.data;
  const write = (note: string) =>
    manager.client.call(updateShift, { params: { id }, body: { note } });
  const kept = async () => {
    const query = { from: '2031-03-01T00:00:00Z', to: '2031-04-20T00:00:00Z' };
    return (await manager.client.call(listShifts, { query })).body.data;
  };
  const page = await desk.open(manager, { path: WEEK });
  await shift(page, /^Kiwi/).click();
  const change = dialog(page, 'Change Shift');
  await write('Before the save');
  await field(change, 'Ends', 'Time').fill('12:00');
  await change.getByRole('button', { name: 'Save Shift' }).click();
  await keepToast(page, 'Shift changed');
  expect(await kept()).toMatchObject([
    { note: 'Before the save', ends_at: '2031-03-25T12:00:00.000Z' },
  ]);
  await write('Before the undo');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect
    .poll(kept)
    .toMatchObject([{ note: 'Before the undo', ends_at: '2031-03-25T11:00:00.000Z' }]);
});

test('a late save of a shift does not close the next form', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager', codename: 'Zest' });
  await plan(manager, manager, '2031-03-25T09:00:00Z', '2031-03-25T11:00:00Z');
  const page = await desk.open(manager, { path: WEEK });
  await shift(page, /^Zest/).click();
  const change = dialog(page, 'Change Shift');
  await field(change, 'Ends', 'Time').fill('12:00');
  const save = await holdCalls(page, /\/api\/shifts\/[\w-]{36}$/);
  await change.getByRole('button', { name: 'Save Shift' }).click();
  await change.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Plan Shift' }).click();
  const note = dialog(page, 'Plan Shift').getByLabel('Note (optional)');
  await note.fill('Watch the sales');
  save();
  await expect(page.getByText('Shift changed')).toBeVisible();
  await expect(note).toHaveValue('Watch the sales');
});

test('a shift’s figures lead to the messages that they count', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager', codename: 'Zest' });
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  await plan(manager, kiwi, fromNow(-60), fromNow(60));
  const product = await buildProduct(manager, { title: 'Backstage', price: '5.00' });
  const ana = await buildConversation(desk, { fan: { first_name: 'Ana' }, messages: ['Hello?'] });
  await buildReply(kiwi, ana.id, { content: 'See you there' });
  await sell(desk, kiwi, { fan: 'Ben', product, price: 5, daysAgo: 0 });
  const page = await desk.open(manager, { path: '/shifts' });
  await page.getByRole('button', { name: 'Kiwi’s Figures' }).click();
  const figure = (name: string) =>
    figuresOf(page).getByRole('button', { name: new RegExp(`^${name}`) });
  // The first of two figures whose names begin with 'Sales'.
  await expect(figure('Sales').first()).toContainText('$5.00');
  await expect(figure('Unlock Rate')).toContainText('100.0%');
  await expect(figure('Replies')).toContainText('2');
  expect(await accessibilityIssues(page)).toEqual([]);
  await figure('Sales').first().click();
  const sales = page.getByRole('dialog', { name: 'Sales of Kiwi' });
  await expect(sales.getByRole('list', { name: 'Messages' })).toContainText('Backstage');
  await sales.getByRole('button', { name: 'All Figures' }).click();
  await figure('Replies').click();
  const replies = page.getByRole('dialog', { name: 'Replies of Kiwi' });
  await replies.getByRole('link', { name: /^Ana.*See you there/ }).click();
  await expect(page).toHaveURL(new RegExp(`/inbox/${ana.id}`));

  const own = await desk.open(kiwi, { path: '/shifts' });
  await shift(own, /^Kiwi/).first().click();
  await dialog(own, 'Kiwi').getByRole('button', { name: 'Figures' }).click();
  await expect(figuresOf(own)).toContainText('$5.00');
});

test('the rules for shifts are set in the console, and a failed load can be retried', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: '/console/rules' });
  await page.getByRole('switch', { name: 'Access only on shift' }).click();
  await expect(page.getByRole('switch', { name: 'Access only on shift' })).toBeChecked();
  await page.getByLabel('Stop idle clocks').selectOption('45 minutes');
  await expect(page.getByLabel('Stop idle clocks')).toHaveValue('45');
  await page.getByLabel('Team time zone').selectOption('Europe/Lisbon');
  await expect
    .poll(async () => (await manager.client.call(getSettings)).body.data)
    .toMatchObject({
      access_only_on_shift: true,
      clock_idle_minutes: 45,
      time_zone: 'Europe/Lisbon',
    });
  const isPlan = ({ pathname }: URL) => pathname === '/api/shifts';
  // A live connection could refetch the plan before Retry is clicked.
  await withoutLiveWay(page);
  await page.route(isPlan, (route) => route.fulfill({ status: 400, json: {} }));
  await page.goto(WEEK);
  await expect(page.getByRole('alert')).toContainText('Couldn’t load the shifts');
  await page.unroute(isPlan);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText(/^No shifts this week/)).toBeVisible();
});
