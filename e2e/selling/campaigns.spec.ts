import { readFile } from 'node:fs/promises';
import type { APIResponse, Page } from '@playwright/test';
import { createInvites } from '@stagedoor/contract/fans/invites';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { joinByInvitation } from '@stagedoor/contract/platform/fan-app';
import { recordPurchase } from '@stagedoor/contract/platform/platform';
import {
  cancelCampaign,
  startCampaign,
  updateCampaign,
} from '@stagedoor/contract/selling/campaigns';
import { deleteProduct } from '@stagedoor/contract/selling/products';
import { buildConversation, buildFanMessage, unique } from '../../apps/server/test/factories.ts';
import {
  buildCampaign,
  finished,
  readCampaign,
  recipientsOf,
  runCampaign,
} from '../../apps/server/test/worlds/campaigns.ts';
import { buildBundle, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { saleOf } from '../../apps/server/test/worlds/market.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { openLive } from '../support/conversation.ts';
import { inviteToken, openFan, shown } from '../support/fan-client.ts';
import { picture } from '../support/files.ts';
import { DESKTOP, expect, PHONE, TABLET, test } from '../support/journey.ts';
import { callsTo, gate, holdCalls } from '../support/network.ts';
import { fillDateTime } from '../support/pickers.ts';
import { bubble, row, tab, thread } from '../support/screens.ts';
import { sell } from '../support/shop.ts';

const side = (page: Page) => page.getByRole('complementary', { name: 'Preview' });
const text = (page: Page) => page.getByRole('textbox', { name: 'Text' });
const campaignName = (page: Page) =>
  page.getByRole('textbox', { name: 'Mass message name, shown to staff only' });
const recipients = (page: Page) => page.getByRole('list', { name: 'Recipients' });
/** The calls that save a draft. */
const SAVES = /\/api\/campaigns(\/[\w-]{36})?$/;
const review = (page: Page) => page.getByRole('button', { name: 'Review and Send...' }).click();

test('a mass message is written, previewed, confirmed, sent and marked in the thread', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const [one, two] = [await picture('one.png', '#aa3355'), await picture('two.png', '#33aa55')];
  const product = await buildBundle(
    manager,
    [
      { data: one.buffer, filename: one.name, free: true },
      { data: two.buffer, filename: two.name },
    ],
    { title: 'Backstage, Porto', price: '4.99' },
  );
  const ana = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await sell(desk, manager, { fan: 'Ben', product, price: 5, daysAgo: 2 });
  const page = await desk.open(manager, { path: '/campaigns' });
  await expect(page.getByText('No mass messages yet')).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByRole('button', { name: 'New Mass Message' }).first().click();

  await review(page);
  await expect(page.getByText('Enter a name')).toBeVisible();
  await expect(page.getByText('Write a message or attach a file')).toBeVisible();
  await expect(campaignName(page)).toBeFocused();
  await campaignName(page).fill('Porto');
  await text(page).fill('Hi !');
  await text(page).press('ArrowLeft');
  await page.getByRole('button', { name: '{first_name|there}' }).click();
  await expect(text(page)).toHaveValue('Hi {first_name|there}!');
  await page.getByRole('button', { name: 'Add Product' }).click();
  await review(page);
  await expect(page.getByRole('combobox', { name: 'Product' })).toBeFocused();
  await page.getByRole('combobox', { name: 'Product' }).selectOption('Backstage, Porto');
  await expect(page.getByRole('textbox', { name: 'Price (USD)' })).toHaveValue('4.99');

  await expect(side(page)).toContainText('On Ana’s phone');
  await expect(side(page).getByRole('figure')).toContainText('Hi Ana!');
  await expect(side(page).getByRole('figure')).toContainText(
    /2 pictures.*Free preview.*Unlock for \$4\.99/,
  );
  const summary = page.getByLabel('Summary');
  await expect(summary).toBeHidden();
  await page.setViewportSize(TABLET);
  await expect(summary).toBeVisible();
  await expect(summary).toHaveText(
    /Hi there!“Backstage, Porto” for \$4\.99.*1of 2 in the audience.*Right away$/,
  );
  await page.setViewportSize(DESKTOP);
  await expect(side(page)).toContainText('Already bought it-1');
  await expect(side(page)).toContainText('Gets the message1');

  await page.getByRole('textbox', { name: 'Received a message within (hours)' }).fill('x');
  await review(page);
  await expect(page.getByText('Enter a whole number from 1 to 8760')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible();
  await expect(text(page)).toHaveValue('Hi {first_name|there}!');
  await page.getByRole('textbox', { name: 'Received a message within (hours)' }).fill('');
  expect(await accessibilityIssues(page)).toEqual([]);

  await review(page);
  const question = page.getByRole('dialog', { name: 'Send to 1 fan?' });
  await expect(question).toContainText('PortoHi there!');
  await expect(question).toContainText('Offers “Backstage, Porto” for $4.99');
  expect(await accessibilityIssues(page)).toEqual([]);
  await question.getByRole('button', { name: 'Back' }).click();
  await expect(campaignName(page)).toHaveValue('Porto');
  await review(page);
  await question.getByRole('button', { name: 'Send Now' }).click();

  await expect(page).toHaveURL(/\/campaigns\/[\w-]{36}$/);
  await expect(page.getByText('Finished')).toBeVisible();
  await expect(recipients(page).getByRole('listitem')).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Already bought it');
  await expect(recipients(page).getByRole('listitem')).toHaveText([
    /^Ben.*Already bought itSkipped$/,
  ]);
  expect(await accessibilityIssues(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toContain('skipped,owns_product');

  await page.getByRole('combobox', { name: 'Show' }).selectOption('Sent');
  await recipients(page).getByRole('link', { name: /^Ana/ }).press('Enter');
  await expect(page).toHaveURL(`/inbox/${ana.id}`);
  await expect(thread(page)).toContainText('Hi Ana!');
  expect(await accessibilityIssues(page)).toEqual([]);
  await thread(page).getByRole('link', { name: 'Mass message' }).click();
  await expect(page.getByRole('heading', { name: 'Porto', exact: true })).toBeVisible();
});

test('what is typed while a draft is being saved is kept, and is sent only once it is saved', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(manager, { path: '/campaigns/new' });
  await campaignName(page).fill('Porto');
  await text(page).fill('Hi');
  const saveNew = await holdCalls(page, SAVES);
  await page.getByRole('button', { name: 'Save Draft' }).click();
  await text(page).fill('Hi from Porto');
  saveNew();
  await expect(page.getByRole('heading', { name: 'Edit Mass Message' })).toBeVisible();
  await expect(text(page)).toHaveValue('Hi from Porto');

  const saveAgain = await holdCalls(page, SAVES);
  await review(page);
  await text(page).fill('Hi from Lisbon');
  saveAgain();
  const submit = page.getByRole('button', { name: 'Review and Send...' });
  await expect(submit).not.toHaveAttribute('aria-busy');
  await review(page);
  const question = page.getByRole('dialog', { name: 'Send to 1 fan?' });
  await expect(question).toContainText('PortoHi from Lisbon');
});

test('a late save of a draft does not take the admin away from the page they went to', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: '/campaigns/new' });
  await campaignName(page).fill('Porto');
  await text(page).fill('Hi');
  const save = await holdCalls(page, SAVES);
  await page.getByRole('button', { name: 'Save Draft' }).click();
  await page.getByRole('button', { name: 'Back to Inbox' }).click();
  await tab(page, 'All').click();
  save();
  await expect(page.getByText('Draft saved')).toBeVisible();
  await tab(page, 'Mine').click();
  await expect(page).toHaveURL(/\/inbox/);
});

