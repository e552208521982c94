import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { recordRefund } from '@stagedoor/contract/platform/platform';
import {
  addCommissionRule,
  contestEarning,
  listEarnings,
  listPeriods,
} from '@stagedoor/contract/selling/earnings';
import { getSettings } from '@stagedoor/contract/team/settings';
import { sql } from 'kysely';
import { changeSettings } from '../../apps/server/test/factories.ts';
import { buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from '../support/journey.ts';
import { sayIn, speaking } from '../support/languages.ts';
import { holdCalls, withoutLiveWay } from '../support/network.ts';
import { bubble, tile } from '../support/screens.ts';
import { sell } from '../support/shop.ts';
import { smallTargets } from '../support/targets.ts';

/** A time zone in which it is between 6:00 and 19:00, so that no day or period ends during a journey. */
const DAYTIME = new Date().getUTCHours() % 18 < 6 ? 'Pacific/Auckland' : 'UTC';

/** Hires staff who earn 20 % of their sales and $12 an hour, under a rule that is three weeks old. */
async function openBooks(desk: Desk) {
  const manager = await desk.hire({ role: 'manager', codename: 'Zest' });
  const [kiwi, papaya] = [
    await desk.hire({ codename: 'Kiwi' }),
    await desk.hire({ codename: 'Papaya' }),
  ];
  await changeSettings(manager, { time_zone: DAYTIME });
  await sql`insert into earning_rules (role, percent_hundredths, hourly_cents, credit, effective_at, created_by)
    values ('support', 2000, 1200, 'sender', now() - interval '21 days', ${manager.admin.id})`.execute(
    desk.db.kysely,
  );
  const product = await buildProduct(manager, { title: 'Backstage', price: '10.00' });
  return { manager, kiwi, papaya, product };
}

const PATH = '/earnings';
/** Opens the page with a print dialog that marks the page instead. */
const PRINTING = {
  path: PATH,
  prepare: (opened: Page) =>
    opened.addInitScript(() =>
      Object.assign(window, { print: () => document.body.setAttribute('data-printed', '') }),
    ),
};
const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const lines = (page: Page) => region(page, 'Lines').getByRole('listitem');
const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const openTeam = (page: Page) => openTab(page, 'Team Earnings');

async function contest(page: Page, reason: string): Promise<void> {
  await lines(page).getByRole('button', { name: 'Contest' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Contest This Line' });
  await dialog.getByLabel('What is wrong?').fill(reason);
  await dialog.getByRole('button', { name: 'Send Contest' }).click();
  await expect(dialog).toBeHidden();
}

/** Tries to close a dialog, and cancels when asked to discard the input. */
async function keepTyping(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Close Dialog' }).click();
  const question = dialog.page().getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
}

test('staff see what they earned today and this period, and why, down to the message', async ({
  desk,
}) => {
  const { kiwi, papaya, product } = await openBooks(desk);
  const now = Date.now();
  await sell(desk, kiwi, { fan: 'Ana', product, price: 10, daysAgo: 0 });
  await sell(desk, papaya, { fan: 'Ben', product, price: 100, daysAgo: 0 });
  await sql`insert into clocks (admin_id, started_at, last_act_at, ended_at, stopped_by)
    values (${kiwi.admin.id}, now() - interval '90 minutes 30 seconds', now(), now(), 'admin')`.execute(
    desk.db.kysely,
  );
  // Fixes the page's clock to the day of the sale.
  const page = await desk.open(kiwi, { prepare: ({ clock }) => clock.setFixedTime(now) });
  await page.getByRole('button', { name: 'Team', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Team' })
    .getByRole('button', { name: 'Earnings' })
    .click();
  await expect(page).toHaveURL(/\/earnings$/);
  for (const name of ['Earned Today', 'This Period'])
    await expect(tile(page, name)).toHaveText('$20.10');
  await expect(tile(page, 'Net Sales This Period')).toHaveText('$10.00');
  await expect(tile(page, 'On the Clock')).toHaveText('1 h 31 min');
  await expect(lines(page)).toHaveCount(2);
  await expect(lines(page).filter({ hasText: /^Hours/ })).toContainText(
    '1 h 30 min 30 s at $12.00 an hour = $18.10',
  );
  const sale = lines(page).filter({ hasText: 'Backstage' });
  await expect(sale).toContainText('20% of $10.00 = $2.00');
  expect(await accessibilityIssues(page)).toEqual([]);
  await sale.getByRole('link', { name: 'Show Message' }).click();
  await expect(bubble(page, 'Backstage')).toBeVisible();
});

test('an admin contests a line, a manager shares it out or rejects it, and all concerned see it live', async ({
  desk,
}) => {
  const { manager, kiwi, papaya, product } = await openBooks(desk);
  await sell(desk, kiwi, { fan: 'Ana', product, price: 10, daysAgo: 0 });
  const boss = await desk.open(manager, { path: PATH });
  await openTeam(boss);
  const waiting = region(boss, 'Contests');
  await expect(waiting).toContainText('No contests are waiting for an answer.');
  const page = await desk.open(kiwi, { ...PHONE, path: PATH });
  const other = await desk.open(papaya, { path: PATH });
  await expect(other.getByText('No earnings yet')).toBeVisible();
  await contest(page, 'Papaya wrote half of it');
  await expect(lines(page)).toContainText('Contested by Kiwi: Papaya wrote half of it');
  await expect(lines(page).getByRole('button', { name: 'Contest' })).toHaveCount(0);
  const own = region(page, 'My Contests');
  await expect(own).toContainText('Waiting for an answer');
  expect(await accessibilityIssues(page)).toEqual([]);

  await expect(waiting).toContainText('Papaya wrote half of it');
  expect(await accessibilityIssues(boss)).toEqual([]);
  await waiting.getByRole('button', { name: 'Answer' }).click();
  const answer = boss.getByRole('dialog', { name: 'Answer the Contest' });
  // The manager sees the same details as the admin, including the message.
  await expect(answer).toContainText('20% of $10.00 = $2.00');
  await expect(answer.getByRole('link', { name: 'Show Message' })).toBeVisible();
  expect(await accessibilityIssues(boss)).toEqual([]);
  const accept = answer.getByRole('button', { name: 'Accept' });
  await expect(accept).toBeDisabled();
  await expect(answer.getByRole('status')).toHaveText('Change a part to accept the contest.');
  await answer.getByLabel('Kiwi’s part of $2.00').fill('1.25');
  await keepTyping(answer);
  await expect(accept).toBeDisabled();
  await expect(answer.getByRole('status')).toHaveText('Left to share out: $0.75');
  await answer.getByLabel('Another teammate').selectOption('Papaya');
  await answer.getByLabel('Papaya’s part of $2.00').fill('0.75');
  await expect(answer.getByRole('status')).toHaveText('The whole line is shared out.');
  await accept.click();
  await waiting.getByText('Decided Contests').click();
  await expect(waiting.getByText('Contest accepted')).toBeVisible();
  await expect(own).toContainText('Contest accepted');
  await expect(own).toContainText('Yours now: $1.25');
  await expect(lines(page).filter({ hasText: 'Adjustment' })).toContainText(
    'Correction after a contest: -$0.75',
  );
  await expect(lines(other)).toContainText('Correction after a contest: $0.75');

  await contest(page, 'It was all mine');
  await waiting.getByRole('button', { name: 'Answer' }).click();
  await expect(answer.getByRole('button', { name: 'Reject' })).toBeDisabled();
  await answer.getByLabel('Reason (needed to reject)').fill('You agreed on it');
  await keepTyping(answer);
  await answer.getByRole('button', { name: 'Reject' }).click();
  await expect(own).toContainText('Contest rejected: You agreed on it');
  await expect(tile(page, 'This Period')).toHaveText('$1.25');
});

test('an admin claims a sale among the fan’s purchases, without seeing who earned how much', async ({
  desk,
}) => {
  const { manager, kiwi, papaya, product } = await openBooks(desk);
  const { fan } = await sell(desk, kiwi, { fan: 'Ana', product, price: 10, daysAgo: 0 });
  const page = await desk.open(papaya, { path: `/inbox/${fan.conversation_id}` });
  await page.getByRole('button', { name: /^Spent/ }).click();
  const bought = region(page, 'Bought').getByRole('listitem');
  await bought.getByRole('button', { name: 'Claim This Sale' }).click();
  const dialog = page.getByRole('dialog', { name: 'Claim This Sale' });
  await expect(dialog).toContainText('Backstage');
  expect(await accessibilityIssues(page)).toEqual([]);
  await dialog.getByLabel('Why is it your sale?').fill('I wrote the offer');
  await keepTyping(dialog);
  await dialog.getByRole('button', { name: 'Send Contest' }).click();
  await expect(page.getByText('A manager will answer your contest')).toBeVisible();
  await page.goto(PATH);
  const own = region(page, 'My Contests');
  await expect(own).toContainText('Waiting for an answer');
  await expect(own).not.toContainText('$');
  const boss = await desk.open(manager, { path: PATH });
  await openTeam(boss);
  await expect(region(boss, 'Contests')).toContainText('I wrote the offerContested by Papaya');
});

test('the pay period is set in the console, and all open periods follow at once', async ({
  desk,
}) => {
  const { manager } = await openBooks(desk);
  const page = await desk.open(manager, { path: PATH });
  const goTo = async (name: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command or fan' }).fill(name);
    await page.keyboard.press('Enter');
  };
  await openTeam(page);
  await expect(region(page, /\s–\s/)).toHaveCount(4);
  await goTo('Rules');
  const period = page.getByLabel('Pay period');
  await expect(period).toHaveValue('weekly');
  await period.selectOption('Monthly');
  await expect
    .poll(async () => (await manager.client.call(getSettings)).body.data.earning_period)
    .toBe('monthly');
  await goTo('Earnings');
  await openTeam(page);
  await expect(region(page, /^\w+ 1\s–\s(28|29|30|31),/).first()).toBeVisible();
  await goTo('Audit Log');
  await expect(page.getByText('Zest changed the team’s rules: pay period: monthly')).toBeVisible();
});

test('a closed period never changes, and its pay slip can be downloaded and printed', async ({
  desk,
}) => {
  const { manager, kiwi, product } = await openBooks(desk);
  const { fan } = await sell(desk, kiwi, { fan: 'Ana', product, price: 10, daysAgo: 20.9 });
  const page = await desk.open(manager, PRINTING);
  await openTeam(page);
  // Only the oldest open period can be closed, so it comes first.
  const oldest = region(page, /\s–\s/).filter({ hasText: 'Kiwi' });
  const first = region(page, /\s–\s/).first();
  await expect(first).toContainText('Kiwi');
  await expect(page.getByRole('button', { name: 'Close Period' })).toHaveCount(1);
  await expect(page.getByText('Close earlier periods first.')).toHaveCount(2);
  const print = oldest.getByRole('button', { name: 'Pay slip of Kiwi' });
  await expect(print).toHaveCount(0);
  await oldest.getByRole('button', { name: 'Close Period' }).click();
  await page
    .getByRole('alertdialog', { name: /^Close .*\s–\s.*\?$/ })
    .getByRole('button', { name: 'Close Period' })
    .click();
  await expect(oldest).toContainText('Closed');
  await expect(first.getByRole('button', { name: 'Close Period' })).toBeVisible();
  await expect(first).not.toContainText('Kiwi');
  await expect(oldest.getByRole('button', { name: 'Close Period' })).toHaveCount(0);
  await expect(page.getByText('Close earlier periods first.')).toHaveCount(1);
  for (const button of ['Download CSV', 'Download Pay Slip']) {
    const download = page.waitForEvent('download');
    await oldest.getByRole('button', { name: button }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv).toMatch(/Kiwi,.*,sale,10,2,20 % of \$10\.00 = \$2\.00/);
  }
  expect(await accessibilityIssues(page)).toEqual([]);
  await print.click();
  await expect(page.locator('body[data-printed]')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pay slip of Kiwi');
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await expect(tile(page, 'Total')).toHaveText('$2.00');
  await page.emulateMedia({ media: 'screen' });

  await sql`insert into clocks (admin_id, started_at, last_act_at, ended_at, stopped_by)
    select ${kiwi.admin.id}, purchased_at, purchased_at, purchased_at + interval '1 second', 'admin' from purchases`.execute(
    desk.db.kysely,
  );
  // Adds more lines than one page of the list contains.
  await sql`insert into clocks (admin_id, started_at, last_act_at, ended_at, stopped_by)
    select ${kiwi.admin.id}, at, at, at + interval '1 minute', 'admin'
    from generate_series(now() - interval '2 hours', now() - interval '2 minutes', interval '2 minutes') at`.execute(
    desk.db.kysely,
  );
  const { rows } = await sql<{ payment_reference: string }>`
    select payment_reference from purchases where fan_id = ${fan.id}`.execute(desk.db.kysely);
  const [body] = rows;
  if (body === undefined) throw new Error('nothing was sold');
  await desk.platform.call(recordRefund, { body });
  const own = await desk.open(kiwi, PRINTING);
  const late = lines(own).filter({ hasText: 'Adjustment · Refund' });
  await expect(late).toContainText('-$2.00');
  for (const text of ['Paid ', 'Refunded ', `Payment ${body.payment_reference}`])
    await expect(late).toContainText(text);
  const lateHours = { hasText: /Adjustment · Hours.*Booked late, for / };
  await expect(lines(own).filter(lateHours)).toHaveCount(1);
  await expect(tile(own, 'This Period')).toHaveText('$10.00');
  await expect(lines(own)).toHaveCount(50);
  await page.reload();
  await openTeam(page);
  await expect(oldest.filter({ hasText: 'Closed' })).toContainText('$2.00');

  let isBroken = true;
  await own.route(/earnings\?.*limit=/, (route) =>
    isBroken ? route.fulfill({ status: 403, json: {} }) : route.continue(),
  );
  await own.getByRole('button', { name: 'Print' }).click();
  await expect(own.getByText('Couldn’t load the pay slip')).toBeVisible();
  await expect(own.locator('body[data-printed]')).toHaveCount(0);
  isBroken = false;
  await own.getByRole('button', { name: 'Print' }).click();
  await expect(own.locator('body[data-printed]')).toBeVisible();
  await own.emulateMedia({ media: 'print' });
  await expect(own.getByRole('heading', { level: 1 })).toHaveText('Pay slip of Kiwi');
  await expect(own.getByRole('listitem')).toHaveCount(62);
  await expect(own.getByRole('listitem').filter(lateHours)).toHaveCount(1);
  await expect(own.getByRole('listitem').first()).toContainText('Refunded ');
  // The printout has the same order as the screen.
  await expect(own.getByRole('listitem').first()).toContainText('Adjustment · Refund');
  for (const [kind, amount] of [
    ['Hours', '$12.00'],
    ['Adjustments', '-$2.00'],
    ['Total', '$10.00'],
  ] as const)
    await expect(tile(own, kind)).toHaveText(amount);

  await own.emulateMedia({ media: 'screen' });
  await own.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(own.locator('.printout')).toHaveCount(0);
  for (const more of ['Load More', 'Show Earlier', 'Load More'])
    await own.getByRole('button', { name: more }).click();
  await expect(lines(own).filter({ hasText: '20% of $10.00 = $2.00' })).toHaveCount(1);
  const closed = oldest.filter({ hasText: 'Closed' }).getByRole('heading');
  await own.getByLabel('Pay Slip').selectOption(await closed.innerText());
  await expect(lines(own)).toHaveCount(1);
  await expect(lines(own)).toContainText('20% of $10.00 = $2.00');
  // The shortcut prints the whole pay slip. The browser alone would print only the lines shown so far.
  await own.keyboard.press('Control+p');
  await expect(own.locator('.printout')).toHaveCount(1);
  await own.emulateMedia({ media: 'print' });
  await expect(tile(own, 'Total')).toHaveText('$2.00');
  await expect(own.getByRole('listitem')).toHaveCount(1);
});

test('every closed period can be reached, and its pay slip is printed whole', async ({ desk }) => {
  const { manager, kiwi } = await openBooks(desk);
  const periods = (await manager.client.call(listPeriods)).body.data;
  const oldest = periods.at(-1)?.id;
  await sql`insert into earning_periods (id, starts_at, ends_at, closed_by, last_seq, last_hash)
    select (${oldest}::date - 7 * week)::text, (${oldest}::date - 7 * week)::timestamp at time zone ${DAYTIME},
      (${oldest}::date - 7 * week + 7)::timestamp at time zone ${DAYTIME}, ${manager.admin.id}, 0, ''
    from generate_series(1, 61) week order by 1`.execute(desk.db.kysely);
  await sql`insert into clocks (admin_id, started_at, last_act_at, ended_at, stopped_by)
    select ${kiwi.admin.id}, at, at, at + interval '1 minute', 'admin'
    from generate_series(now() - interval '34 minutes 20 seconds', now() - interval '1 minute', interval '1 second') at`.execute(
    desk.db.kysely,
  );
  const own = await desk.open(kiwi, PRINTING);
  await own.getByRole('button', { name: 'Print' }).click();
  await expect(own.locator('body[data-printed]')).toBeVisible();
  await own.emulateMedia({ media: 'print' });
  await expect(own.getByRole('listitem')).toHaveCount(2001);
  await own.emulateMedia({ media: 'screen' });

  const slips = own.getByLabel('Pay Slip').getByRole('option');
  const earlier = { name: 'Show Earlier Periods' };
  const shown = await slips.count();
  await own.getByRole('button', earlier).click();
  await expect(slips).toHaveCount(shown + 1);
  await expect(own.getByRole('button', earlier)).toHaveCount(0);
  const page = await desk.open(manager, { path: PATH });
  await openTeam(page);
  await expect(region(page, /\s–\s/)).toHaveCount(shown);
  // Earlier periods load even if the periods on the page are refetched at the same time.
  const next = /\/earnings\/periods\?cursor=/;
  const letGo = await holdCalls(page, next);
  const asked = page.waitForRequest(next);
  await page.getByRole('button', earlier).click();
  await asked;
  const refetched = page.waitForResponse(/\/earnings\/periods$/);
  const rule = { role: 'support', effective_from: '2099-01-01' } as const;
  await manager.client.call(addCommissionRule, { body: rule });
  await refetched;
  letGo();
  await expect(region(page, /\s–\s/)).toHaveCount(shown + 1);
});

test('net sales that nobody is credited with yet are shown to managers', async ({ desk }) => {
  const { manager, papaya, product } = await openBooks(desk);
  await sql`insert into earning_rules (admin_id, percent_hundredths, hourly_cents, credit, effective_at, created_by)
    values (${papaya.admin.id}, 2000, 0, 'shift', now() - interval '21 days', ${manager.admin.id})`.execute(
    desk.db.kysely,
  );
  await sql`insert into clocks (admin_id, started_at, last_act_at)
    values (${manager.admin.id}, now() - interval '1 hour', now() - interval '1 minute')`.execute(
    desk.db.kysely,
  );
  await sell(desk, papaya, { fan: 'Ana', product, price: 7, daysAgo: 0 });
  const page = await desk.open(manager, { path: PATH });
  await openTeam(page);
  await expect(page.getByText('$7.00 of net sales is not credited yet.')).toBeVisible();
});

test('a rule is tried on a past period before it is added, and changes nothing yet', async ({
  desk,
}) => {
  const { manager, kiwi, product } = await openBooks(desk);
  await sell(desk, kiwi, { fan: 'Ana', product, price: 10, daysAgo: 0 });
  const page = await desk.open(manager, { path: PATH });
  await openTab(page, 'Commission Rules');
  const rules = region(page, 'Commission Rules');
  await rules.getByLabel('For').selectOption('Kiwi');
  await rules.getByLabel('Percent of net sales').fill('35,5');
  await rules.getByRole('button', { name: 'What If?' }).click();
  const outcome = rules.getByRole('list', { name: 'What If?' });
  await expect(outcome).toContainText('$2.00 → $3.55');
  await expect(outcome).toContainText('$1.55');
  expect(await accessibilityIssues(page)).toEqual([]);
  // The outcome disappears when the terms change.
  await rules.getByLabel('Percent of net sales').fill('40');
  await expect(outcome).toBeHidden();
  await rules.getByRole('button', { name: 'What If?' }).click();
  await expect(outcome).toContainText('$2.00 → $4.00');
  await rules.getByLabel('For').selectOption('Papaya');
  await expect(outcome).toBeHidden();
  await page.reload();
  await openTab(page, 'Commission Rules');
  await expect(rules.getByRole('listitem')).toHaveCount(1);
  await rules.getByLabel('For').selectOption('Kiwi');
  await rules.getByLabel('Percent of net sales').fill('135,5');
  await rules.getByRole('button', { name: 'Add Rule' }).click();
  await expect(rules.getByRole('alert')).toHaveText('Enter a percentage from 0 to 100');
  await rules.getByLabel('Percent of net sales').fill('35,5');
  await expect(rules.getByRole('alert')).toHaveCount(0);
  const from = rules.getByRole('textbox', { name: 'From' });
  // The default is today in the team's time zone, which can differ from the browser's date.
  await expect(from).toHaveValue(new Intl.DateTimeFormat('en-GB', { timeZone: DAYTIME }).format());
  await from.fill('');
  await expect(rules.getByText('Choose today or a later day')).toBeVisible();
  await expect(rules.getByRole('button', { name: 'Add Rule' })).toBeDisabled();
  await rules.getByRole('button', { name: 'Choose date: From' }).click();
  await rules.getByRole('button', { name: /, today$/ }).click();
  await rules.getByRole('button', { name: 'Add Rule' }).click();
  await expect(rules.getByRole('listitem').first()).toContainText('35.5% of own sales');
  await openTeam(page);
  // A sale before the new rule keeps the rule that applied on its day.
  await expect(region(page, /\s–\s/).filter({ hasText: 'Kiwi' })).toContainText('$2.00');
});

test('a new rule starts from the rule in force for its target, and can be added once it differs', async ({
  desk,
}) => {
  const { manager, kiwi } = await openBooks(desk);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: DAYTIME }).format();
  for (const body of [
    { admin_id: kiwi.admin.id, percentage: 30, hourly_rate: 9.5, credit: 'shift' },
    { role: 'support', percentage: 20, hourly_rate: 15, effective_from: '2099-01-01' },
  ] as const)
    await manager.client.call(addCommissionRule, { body: { effective_from: today, ...body } });
  const page = await desk.open(manager, { path: PATH });
  await openTab(page, 'Commission Rules');
  const form = region(page, 'Commission Rules');
  const target = form.getByLabel('For');
  const percentage = form.getByLabel('Percent of net sales');
  const rate = form.getByLabel('Hourly rate in USD');
  const credit = form.getByLabel('Sales are credited to');
  const add = form.getByRole('button', { name: 'Add Rule' });
  for (const [name, percent, hourly, credited] of [
    ['Support', '20', '12', 'sender'],
    ['Kiwi', '30', '9.5', 'shift'],
    ['Papaya', '20', '12', 'sender'],
    ['Moderator', '0', '0', 'sender'],
  ] as const) {
    await target.selectOption(name);
    await expect(percentage).toHaveValue(percent);
    await expect(rate).toHaveValue(hourly);
    await expect(credit).toHaveValue(credited);
    // Papaya has only the rule of their role, so the same terms can be added as their own rule.
    const hint = form.getByText('Change the terms to add a rule.');
    await expect(hint).toBeVisible({ visible: name !== 'Papaya' });
    await expect(add).toBeEnabled({ enabled: name === 'Papaya' });
  }
  await percentage.fill('25');
  await expect(add).toBeEnabled();
  await target.selectOption('Support');
  await expect(percentage).toHaveValue('25');
  await expect(rate).toHaveValue('12');
  await form.getByRole('textbox', { name: 'From' }).fill('02/01/2099');
  await expect(rate).toHaveValue('15');
  await add.click();
  await expect(form.getByRole('listitem').first()).toContainText('25% of own sales, $15.00');
  await expect(add).toBeDisabled();
});

test('terms changed while a rule is being added stay', async ({ desk }) => {
  const { manager } = await openBooks(desk);
  const page = await desk.open(manager, { path: PATH, prepare: withoutLiveWay });
  await openTab(page, 'Commission Rules');
  const form = region(page, 'Commission Rules');
  const percentage = form.getByLabel('Percent of net sales');
  const rate = form.getByLabel('Hourly rate in USD');
  await percentage.fill('25');
  const add = await holdCalls(page, /\/earnings\/rules$/);
  await percentage.press('Enter');
  await rate.fill('15');
  add();
  await expect(form.getByRole('listitem').first()).toContainText('25% of own sales, $12.00');
  await expect(rate).toHaveValue('15');
  await form.getByRole('button', { name: 'Add Rule' }).click();
  await expect(form.getByRole('listitem').first()).toContainText('25% of own sales, $15.00');
  await expect(form.getByText('Change the terms to add a rule.')).toBeVisible();
});

for (const [language, size] of [
  ['en', PHONE],
  ['ar', PHONE],
  ['ar', DESKTOP],
] as const)
  test(`in ${language} (${size.name}, dark) the team’s earnings, rules and dialogs have no serious accessibility issues, and no small touch targets on a phone`, async ({
    desk,
  }) => {
    const say = sayIn(language);
    const { manager, kiwi, product } = await openBooks(desk);
    for (const [fan, seller, daysAgo] of [
      ['Ana', manager, 0],
      ['Ben', kiwi, 20.9],
    ] as const)
      await sell(desk, seller, { fan, product, price: 10, daysAgo });
    const [line] = (await kiwi.client.call(listEarnings)).body.data;
    const params = { line: line?.id ?? '' };
    await kiwi.client.call(contestEarning, { params, body: { reason: 'It was more' } });
    const page = await desk.open(manager, {
      ...size,
      theme: 'dark',
      path: PATH,
      prepare: speaking(language),
    });
    const press = (name: string) =>
      page
        .getByRole('button', { name: say(name), exact: true })
        .first()
        .click();
    const look = async (what: string) => {
      expect(await accessibilityIssues(page), what).toEqual([]);
      if (size === PHONE) expect(await smallTargets(page), what).toEqual([]);
    };
    const lookAtDialog = async (opener: string, role: 'dialog' | 'alertdialog' = 'dialog') => {
      await press(opener);
      await expect(page.getByRole(role)).toBeVisible();
      await look(opener);
      await page.keyboard.press('Escape');
      await expect(page.getByRole(role)).toHaveCount(0);
    };
    await lookAtDialog('Contest');
    await openTab(page, say('Team Earnings'));
    await expect(page.getByRole('button', { name: say('Answer'), exact: true })).toBeVisible();
    await look('Team Earnings');
    await lookAtDialog('Answer');
    await lookAtDialog('Close Period', 'alertdialog');
    await openTab(page, say('Commission Rules'));
    await expect(page.getByLabel(say('Percent of net sales'))).toBeVisible();
    await look('Commission Rules');
  });

test('support staff have no way to the team’s earnings', async ({ desk }) => {
  const { kiwi, papaya, product } = await openBooks(desk);
  await sell(desk, papaya, { fan: 'Ben', product, price: 10, daysAgo: 0 });
  const page = await desk.open(kiwi, { path: PATH });
  await expect(page.getByText('No earnings yet')).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(0);
  await expect(page.getByText('Team Earnings')).toHaveCount(0);
  await expect(page.getByText('Papaya')).toHaveCount(0);
  await expect(page.getByText('Commission Rules')).toHaveCount(0);
});
