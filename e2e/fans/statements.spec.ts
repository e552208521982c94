import type { Page, Response } from '@playwright/test';
import {
  createStatement,
  listStatements,
  type StatementInput,
  updateStatement,
} from '@stagedoor/contract/fans/statements';
import { buildConversation, buildReply, type Staff } from '../../apps/server/test/factories.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { DESKTOP, expect, PHONE, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { fillDateTime } from '../support/pickers.ts';
import { bubble, button, composer, row, tab } from '../support/screens.ts';

const HOUR_MS = 3_600_000;

const panel = (page: Page) => page.getByRole('complementary', { name: /^(Notes|Statements)/ });
const section = (page: Page, name: string) =>
  panel(page).getByRole('region', { name, exact: true });
const form = (page: Page) => panel(page).getByRole('form');
const promisesButton = (page: Page) => page.getByRole('button', { name: /promises? due/i });
const promises = (page: Page) => page.getByRole('dialog', { name: 'Promises Due' });
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const note = async ({ client }: Staff, id: string, body: StatementInput) =>
  (await client.call(createStatement, { params: { id }, body })).body.data;

async function openStatements(page: Page): Promise<void> {
  await button(page, 'Notes').click();
  await panel(page).getByRole('tab', { name: 'Statements' }).click();
}

test('a statement is saved from its message, read by a teammate, and leads back to the message', async ({
  desk,
}) => {
  const staff = await desk.hire({ codename: 'Kiwi' });
  const { id } = await buildConversation(desk);
  await buildReply(staff, id, { content: 'I have a dog called Milo' });
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  const other = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await openStatements(other);
  await expect(section(other, 'Statements')).toContainText('No statements yet');
  await bubble(page, 'Milo').hover();
  await bubble(page, 'Milo').getByRole('button', { name: 'Save as Statement' }).click();
  const text = form(page).getByLabel('What the creator said');
  await expect(text).toHaveValue('I have a dog called Milo');
  await expect(text).toBeFocused();
  await text.fill('has a dog called Milo');
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(form(page)).toHaveCount(0);
  await expect(section(page, 'Statements').getByRole('listitem')).toContainText(
    'has a dog called Milo',
  );

  await expect(section(other, 'Statements').getByRole('listitem')).toContainText('Kiwi');
  await section(other, 'Statements').getByRole('button', { name: 'Show Message' }).click();
  await expect(bubble(other, 'Milo')).toBeInViewport();
});

test('a due promise is counted and listed for its author until it is done', async ({ desk }) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  await note(staff, id, { text: 'A birthday greeting', due_at: inHours(90) });
  const page = await desk.open(staff, { path: '/inbox' });
  await expect(promisesButton(page)).toHaveAccessibleName('Promises Due');
  await note(staff, id, { text: 'A video', due_at: inHours(-1) });
  await expect(promisesButton(page)).toHaveAccessibleName('Promises Due (1)');
  await promisesButton(page).click();
  const due = promises(page).getByRole('region', { name: 'Due now' });
  await expect(due.getByRole('listitem')).toHaveText(/A video.*Due (Today|Yesterday).*Ana/);
  await expect(promises(page).getByRole('region', { name: 'Later' })).toContainText('A birthday');
  // The promise disappears as soon as it is checked, so `check()` could not verify it.
  await due.getByRole('checkbox', { name: 'Done: A video' }).click();
  await expect(due).toHaveCount(0);
  await expect(promisesButton(page)).toHaveAccessibleName('Promises Due');
  await promises(page)
    .getByRole('link', { name: /A birthday greeting/ })
    .click();
  await expect(promises(page)).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(id));
});

test('a promise becomes due on an open page, also for the admin who claimed the fan', async ({
  desk,
}) => {
  const [maker, holder] = [await desk.hire(), await desk.hire()];
  const { id } = await buildConversation(desk, { claimedBy: holder.admin });
  const now = new Date('2031-03-10T17:58:30Z');
  await note(maker, id, { text: 'A video', due_at: '2031-03-10T18:00:00Z' });
  for (const staff of [maker, holder]) {
    let loaded: Promise<Response> | undefined;
    const page = await desk.open(staff, {
      path: '/inbox',
      prepare: async (opened) => {
        await opened.clock.install({ time: now });
        loaded = opened.waitForResponse(/\/promises$/);
      },
    });
    // Moving the clock forward would time out a call in progress.
    await (await loaded)?.finished();
    await expect(promisesButton(page)).toHaveAccessibleName('Promises Due');
    await page.clock.fastForward(120_000);
    await expect(promisesButton(page)).toHaveAccessibleName('Promises Due (1)');
  }
});

