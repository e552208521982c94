import type { Page } from '@playwright/test';
import { createStatement } from '@stagedoor/contract/fans/statements';
import { getConversation, releaseConversation } from '@stagedoor/contract/inbox/conversations';
import { saveDraft } from '@stagedoor/contract/messaging/drafts';
import { handOver, listHandovers } from '@stagedoor/contract/messaging/handovers';
import { buildConversation, type Staff, unique } from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from '../support/journey.ts';
import { withoutLiveWay } from '../support/network.ts';
import { bubble, button, composer, row, tab } from '../support/screens.ts';

const team = (page: Page) => page.getByRole('button', { name: /^Team/ });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'End Shift' });
const received = (page: Page) => page.getByRole('dialog', { name: 'Handovers' });

async function openDialog(page: Page, name: 'End Shift' | 'Handovers') {
  await team(page).click();
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await expect(page.getByRole('dialog', { name })).toBeVisible();
}
const claimed = (desk: Desk, staff: Staff, first_name: string) =>
  buildConversation(desk, { fan: { first_name }, claimedBy: staff.admin });
const promise = ({ client }: Staff, id: string, text: string) =>
  client.call(createStatement, {
    params: { id },
    body: { text, due_at: '2031-03-14T18:00:00Z' },
  });
const holderOf = async (staff: Staff, id: string) =>
  (await staff.client.call(getConversation, { params: { id } })).body.data.claimed_by;