test('files that are being uploaded stay with their variant', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: '/campaigns/new' });
  await page.getByRole('button', { name: 'Compare with a Second Message' }).click();
  const second = page.getByRole('group', { name: 'Variant B' });
  const removals = page.getByRole('button', { name: /^Remove Variant/ });
  const letGo = await holdCalls(page, /\/api\/campaigns\/uploads$/);
  const chooser = page.waitForEvent('filechooser');
  await second.getByRole('button', { name: 'Add Files' }).click();
  await (await chooser).setFiles(await picture('one.png'));
  for (const each of await removals.all()) await expect(each).toBeDisabled();
  letGo();
  await expect(second).toContainText('one.png');
  for (const each of await removals.all()) await expect(each).toBeEnabled();
});

test('a draft that a teammate has saved since is neither overwritten nor sent unseen', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const teammate = await desk.hire({ role: 'manager' });
  await buildConversation(desk);
  const { id } = await buildCampaign(manager, { name: 'Porto' });
  const saveTheirs = (content: string) =>
    teammate.client.call(updateCampaign, {
      params: { id },
      body: { name: 'Porto', variants: [{ content }], audience: { rule: { all: [] } } },
    });
  const stored = async () => {
    const { state, variants } = await readCampaign(manager, id);
    return { state, content: variants[0]?.content };
  };
  const page = await desk.open(manager, { path: `/campaigns/${id}/edit` });
  const newer = 'A teammate has saved this since you opened it';
  const conflict = page.getByRole('alert').filter({ hasText: newer });
  const save = page.getByRole('button', { name: 'Save Draft' });

  await text(page).fill('Mine');
  await saveTheirs('Theirs');
  await save.click();
  await expect(conflict).toContainText(/Porto\s+Theirs\s+Every fan/);
  await expect(text(page)).toHaveValue('Mine');
  expect(await stored()).toEqual({ state: 'draft', content: 'Theirs' });
  expect(await accessibilityIssues(page)).toEqual([]);
  await conflict.getByRole('button', { name: 'Use Theirs' }).click();
  await expect(text(page)).toHaveValue('Theirs');
  await expect(conflict).toHaveCount(0);

  await text(page).fill('Mine again');
  await saveTheirs('Theirs again');
  // Restored input keeps the version it was based on.
  await page.reload();
  await expect(conflict).toContainText('Theirs again');
  await expect(text(page)).toHaveValue('Mine again');
  await conflict.getByRole('button', { name: 'Save Mine' }).click();
  await expect(page.getByText('Draft saved')).toBeVisible();
  await expect(conflict).toHaveCount(0);
  expect(await stored()).toEqual({ state: 'draft', content: 'Mine again' });

  await review(page);
  const question = page.getByRole('dialog', { name: 'Send to 1 fan?' });
  await expect(question).toContainText('Mine again');
  await saveTheirs('Sent by surprise');
  await question.getByRole('button', { name: 'Send Now' }).click();
  await expect(question.getByRole('alert')).toHaveText(newer);
  await expect(question).toContainText('Sent by surprise');
  expect(await stored()).toEqual({ state: 'draft', content: 'Sent by surprise' });
  expect(await accessibilityIssues(page)).toEqual([]);
  await question.getByRole('button', { name: 'Back' }).click();
  await expect(text(page)).toHaveValue('Sent by surprise');
  await review(page);
  await question.getByRole('button', { name: 'Send Now' }).click();
  await expect(page).toHaveURL(`/campaigns/${id}`);
});

