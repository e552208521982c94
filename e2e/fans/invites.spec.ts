import type { Page } from '@playwright/test';
import { acceptInvite, createInvites, listInvites } from '@stagedoor/contract/fans/invites';
import { sql } from 'kysely';
import { buildFan, unique } from '../../apps/server/test/factories.ts';
import { until } from '../../apps/server/test/until.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { inviteToken } from '../support/fan-client.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from '../support/journey.ts';
import { failing } from '../support/network.ts';
import { button } from '../support/screens.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Invite Users' });
const results = (page: Page) => page.getByRole('dialog', { name: 'Invite Results' });
const addresses = (page: Page) => page.getByLabel('Email addresses');
const send = (page: Page) => page.getByRole('button', { name: 'Send Invites' });
const inviteRow = (page: Page, email: string) =>
  page
    .getByRole('list', { name: 'Sent Invitations' })
    .getByRole('listitem')
    .filter({ hasText: email });
const someone = () => `${unique('someone')}@fans.example`;

async function openDialog(desk: Desk, options: Parameters<Desk['open']>[1] = {}) {
  const page = await desk.open(await desk.hire(), options);
  await page.getByRole('button', { name: 'Invite Users' }).click();
  await expect(dialog(page)).toBeVisible();
  return page;
}

test('people are invited by individual emails, and their invitations can be followed until they accept', async ({
  desk,
}) => {
  const [ana, ben] = [someone(), someone()];
  const page = await openDialog(desk);
  await expect(addresses(page)).toBeFocused();
  await expect(page.getByRole('radio')).toHaveCount(4);
  for (const benefit of ['3 Months Free', '24 Hours Free', 'Full Subscription (No Trial)']) {
    await expect(page.getByLabel(benefit)).not.toBeChecked();
  }
  await expect(page.getByLabel('1 Month Free')).toBeChecked();

  await addresses(page).fill(`${ana}\n\nnobody\n  ${ben.toUpperCase()}\n${ana}\n`);
  await expect(dialog(page).getByText('3 addresses')).toBeVisible();
  await expect(
    page.getByRole('list', { name: 'Lines with problems' }).getByRole('listitem'),
  ).toHaveText(['Line 3: Not a valid email address', 'Line 5: Same as line 1']);
  await page.getByLabel('24 Hours Free').check();
  await send(page).click();

  await expect(results(page).getByText('2 invitations sent, 1 not sent.')).toBeFocused();
  await expect(page.getByRole('region', { name: 'Not sent', exact: true })).toContainText(
    'Not a valid email address',
  );
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await results(page).getByRole('button', { name: 'Copy Failed Addresses' }).click();
  await expect(results(page).getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('nobody');
  await results(page).getByRole('button', { name: 'Invite More' }).click();
  await expect(addresses(page)).toHaveValue('');
  await expect(page.getByLabel('1 Month Free')).toBeChecked();

  const token = await inviteToken(desk.server.smtp, ana);
  const mails = desk.server.smtp.received.filter(({ to }) => to.includes(ana) || to.includes(ben));
  for (const { to } of mails) expect(to).toHaveLength(1);
  await page.getByRole('tab', { name: 'Sent Invitations' }).click();
  await expect(inviteRow(page, ana)).toContainText('24 Hours Free');
  await expect(inviteRow(page, ana)).toContainText('Sent');

  const reader = await desk.openSignedOut({ path: `/invite/${token}` });
  await expect(reader.getByRole('heading', { name: 'Aurora invited you' })).toBeVisible();
  expect(await accessibilityIssues(reader)).toEqual([]);
  await page.getByRole('button', { name: 'Refresh Invitations' }).click();
  await expect(inviteRow(page, ana)).toContainText('Opened');

  const fan = await buildFan(desk);
  await desk.platform.call(acceptInvite, { params: { token }, body: { fan: fan.external_id } });
  await page.getByLabel('State').selectOption('Accepted');
  await expect(inviteRow(page, ana)).toContainText('Accepted');
  await expect(inviteRow(page, ben)).toHaveCount(0);
  await page.getByLabel('State').selectOption('Failed');
  await expect(page.getByText('No invitations in this state')).toBeVisible();
  await button(dialog(page), 'Close').click();
  await expect(page.getByRole('button', { name: 'Invite Users' })).toBeFocused();
});

test('a refused invitation shows why in the dialog, and the input stays', async ({ desk }) => {
  const page = await openDialog(desk);
  const alert = dialog(page).getByRole('alert');
  await addresses(page).fill(' \n \n');
  await send(page).click();
  await expect(alert).toHaveText('Please enter at least one email address');
  await expect(addresses(page)).toBeFocused();

  const email = someone();
  await addresses(page).fill(email);
  await expect(alert).toHaveCount(0);
  await page.route('**/api/subscriptions/admin/invites', (route) => route.abort());
  await send(page).click();
  await expect(alert).toHaveText('Failed to send invites');
  await expect(addresses(page)).toHaveValue(email);
  await page.unroute('**/api/subscriptions/admin/invites');
  await page.route('**/api/subscriptions/admin/invites', (route) =>
    route.fulfill({ status: 503, json: { error: 'Back in a minute', code: 'unavailable' } }),
  );
  await addresses(page).press('Control+Enter');
  await expect(alert).toHaveText('Back in a minute');
  await page.unroute('**/api/subscriptions/admin/invites');

  await page.evaluate(() => localStorage.removeItem('admin_token'));
  await send(page).click();
  await expect(alert).toHaveText('Not authenticated. Please log in again.');
  expect(desk.server.smtp.received.some(({ to }) => to.includes(email))).toBe(false);
});

test('closing asks before it discards addresses, and then clears them', async ({ desk }) => {
  const page = await openDialog(desk);
  await addresses(page).fill('ana@example.com');
  await page.getByLabel('3 Months Free').check();
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(addresses(page)).toHaveValue('ana@example.com');
  await button(dialog(page), 'Close').click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Invite Users' }).click();
  await expect(addresses(page)).toHaveValue('');
  await expect(page.getByLabel('1 Month Free')).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test('an invitation refused by the mail server shows why and can be sent again', async ({
  desk,
}) => {
  const email = someone();
  desk.server.smtp.closed.set(email, 550);
  const page = await openDialog(desk);
  await addresses(page).fill(email);
  await send(page).click();
  await results(page).getByRole('button', { name: 'Invite More' }).click();
  await page.getByRole('tab', { name: 'Sent Invitations' }).click();
  await expect(inviteRow(page, email)).toContainText('Failed');
  await expect(inviteRow(page, email)).toContainText('550 Mailbox unavailable');
  desk.server.smtp.closed.delete(email);
  await page.getByRole('button', { name: `Resend to ${email}` }).click();
  await expect(inviteRow(page, email)).toContainText('Sent');
  await expect(page.getByRole('button', { name: `Resend to ${email}` })).toHaveCount(0);
});

test('the list loads page by page, and shows when loading fails', async ({ desk }) => {
  const { client } = await desk.hire();
  const emails = Array.from({ length: 55 }, someone);
  await client.call(createInvites, { body: { emails } });
  const page = await openDialog(desk, {
    prepare: failing('**/invites?*', 500),
  });
  await page.getByRole('tab', { name: 'Sent Invitations' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('Couldn’t load invitations');
  await page.unroute('**/invites?*');
  await dialog(page).getByRole('button', { name: 'Retry' }).click();
  const listed = page.getByRole('list', { name: 'Sent Invitations' }).getByRole('listitem');
  await expect(listed).toHaveCount(50);
  await page.getByRole('button', { name: 'Load More' }).click();
  await expect(listed).toHaveCount(55);
  await expect(page.getByRole('button', { name: 'Load More' })).toHaveCount(0);
});

for (const size of [DESKTOP, PHONE]) {
  test(`inviting has no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const email = someone();
    desk.server.smtp.closed.set(email, 550);
    const page = await openDialog(desk, size);
    const check = async () => expect(await accessibilityIssues(page)).toEqual([]);
    await send(page).click();
    await expect(dialog(page).getByRole('alert')).toBeVisible();
    await check();
    await addresses(page).fill(`${email}\nnobody\n`);
    await page.getByLabel('Full Subscription (No Trial)').check();
    await check();
    await send(page).click();
    await expect(results(page)).toBeVisible();
    await check();
    await results(page).getByRole('button', { name: 'Invite More' }).click();
    await page.getByRole('tab', { name: 'Sent Invitations' }).click();
    await expect(inviteRow(page, email)).toContainText('Failed');
    await check();
  });
}

test('a server that is killed while sending invitations sends the rest after a restart', async ({
  desk,
}) => {
  const { client } = await desk.hire();
  const { smtp } = desk.server;
  const emails = Array.from({ length: 60 }, someone);
  await client.call(createInvites, { body: { emails } });
  await until('some are out', () => smtp.received.some(({ to }) => emails.includes(to[0] ?? '')));
  await desk.server.kill();
  // The state of a killed process's jobs after a while.
  await sql`update jobs.job set heartbeat_on = now() - interval '5 minutes' where state = 'active'`.execute(
    desk.db.kysely,
  );
  await desk.server.start();
  await until('all are noted as sent', async () => {
    const { body } = await client.call(listInvites, { query: { state: 'queued', limit: 1 } });
    return body.data.length === 0;
  });
  const mails = smtp.received.filter(({ to }) => emails.includes(to[0] ?? ''));
  expect(new Set(mails.map(({ to }) => to[0])).size).toBe(emails.length);
  // Only an email that was being sent at that moment may be sent twice, with the same message id.
  const names = new Set(mails.map(({ mail }) => mail.messageId));
  expect(names.size).toBe(emails.length);
  expect(mails.length - emails.length).toBeLessThanOrEqual(2);
});
