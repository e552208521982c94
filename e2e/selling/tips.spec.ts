import type { Route } from '@playwright/test';
import { markRead } from '@stagedoor/contract/inbox/conversations';
import {
  createFanSession,
  postFanMessage,
  putFan,
  recordRefund,
  recordTip,
} from '@stagedoor/contract/platform/platform';
import { buildConversation, buildFanMessage, unique } from '../../apps/server/test/factories.ts';
import { httpClient } from '../../apps/server/test/http-client.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { messageField } from '../support/fan-client.ts';
import { type Desk, expect, openPage, PHONE, test } from '../support/journey.ts';
import { holdCalls, withoutLiveWay } from '../support/network.ts';
import { bubble, button, reply, row, signIn, thread } from '../support/screens.ts';
import { OWNER_EMAIL, PLATFORM_KEY, startServer } from '../support/server.ts';
import { cellsOf } from '../support/shop.ts';

test('a fan tips with the test card, staff see it live, and a refund removes a tip everywhere', async ({
  browser,
}) => {
  const server = await startServer();
  try {
    const platform = httpClient(server.url, PLATFORM_KEY);
    const params = { fan: 'ana' };
    await platform.call(putFan, { params, body: { first_name: 'Ana' } });
    const greeting = { client_id: '1', content: 'Hello there' };
    await platform.call(postFanMessage, { params, body: greeting });
    const staff = await openPage(browser, server.url, {}, {});
    await signIn(staff, OWNER_EMAIL, server.smtp);
    await row(staff, 'Ana').click();
    await expect(bubble(staff, 'Hello there')).toBeVisible();
    await reply(staff, 'I wrote a song for you');

    const { body: session } = await platform.call(createFanSession, { params });
    const path = `/fan/#link=${session.data.link}`;
    const phone = await openPage(browser, server.url, { ...PHONE, path }, {});
    await phone.setViewportSize({ width: 320, height: 640 });
    await expect(messageField(phone)).toBeVisible();
    const opener = button(phone, 'Tip');
    await opener.press('Enter');
    const sheet = phone.getByRole('dialog');
    await expect(sheet.getByRole('heading', { name: 'Send Aurora a Tip' })).toBeVisible();
    await sheet.press('Escape');
    await expect(opener).toBeFocused();

    await opener.click();
    await sheet.getByLabel('Message (optional)').fill('For the song');
    const amount = sheet.getByLabel('Amount in US dollars');
    await amount.fill('ten');
    await sheet.getByRole('button', { name: 'Send a Tip' }).click();
    await expect(sheet.getByRole('alert')).toHaveText('Enter an amount, for example 7.50');
    expect(await accessibilityIssues(phone)).toEqual([]);
    await amount.fill('7,5');
    await expect(sheet.getByRole('button', { name: 'Tip $7.50' })).toBeVisible();
    await button(sheet, '$20').click();
    await sheet.getByRole('button', { name: 'Tip $20.00' }).click();
    await sheet.getByLabel('Card number').fill('4000 0000 0000 0002');
    await sheet.getByRole('button', { name: 'Pay $20.00' }).click();
    await expect(sheet.getByText('The card was declined. Try another one.')).toBeVisible();
    // Going back keeps the input.
    await sheet.press('Escape');
    await expect(sheet.getByLabel('Message (optional)')).toHaveValue('For the song');
    await sheet.getByRole('button', { name: 'Tip $20.00' }).click();
    await sheet.getByLabel('Card number').fill('4242 4242 4242 4242');
    await sheet.getByRole('button', { name: 'Pay $20.00' }).click();
    await expect(sheet.getByText('Your tip has reached Aurora.')).toBeVisible();
    expect(await accessibilityIssues(phone)).toEqual([]);
    await sheet.getByRole('button', { name: 'Done' }).click();
    const own = phone.getByRole('log').getByText('You tipped $20.00 · “For the song”');
    await expect(own).toBeVisible();
    expect(await accessibilityIssues(phone)).toEqual([]);
    const log = staff.getByRole('log');
    await expect(log.getByText('Ana tipped $20.00 · “For the song”')).toBeVisible();

    const payment_reference = 'payment-1';
    await platform.call(recordTip, { body: { ...params, amount: 5, payment_reference } });
    await expect(log.getByText('Ana tipped $5.00')).toBeVisible();
    await expect(phone.getByRole('log').getByText('You tipped $5.00')).toBeVisible();
    await platform.call(recordRefund, { body: { payment_reference } });
    await expect(log.getByText('Ana tipped $5.00')).toBeHidden();
    await expect(phone.getByRole('log').getByText('You tipped $5.00')).toBeHidden();
    await expect(own).toBeVisible();

    await staff.goto(`${server.url}/console/analytics`);
    await expect(staff.getByRole('heading', { name: 'Revenue by Source' })).toBeVisible();
    const sources = await cellsOf(staff, 'Revenue by Source');
    expect(sources[0]).toEqual(['Tips', '0', '0', '1', '$20.00']);
    expect(sources.at(-1)).toEqual(['Total', '1', '0', '1', '$20.00']);
    await expect(
      staff.getByText(
        'At the top of the page, messages don’t include mass messages, and purchases and revenue don’t include tips.',
      ),
    ).toBeVisible();
    const [admin] = await cellsOf(staff, 'Performance by Admin');
    expect(admin).toContain('$20.00');
    for (const page of [staff, phone]) await page.context().close();
  } finally {
    await server.dispose();
  }
});