test('signing out asks about an unsaved mass message, and deletes it', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: '/campaigns/new' });
  await campaignName(page).fill('Porto');
  await page.getByRole('button', { name: 'Back to Inbox' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sign out?' });
  await question.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Porto');
});

test('an inbox row shows at once that its fan got a mass message', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const email = `${unique('someone')}@fans.example`;
  await manager.client.call(createInvites, { body: { emails: [email] } });
  const token = await inviteToken(desk.server.smtp, email);
  await desk.anonymous.call(joinByInvitation, { params: { token }, body: { first_name: 'Noa' } });
  const { page } = await openLive(desk, manager);
  await tab(page, 'All').click();
  await expect(row(page, 'Noa')).toContainText('No messages yet · joined by invitation');
  // The event alone must update the row: a list of thousands of rows isn't refetched for each batch of fans.
  await page.route(/\/api\/messages\/admin\//, (route) => route.abort());
  await runCampaign(manager);
  await expect(row(page, 'Noa')).not.toContainText('joined by invitation');
});

test('a mass message that the server pauses says why', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  // Enough recipients that the campaign is still running on the slowest machine.
  for (let n = 1; n <= 20; n++) await buildConversation(desk, { fan: { first_name: `Fan ${n}` } });
  const product = await buildProduct(manager);
  const params = await buildCampaign(manager, {
    variants: [{ attachments: [{ product_id: product.id, is_paid: true, price: 10 }] }],
    per_minute: 1,
  });
  await manager.client.call(startCampaign, { params });
  const page = await desk.open(manager, { path: `/campaigns/${params.id}` });
  await expect(page.getByText(/^[1-9]\d* of 20 fans/)).toBeVisible();
  await manager.client.call(deleteProduct, { params: product });
  await expect(page.getByText('Paused: Product not found')).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('alert')).toContainText('Product not found');
});