test('a shift’s claims go to a teammate with briefs, who is notified live, opens them and accepts', async ({
  desk,
}) => {
  const [mango, kiwi] = [
    await desk.hire({ codename: 'Mango', role: 'manager' }),
    await desk.hire({ codename: 'Kiwi' }),
  ];
  await desk.hire({ codename: 'Plum', can_manage_messages: false });
  const [ana, ben] = [await claimed(desk, mango, 'Ana'), await claimed(desk, mango, 'Ben')];
  await buildOffer(mango, ana.id, [await buildProduct(mango, { title: 'Set 1' })], 12.5);
  await promise(mango, ana.id, 'A video');
  const other = await desk.open(kiwi);
  await expect(team(other)).toHaveAccessibleName('Team');
  const page = await desk.open(mango, { path: `/inbox/${ben.id}` });
  await composer(page).fill('Half an answer');
  await expect(page.getByText('Draft saved')).toBeVisible();
  await openDialog(page, 'End Shift');
  const claims = dialog(page).getByRole('list', { name: 'Claimed conversations' });
  await expect(claims.getByRole('listitem')).toHaveCount(2);
  await expect(claims).toContainText('Set 1');
  await expect(claims).toContainText('Not paid');
  await expect(claims).toContainText('Half an answer');
  await expect(claims).toContainText('Promised: A video');
  await expect(dialog(page).getByText('Plum')).toHaveCount(0);
  // The dialog requires a choice first.
  await dialog(page).getByRole('button', { name: 'Hand Over' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('Choose a teammate');
  await dialog(page).getByRole('radio', { name: 'Kiwi' }).check();
  await dialog(page).getByLabel('About the shift').fill('A quiet night');
  await dialog(page).getByLabel('Note about Ana').fill('Wants a discount');
  await dialog(page).getByRole('button', { name: 'Hand Over' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByText('Handed over', { exact: true })).toBeVisible();
  await expect(tab(page, 'Mine')).toHaveText('Mine');

  await expect(other.getByText('Mango handed over to you')).toBeVisible();
  await expect(tab(other, 'Mine')).toHaveText('Mine2');
  await button(other, 'View').click();
  const card = received(other).getByRole('article', { name: 'Handover from Mango' });
  await expect(card).toContainText('A quiet night');
  await expect(card).toContainText('Wants a discount');
  await expect(card).toContainText('Promised: A video');
  await expect(card).toContainText('Draft: Half an answer');
  await card.getByRole('button', { name: 'Accept' }).click();
  await expect(card).toContainText('Accepted');
  await card.getByRole('button', { name: /^Ana/ }).click();
  await expect(other).toHaveURL(new RegExp(ana.id));
  await expect(other.getByText('Mango handed over to you')).toHaveCount(0);
  await expect(team(other)).toHaveAccessibleName('Team');
  await openDialog(other, 'Handovers');
  await card.getByRole('button', { name: 'Use Draft' }).click();
  await expect(other).toHaveURL(new RegExp(ben.id));
  await expect(composer(other)).toHaveValue('Half an answer');
});

test('after a failed call the input is still there, and the handover is stored once', async ({
  desk,
}) => {
  const [mango, kiwi] = [await desk.hire(), await desk.hire({ codename: 'Kiwi' })];
  const { id } = await claimed(desk, mango, 'Ana');
  // With live events, the page would learn of the stored handover without the retry.
  const page = await desk.open(mango, { prepare: withoutLiveWay });
  await openDialog(page, 'End Shift');
  await dialog(page).getByRole('radio', { name: 'Kiwi' }).check();
  await dialog(page).getByLabel('About the shift').fill('Written with care');
  let calls = 0;
  await page.route('**/handovers', async (route) => {
    calls += 1;
    if (calls === 1) return route.fulfill({ status: 500, json: {} });
    if (calls > 2) return route.continue();
    // The handover is stored, but the reply is lost.
    await route.fetch();
    return route.abort();
  });
  const submit = dialog(page).getByRole('button', { name: 'Hand Over' });
  await submit.click();
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await expect(dialog(page).getByLabel('About the shift')).toHaveValue('Written with care');
  await expect(dialog(page).getByRole('radio', { name: 'Kiwi' })).toBeChecked();
  expect(await holderOf(mango, id)).toBe(mango.admin.id);
  await submit.click();
  await expect.poll(() => holderOf(mango, id)).toBe(kiwi.admin.id);
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  // The handover was stored, but its reply was lost. The retry finds the stored handover.
  await submit.click();
  await expect(dialog(page)).toHaveCount(0);
  const { body } = await kiwi.client.call(listHandovers);
  expect(body.data.map(({ brief }) => brief)).toEqual(['Written with care']);
});

test('claims that changed meanwhile are refreshed, and no input is lost', async ({ desk }) => {
  const [mango] = [await desk.hire(), await desk.hire({ codename: 'Kiwi' })];
  const [ana, ben] = [await claimed(desk, mango, 'Ana'), await claimed(desk, mango, 'Ben')];
  // With live events, the page would know of the change before the click.
  const page = await desk.open(mango, { prepare: withoutLiveWay });
  await openDialog(page, 'End Shift');
  await dialog(page).getByRole('radio', { name: 'Kiwi' }).check();
  await dialog(page).getByLabel('Note about Ben').fill('Kept');
  await mango.client.call(releaseConversation, { params: { id: ana.id } });
  await dialog(page).getByRole('button', { name: 'Hand Over' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('Your claims have changed');
  const claims = dialog(page).getByRole('list', { name: 'Claimed conversations' });
  await expect(claims.getByRole('listitem')).toHaveCount(1);
  await expect(dialog(page).getByLabel('Note about Ben')).toHaveValue('Kept');
  expect(await holderOf(mango, ben.id)).toBe(mango.admin.id);
  await dialog(page).getByRole('radio', { name: 'Release All' }).check();
  await dialog(page).getByRole('button', { name: 'Release All' }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(await holderOf(mango, ben.id)).toBeNull();
});

test('a shift can be ended by keyboard alone; closing asks before input is lost', async ({
  desk,
}) => {
  const mango = await desk.hire();
  const { id } = await claimed(desk, mango, 'Ana');
  const page = await desk.open(mango);
  await expect(tab(page, 'Mine')).toHaveText('Mine1');
  await team(page).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^End Shift/ }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('About the shift')).toBeVisible();
  await dialog(page).getByLabel('About the shift').focus();
  await page.keyboard.type('Done');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page).getByLabel('About the shift')).toHaveValue('Done');
  await dialog(page).getByRole('radio', { name: 'Release All' }).focus();
  await page.keyboard.press('Space');
  await dialog(page).getByRole('button', { name: 'Release All' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await expect(team(page)).toBeFocused();
  expect(await holderOf(mango, id)).toBeNull();
});

test('the browser’s Back button asks before it discards handover notes, and then closes the dialog', async ({
  desk,
}) => {
  const mango = await desk.hire();
  const [ana, ben] = [await claimed(desk, mango, 'Ana'), await claimed(desk, mango, 'Ben')];
  const page = await desk.open(mango, { path: `/inbox/${ana.id}` });
  await row(page, 'Ben').click();
  await expect(page).toHaveURL(new RegExp(ben.id));
  await openDialog(page, 'End Shift');
  await dialog(page).getByLabel('About the shift').fill('A quiet night');
  await page.evaluate(() => window.history.back());
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(new RegExp(ana.id));
  await expect(dialog(page)).toHaveCount(0);
});

test('without claims or handovers, the dialogs say so', async ({ desk }) => {
  const page = await desk.open(await desk.hire());
  await openDialog(page, 'End Shift');
  await expect(dialog(page).getByText('Nothing to hand over')).toBeVisible();
  await page.keyboard.press('Escape');
  await openDialog(page, 'Handovers');
  await expect(received(page).getByText('No handovers yet')).toBeVisible();
});

test('staff without message privileges have no shift to end', async ({ desk }) => {
  const page = await desk.open(await desk.hire({ can_manage_messages: false }));
  await team(page).click();
  await expect(page.getByRole('button', { name: /^Handovers/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^End Shift/ })).toHaveCount(0);
});

for (const size of [DESKTOP, PHONE]) {
  test(`a handover has no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const [mango, kiwi] = [
      await desk.hire({ codename: 'Mango', role: 'manager' }),
      await desk.hire({ codename: 'Kiwi' }),
    ];
    const [ana, given] = [await claimed(desk, mango, 'Ana'), await claimed(desk, kiwi, 'Ben')];
    await buildOffer(mango, ana.id, [await buildProduct(mango, { title: 'Set 1' })], 12.5);
    await promise(mango, ana.id, 'A video');
    await promise(kiwi, given.id, 'A photo');
    await kiwi.client.call(saveDraft, {
      params: { id: given.id },
      body: { text: 'Half an answer' },
    });
    await kiwi.client.call(handOver, {
      body: {
        client_id: unique('handover'),
        to: mango.admin.id,
        brief: 'A quiet night',
        items: [{ conversation_id: given.id, brief: 'Wants a discount' }],
      },
    });
    const page = await desk.open(mango, size);
    await expect(page.getByText('Kiwi handed over to you')).toBeVisible();
    await tab(page, 'Mine').click();
    await expect(row(page, 'Ana')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await button(page, 'View').click();
    await expect(received(page).getByText('A quiet night')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await openDialog(page, 'End Shift');
    await expect(dialog(page).getByText('Not paid')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}

test('a conversation received in a handover opens as claimed by the viewer', async ({ desk }) => {
  const [mango, kiwi] = [await desk.hire({ codename: 'Mango' }), await desk.hire()];
  const { id } = await claimed(desk, mango, 'Ana');
  const page = await desk.open(kiwi, { path: `/inbox/${id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await expect(page.getByText('Claimed by other')).toBeVisible();
  await mango.client.call(handOver, {
    body: {
      client_id: unique('handover'),
      to: kiwi.admin.id,
      brief: '',
      items: [{ conversation_id: id, brief: '' }],
    },
  });
  await expect(button(page, 'Release')).toBeVisible();
});