test('a tip whose reply a proxy replaces with an error is charged once', async ({ browser }) => {
  const server = await startServer();
  try {
    const platform = httpClient(server.url, PLATFORM_KEY);
    const params = { fan: 'ana' };
    await platform.call(putFan, { params, body: { first_name: 'Ana' } });
    const { body: session } = await platform.call(createFanSession, { params });
    const path = `/fan/#link=${session.data.link}`;
    const options = { ...PHONE, path, prepare: withoutLiveWay };
    const phone = await openPage(browser, server.url, options, {});
    const lose = async (route: Route) => {
      await route.fetch();
      await route.fulfill({ status: 502 });
    };
    await phone.route(/\/api\/fan\/test-tips$/, lose, { times: 1 });
    await button(phone, 'Tip').click();
    const sheet = phone.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Tip $10.00' }).click();
    await sheet.getByLabel('Card number').fill('4242 4242 4242 4242');
    const pay = sheet.getByRole('button', { name: 'Pay $10.00' });
    await pay.click();
    await expect(sheet.getByRole('alert')).toBeVisible();
    await pay.click();
    await expect(sheet.getByText('Your tip has reached Aurora.')).toBeVisible();
    await sheet.getByRole('button', { name: 'Done' }).click();
    await expect(phone.getByRole('log').getByText('You tipped $10.00')).toHaveCount(1);
    await phone.context().close();
  } finally {
    await server.dispose();
  }
});

test('tips that load after the messages leave the newest message in full view', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const messages = Array.from({ length: 30 }, (_, index) => `Filler ${index}`);
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' }, messages });
  const tip = { fan: fan.external_id, amount: 5, payment_reference: unique('payment') };
  await desk.platform.call(recordTip, { body: tip });
  await buildFanMessage(desk, fan, { content: 'Spend it well' });
  await staff.client.call(markRead, { params: { id } });
  let letGo = () => {};
  const page = await desk.open(staff, {
    path: `/inbox/${id}`,
    prepare: async (opened) => {
      letGo = await holdCalls(opened, /\/tips$/);
    },
  });
  const toEnd = () =>
    thread(page)
      .locator('..')
      .evaluate((pane) => pane.scrollHeight - pane.clientHeight - Math.ceil(pane.scrollTop));
  await expect(bubble(page, 'Spend it well')).toBeInViewport();
  await expect.poll(toEnd).toBe(0);
  letGo();
  await expect(thread(page).getByText('Ana tipped $5.00')).toBeVisible();
  await expect.poll(toEnd).toBe(0);
});

/** Opens the fan client and goes on to the payment page for a tip of $5. */
async function payTip(desk: Desk) {
  const { fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const params = { fan: fan.external_id };
  const body = { checkout_url: `${desk.url}/api/health` };
  const { body: session } = await desk.platform.call(createFanSession, { params, body });
  const path = `/fan/#link=${session.data.link}`;
  const phone = await desk.openSignedOut({ ...PHONE, path });
  await button(phone, 'Tip').click();
  const sheet = phone.getByRole('dialog');
  await button(sheet, '$5').click();
  await sheet.getByRole('button', { name: 'Tip $5.00' }).click();
  await phone.waitForURL(/\/api\/health\?tip=true&amount=5\.00/);
  return { phone, sheet, params };
}

test('a fan who returns from the payment page sees that the tip has arrived', async ({ desk }) => {
  const { phone, sheet, params } = await payTip(desk);
  await phone.goto(`${desk.url}/fan/?checkout=paid`);
  await expect(sheet.getByText('Waiting for your payment…')).toBeVisible();
  const tip = { ...params, amount: 5, payment_reference: unique('payment') };
  await desk.platform.call(recordTip, { body: tip });
  await expect(sheet.getByText('Your tip has reached')).toBeVisible();
  await sheet.getByRole('button', { name: 'Done' }).click();
  await expect(phone.getByRole('log').getByText('You tipped $5.00')).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole('log').getByText('You tipped $5.00')).toBeVisible();
  await expect(sheet).toBeHidden();
});

test('only the tab that went to the payment page waits for the payment, even if another was opened since', async ({
  desk,
}) => {
  const { phone, sheet } = await payTip(desk);
  const other = await phone.context().newPage();
  await other.goto('/fan/');
  await expect(messageField(other)).toBeVisible();
  await phone.goto('/fan/?checkout=paid');
  await expect(sheet.getByText('Waiting for your payment…')).toBeVisible();
  await expect(other.getByRole('dialog')).toHaveCount(0);
});