test('a reply that is older than the progress shown does not undo it', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  for (let n = 1; n <= 20; n++) await buildConversation(desk, { fan: { first_name: `Fan ${n}` } });
  const params = await buildCampaign(manager, { name: 'Slow', per_minute: 20 });
  const list = /\/api\/campaigns(\?.*)?$/;
  const { held, letGo } = gate();
  let draft: APIResponse | undefined;
  const page = await desk.open(manager, {
    path: '/campaigns',
    prepare: (opened) =>
      opened.route(list, async (route) => {
        if (draft) await held;
        draft ??= await route.fetch();
        await route.fulfill({ response: draft });
      }),
  });
  const row = page.getByRole('listitem').filter({ hasText: 'Slow' });
  await expect(row).toContainText('Draft');
  await manager.client.call(startCampaign, { params });
  const sent = async () =>
    Number(/(\d+) of 20 fans/.exec((await row.textContent()) ?? '')?.[1] ?? 0);
  await expect(row).not.toContainText('Draft');
  // The start made the page refetch. Only progress that arrives after that request is newer than its reply.
  const atRequest = await sent();
  await expect.poll(sent).toBeGreaterThan(atRequest);
  const replied = page.waitForResponse(list);
  letGo();
  await (await replied).finished();
  await expect(row).not.toContainText('Draft');
  expect(await sent()).toBeGreaterThan(atRequest);
});

test('the reply to Resume does not undo a newer state', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  for (let n = 1; n <= 20; n++) await buildConversation(desk, { fan: { first_name: `Fan ${n}` } });
  const { id } = await buildCampaign(manager, { per_minute: 1 });
  await manager.client.call(startCampaign, { params: { id } });
  const page = await desk.open(manager, { path: `/campaigns/${id}` });
  await expect(page.getByText(/^[1-9]\d* of 20 fans/)).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  const { held, letGo } = gate();
  await page.route('**/resume', async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Sending', { exact: true })).toBeVisible();
  await manager.client.call(cancelCampaign, { params: { id } });
  await expect(recipients(page)).toContainText('Mass message canceled');
  // A refetch would hide a wrong state.
  await holdCalls(page, new RegExp(`/api/campaigns/${id}$`));
  const replied = page.waitForResponse('**/resume');
  letGo();
  await (await replied).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
  await expect(page.getByText('Sending', { exact: true })).toHaveCount(0);
});

test('a campaign is scheduled, paused, resumed and canceled, live for teammates', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const other = await desk.hire({ role: 'manager' });
  // Enough recipients that the campaign is still running on the slowest machine.
  for (let n = 1; n <= 20; n++) await buildConversation(desk, { fan: { first_name: `Fan ${n}` } });
  const draft = await buildCampaign(manager, { name: 'Slow', per_minute: 1 });
  const theirs = await desk.open(other, { path: '/campaigns' });
  const row = theirs.getByRole('listitem').filter({ hasText: 'Slow' });
  await expect(row).toContainText(/Every fan.*Draft/);
  const page = await desk.open(manager, { path: '/campaigns' });
  await page.getByRole('link', { name: /^Slow/ }).click();
  await expect(page).toHaveURL(`/campaigns/${draft.id}/edit`);
  await review(page);
  await page.getByRole('button', { name: 'Send Now' }).click();
  await expect(page.getByText(/^[1-9]\d* of 20 fans/)).toBeVisible();
  await expect(row).toContainText('Sending');
  await expect(row).toContainText(/[1-9]\d* of 20 fans/);
  await page.getByRole('button', { name: 'Pause' }).press('Enter');
  await expect(row).toContainText('Paused');
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByRole('button', { name: 'Resume' }).press('Enter');
  await expect(row).toContainText('Sending');
  await page.getByRole('button', { name: 'Cancel Mass Message...' }).click();
  await page
    .getByRole('alertdialog', { name: 'Cancel this mass message?' })
    .getByRole('button', { name: 'Cancel Mass Message' })
    .click();
  await expect(row).toContainText('Canceled');
  await finished(manager, draft.id);
  await expect(recipients(page)).toContainText('Mass message canceled');

  await page.goto('/campaigns/new');
  await campaignName(page).fill('Later');
  await text(page).fill('Good morning');
  await page.getByRole('radio', { name: 'At each fan’s local time' }).check();
  await page.getByRole('button', { name: 'Review and Schedule...' }).click();
  await expect(page.getByText('Choose a time in the future')).toBeVisible();
  const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  await fillDateTime(page.getByRole('group', { name: 'Send at' }), day, '09:30');
  await page.getByRole('button', { name: 'Review and Schedule...' }).click();
  const question = page.getByRole('dialog', { name: /^Send to \d+ fans\?$/ });
  await expect(question).toContainText('Each fan gets it at the chosen time of day');
  await question.getByRole('button', { name: 'Schedule' }).click();
  // The browser is an hour or two ahead of the team, whose clock is UTC.
  await expect(page.getByText(/^Planned for .* 09:30, at each fan’s local time$/)).toBeVisible();
  await expect(page.getByText('Scheduled')).toBeVisible();
});