test('a promise is made, kept and reopened by keyboard alone', async ({ desk }) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  await expect(composer(page)).toBeVisible();
  await page.keyboard.press('n');
  await panel(page).getByRole('tab', { name: 'Notes' }).focus();
  await page.keyboard.press('End');
  const add = panel(page).getByRole('button', { name: 'Add Statement' });
  await expect(add).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(add).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form(page).getByLabel('What the creator said')).toBeFocused();
  await page.keyboard.type('A video on Friday');
  await fillDateTime(form(page), '2031-03-14', '18:00');
  await form(page).getByRole('button', { name: 'Save' }).press('Enter');
  await expect(add).toBeFocused();
  const open = section(page, 'Promises');
  await expect(open.getByRole('listitem')).toHaveText(/A video on Friday.*18:00/);
  await open.getByRole('checkbox').focus();
  await page.keyboard.press('Space');
  await expect(open).toContainText('No promises yet');
  const kept = section(page, 'Kept Promises');
  await expect(kept.getByRole('listitem')).toContainText('A video on Friday');
  await expect(kept.getByRole('checkbox')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(open.getByRole('listitem')).toContainText('A video on Friday');
  await expect(open.getByRole('checkbox')).toBeFocused();
  await open.getByRole('button', { name: /^Actions for/ }).press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(panel(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
});

test('a teammate’s newer version is shown, and mine is kept until I decide', async ({ desk }) => {
  const [staff, teammate] = [await desk.hire(), await desk.hire()];
  const { id } = await buildConversation(desk);
  const { id: statement } = await note(staff, id, { text: 'has a dog' });
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  await openStatements(page);
  await section(page, 'Statements')
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await form(page).getByLabel('What the creator said').fill('has a dog called Milo');
  const body = { text: 'has two dogs' };
  await teammate.client.call(updateStatement, { params: { id: statement }, body });
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(form(page).getByRole('alert')).toContainText('has two dogs');
  await expect(form(page).getByLabel('What the creator said')).toHaveValue('has a dog called Milo');
  await form(page).getByRole('button', { name: 'Save Mine' }).click();
  await expect(form(page)).toHaveCount(0);
  const { data } = (await staff.client.call(listStatements, { params: { id } })).body;
  expect(data).toMatchObject([{ text: 'has a dog called Milo' }]);
});

test('a statement stored by a lost save becomes a promise when a due time is added', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  await openStatements(page);
  await panel(page).getByRole('button', { name: 'Add Statement' }).click();
  await form(page).getByLabel('What the creator said').fill('A video');
  const stored = async () =>
    (await staff.client.call(listStatements, { params: { id } })).body.data.map(
      ({ text, due_at }) => ({ text, isPromise: due_at !== null }),
    );
  await page.route('**/statements', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: {} });
  });
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(form(page).getByRole('alert')).toContainText('Couldn’t save the statement');
  expect(await stored()).toEqual([{ text: 'A video', isPromise: false }]);
  await page.unroute('**/statements');
  await fillDateTime(form(page), '2031-03-14', '18:00');
  await form(page).getByRole('button', { name: 'Save' }).click();
  await form(page).getByRole('button', { name: 'Save Mine' }).click();
  await expect(form(page)).toHaveCount(0);
  expect(await stored()).toEqual([{ text: 'A video', isPromise: true }]);
});

test('a failed save keeps the text, leaving asks first, and a failed check is reverted', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  await note(staff, id, { text: 'A video', due_at: inHours(-1) });
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  await openStatements(page);
  await page.route('**/statements/**', (route) => route.fulfill({ status: 500, json: {} }));
  await section(page, 'Promises').getByRole('checkbox').click();
  await expect(panel(page).getByRole('alert')).toContainText('Couldn’t save the promise');
  await expect(section(page, 'Promises').getByRole('checkbox')).not.toBeChecked();
  await page.unroute('**/statements/**');
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await expect(section(page, 'Kept Promises').getByRole('listitem')).toHaveCount(1);

  await page.route('**/statements', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: {} })
      : route.fallback(),
  );
  await panel(page).getByRole('button', { name: 'Add Statement' }).click();
  await form(page).getByLabel('What the creator said').fill('has a dog');
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(form(page).getByRole('alert')).toContainText('Couldn’t save the statement');
  await panel(page).getByRole('tab', { name: 'Notes' }).click();
  await panel(page).getByRole('tab', { name: 'Statements' }).click();
  await expect(form(page).getByLabel('What the creator said')).toHaveValue('has a dog');
  await tab(page, 'All').click();
  await row(page, 'Ben').click();
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.unroute('**/statements');
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(section(page, 'Statements').getByRole('listitem')).toContainText('has a dog');
});