test('while a campaign sends at the fans’ local times, the list and its page say so', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  await buildConversation(desk, { fan: { timezone: 'Pacific/Honolulu' } });
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await buildCampaign(manager, { send_at, fan_local_time: true });
  await manager.client.call(startCampaign, { params: { id } });
  const started = /Started .*, sending at each fan’s local time/;
  const page = await desk.open(manager, { path: '/campaigns' });
  const row = page.getByRole('listitem').filter({ hasText: 'Sending' });
  await expect(row).toContainText(started);
  await row.getByRole('link').first().click();
  await expect(page.getByText(started)).toBeVisible();
  await manager.client.call(cancelCampaign, { params: { id } });
  await finished(manager, id);
  await expect(page.getByText(/^Started [^,]*(, \d\d:\d\d)?$/)).toBeVisible();
  await expect(page.getByText(started)).toHaveCount(0);
});

test('the list is refetched when a campaign’s state changes, not for each batch of fans', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  for (let n = 1; n <= 12; n++) await buildConversation(desk, { fan: { first_name: `Fan ${n}` } });
  const { id } = await buildCampaign(manager, { name: 'Steady', per_minute: 120 });
  const page = await desk.open(manager, { path: '/campaigns' });
  const row = page.getByRole('listitem').filter({ hasText: 'Steady' });
  await expect(row).toContainText('Draft');
  const calls = callsTo(page, '/api/campaigns');
  await manager.client.call(startCampaign, { params: { id } });
  await expect(row).toContainText('Finished');
  // The start, the end, and the refresh after the page connected.
  expect(calls.length).toBeLessThan(4);
});

test('a sent campaign is unsent, live for fans and staff; fans who read or bought it keep it', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager', codename: 'Mango' });
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  const product = await buildProduct(manager, { title: 'Backstage', price: '10' });
  const [ana, ben, cleo] = [
    // Ana's client can't mark messages as read, as if it were in the background.
    await openFan(desk, ['From Ana'], {
      serviceWorker: false,
      prepare: (page) => page.route('**/api/fan/read', (route) => route.abort()),
    }),
    await openFan(desk, ['From Ben'], { first_name: 'Ben' }),
    await buildConversation(desk, { fan: { first_name: 'Cleo' } }),
  ];
  const { id } = await runCampaign(manager, {
    name: 'A slip',
    variants: [
      {
        content: 'Wrong price',
        attachments: [{ product_id: product.id, is_paid: true, price: 10 }],
      },
    ],
  });
  const { body } = await manager.client.call(listMessages, { params: { id: cleo.id } });
  const offer = body.data.find(({ campaign_id }) => campaign_id === id);
  if (offer === undefined) throw new Error('Cleo got no message');
  await desk.platform.call(recordPurchase, { body: saleOf(cleo.fan, offer, 10) });
  for (const { page } of [ana, ben]) await expect(shown(page, 'Wrong price')).toBeVisible();
  const threads = [];
  for (const conversation of [ana, ben, cleo])
    threads.push(await desk.open(kiwi, { path: `/inbox/${conversation.id}` }));
  const [ofAna, ...ofOthers] = threads as [Page, Page, Page];
  for (const each of threads) await expect(bubble(each, 'Wrong price')).toBeVisible();

  // The page doesn't update on reads, so Ben's read must be stored before it opens.
  await expect
    .poll(async () => (await recipientsOf(manager, id)).filter(({ read }) => read).length)
    .toBe(1);
  const page = await desk.open(manager, { path: `/campaigns/${id}` });
  await expect(recipients(page).getByRole('link', { name: /^Ben/ })).toContainText('Read');
  await page.getByRole('button', { name: 'Unsend...' }).click();
  const question = page.getByRole('alertdialog', { name: 'Unsend this mass message?' });
  await expect(question).toContainText('for all fans who have neither read nor bought them');
  expect(await accessibilityIssues(page)).toEqual([]);
  await question.getByRole('button', { name: 'Unsend' }).click();
  await expect(
    page.getByText('Unsent from 1 fan. 2 had read or bought it and keep it.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Unsend...' })).toHaveCount(0);
  await expect(recipients(page).getByRole('listitem')).toHaveText([
    'AnaUnsent',
    'BenRead',
    'Cleo$10.00Sent',
  ]);
  expect(await accessibilityIssues(page)).toEqual([]);

  await expect(ana.page.getByRole('article')).toHaveText([/From Ana/]);
  await expect(thread(ofAna)).toContainText('Mango unsent a message');
  await expect(bubble(ofAna, 'Wrong price')).toHaveCount(0);
  for (const each of [ben.page, ...ofOthers]) {
    await expect(bubble(each, 'Wrong price')).toBeVisible();
    await expect(thread(each)).not.toContainText('unsent');
  }
  // A reload shows the same.
  for (const each of [ana.page, ben.page, page]) await each.reload();
  await expect(shown(ana.page, 'From Ana')).toBeVisible();
  await expect(shown(ana.page, 'Wrong price')).toHaveCount(0);
  await expect(shown(ben.page, 'Wrong price')).toBeVisible();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Unsent');
  await expect(recipients(page).getByRole('listitem')).toHaveText(['AnaUnsent']);
});