test('promises stay checked while their saves are pending, even when others save statements', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  for (const text of ['A video', 'A photo']) await note(staff, id, { text, due_at: inHours(-1) });
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  await openStatements(page);
  const letGo = await holdCalls(page, /\/admin\/statements\//);
  for (const text of ['A video', 'A photo'])
    await section(page, 'Promises')
      .getByRole('checkbox', { name: `Done: ${text}` })
      .click();
  await note(await desk.hire(), id, { text: 'has a dog' });
  await expect(section(page, 'Statements')).toContainText('has a dog');
  const kept = section(page, 'Kept Promises').getByRole('listitem');
  await expect(kept).toHaveCount(2);
  await note(staff, id, { text: 'A call', due_at: inHours(-1) });
  await expect(promisesButton(page)).toHaveAccessibleName('Promises Due (1)');
  letGo();
  const stored = async () =>
    (await staff.client.call(listStatements, { params: { id } })).body.data.filter(
      ({ done_at }) => done_at !== null,
    );
  await expect.poll(stored).toHaveLength(2);
  await expect(kept).toHaveCount(2);
});

test('the question about unsaved text is shown in every tab of the panel', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await openStatements(page);
  await panel(page).getByRole('button', { name: 'Add Statement' }).click();
  await form(page).getByLabel('What the creator said').fill('has a dog');
  await panel(page).getByRole('tab', { name: 'Notes' }).click();
  await tab(page, 'All').click();
  await row(page, 'Ben').click();
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(new RegExp(id));
  await row(page, 'Ben').click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('heading', { name: 'Ben', exact: true })).toBeVisible();
});

test('one question names everything unsaved, and closing one form keeps the others', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await button(page, 'Notes').click();
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByLabel('Location').fill('Porto');
  await panel(page).getByRole('tab', { name: 'Statements' }).click();
  await panel(page).getByRole('button', { name: 'Add Statement' }).click();
  await form(page).getByLabel('What the creator said').fill('has a dog');

  await tab(page, 'All').click();
  await row(page, 'Ben').click();
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await expect(question).toContainText('Your changes to the notes on Ana aren’t saved.');
  await expect(question).toContainText('The statement isn’t saved.');
  await question.getByRole('button', { name: 'Cancel' }).click();

  await form(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(question).not.toContainText('notes on Ana');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(form(page)).toHaveCount(0);
  await row(page, 'Ben').click();
  await expect(question).toContainText('Your changes to the notes on Ana aren’t saved.');
  await expect(question).not.toContainText('The statement');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('heading', { name: 'Ben', exact: true })).toBeVisible();
  await row(page, 'Ana').click();
  await panel(page).getByRole('tab', { name: 'Notes' }).click();
  await expect(panel(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  await expect(panel(page)).not.toContainText('Porto');
});

test('removing a statement asks first, and removes it for everyone', async ({ desk }) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  await note(staff, id, { text: 'has a dog' });
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  const other = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  for (const opened of [page, other]) await openStatements(opened);
  await expect(section(other, 'Statements').getByRole('listitem')).toHaveCount(1);
  await section(page, 'Statements')
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  for (const opened of [page, other]) {
    await expect(section(opened, 'Statements')).toContainText('No statements yet');
  }
});

test('on a phone a message is saved by a long press', async ({ desk }) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  await buildReply(staff, id, { content: 'I have a dog called Milo' });
  const page = await desk.open(staff, { ...PHONE, path: `/messages/${id}` });
  await bubble(page, 'Milo').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save as Statement' }).click();
  await form(page).getByRole('button', { name: 'Save' }).click();
  await expect(section(page, 'Statements').getByRole('listitem')).toHaveCount(1);
  await section(page, 'Statements').getByRole('button', { name: 'Show Message' }).click();
  await expect(panel(page)).toHaveCount(0);
  await expect(bubble(page, 'Milo')).toBeInViewport();
});

for (const size of [DESKTOP, PHONE]) {
  test(`statements and promises have no serious accessibility issues (${size.name})`, async ({
    desk,
  }) => {
    const staff = await desk.hire();
    const { id, messages } = await buildConversation(desk);
    const message_id = messages[0]?.id ?? '';
    await note(staff, id, { text: 'has a dog called Milo', message_id });
    await note(staff, id, { text: 'A video', due_at: inHours(-1) });
    const { id: kept } = await note(staff, id, { text: 'A photo', due_at: inHours(-30) });
    await staff.client.call(updateStatement, { params: { id: kept }, body: { done: true } });
    const page = await desk.open(staff, { ...size, path: `/inbox/${id}` });
    await openStatements(page);
    await expect(section(page, 'Kept Promises').getByRole('listitem')).toHaveCount(1);
    expect(await accessibilityIssues(page)).toEqual([]);
    await panel(page).getByRole('button', { name: 'Add Statement' }).click();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.goto('/inbox');
    await promisesButton(page).click();
    await expect(promises(page).getByRole('listitem')).toHaveCount(1);
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