test('results compare two variants, on a phone too; support staff can’t see them', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const support = await desk.hire();
  const product = await buildProduct(manager, { title: 'Backstage', price: '10' });
  const fans = [];
  // Each fan gets a random variant. With this many fans, each variant gets enough of them for a marked difference.
  for (let each = 0; each < 20; each += 1)
    fans.push(await buildConversation(desk, { fan: { first_name: `Fan ${each}` } }));
  const offer = { product_id: product.id, is_paid: true as const, price: 10 };
  const { id } = await runCampaign(manager, {
    name: 'Compared',
    variants: [
      { content: 'One', attachments: [offer], share: 50 },
      { content: 'Two', attachments: [offer], share: 50 },
    ],
  });
  const ofFirst = (await recipientsOf(manager, id)).filter(({ variant }) => variant === 0);
  const repliers = fans.filter((each) =>
    ofFirst.some(({ conversation_id }) => conversation_id === each.id),
  );
  const [first] = repliers;
  if (!first) throw new Error('nobody got the first message');
  const params = { id: first.id };
  const { body } = await manager.client.call(listMessages, { params });
  const message = body.data.find(({ campaign_id }) => campaign_id === id);
  if (!message) throw new Error('there is no message');
  await desk.platform.call(recordPurchase, { body: saleOf(first.fan, message, 10) });
  for (const { fan } of repliers) await buildFanMessage(desk, fan);

  const page = await desk.open(manager, { ...PHONE, path: '/campaigns' });
  await expect(page.getByRole('listitem').filter({ hasText: 'Compared' })).toContainText(
    /Sent 20 Read 0 0\.0%.*Revenue \$10\.00/,
  );
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByRole('link', { name: /^Compared/ }).click();
  await expect(recipients(page).filter({ hasText: '$10.00Replied' })).toHaveCount(1);
  const comparison = page.getByRole('region', { name: 'Variants Compared' });
  await expect(comparison.getByRole('row', { name: /^Revenue \$/ })).toContainText('$10.00$0.00');
  await expect(comparison.getByRole('row', { name: /^Purchases/ })).toContainText('10');
  await expect(comparison.getByRole('row', { name: /better/ })).toHaveText([
    /^Replied Within 24 Hours\d+ \(100\.0%\) better0 \(0\.0%\)$/,
  ]);
  expect(await accessibilityIssues(page)).toEqual([]);
  const toList = page.getByRole('button', { name: 'All Mass Messages' });
  await toList.click();
  await expect(toList).toHaveCount(0);
  await page.getByRole('button', { name: 'New Mass Message' }).click();
  await expect(campaignName(page)).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  await toList.click();
  await expect(page).toHaveURL(/\/campaigns$/);

  const theirs = await desk.open(support, { path: `/campaigns/${id}` });
  await expect(
    theirs.getByText('You do not have permission to access mass messages.'),
  ).toBeVisible();
  await theirs.goto(`/inbox/${first.id}`);
  await expect(thread(theirs)).toContainText('Mass message');
  await expect(thread(theirs).getByRole('link', { name: 'Mass message' })).toHaveCount(0);
  await theirs.goto('/campaigns');
  await expect(
    theirs.getByText('You do not have permission to access mass messages.'),
  ).toBeVisible();
});
