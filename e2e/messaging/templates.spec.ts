import type { Page } from '@playwright/test';
import {
  createTemplate,
  deleteTemplate,
  updateTemplate,
} from '@stagedoor/contract/messaging/templates';
import { buildConversation, type Staff } from '../../apps/server/test/factories.ts';
import { uploadForTemplate } from '../../apps/server/test/files.ts';
import { buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { keptFiles, pdf, picture } from '../support/files.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from '../support/journey.ts';
import { holdCalls, withoutLiveWay } from '../support/network.ts';
import { bubble, composer, dialog, thread } from '../support/screens.ts';

const list = (page: Page) => page.getByRole('listbox', { name: 'Templates' });
const option = (page: Page, name: string) => list(page).getByRole('option', { name });

async function keep(
  { client }: Staff,
  name: string,
  content: string,
  more: {
    folder?: string;
    is_shared?: boolean;
    product?: { id: string; price: number };
    attachments?: { id: string }[];
  } = {},
) {
  const body = { name, content, is_shared: true, ...more };
  return (await client.call(createTemplate, { body })).body.data;
}

async function openReply(desk: Desk) {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk, {
    fan: { first_name: 'Ana', last_name: 'Sousa' },
  });
  return { staff, page: await desk.open(staff, { path: `/inbox/${id}` }), id };
}

test('a / at the start of a reply finds templates by keyboard, and Enter inserts one filled in, the most used first', async ({
  desk,
}) => {
  const { staff, page } = await openReply(desk);
  await keep(staff, 'Hello', 'Hi {first_name}, dear {name}!');
  await keep(staff, 'Goodbye', 'Bye {first_name}');
  await composer(page).focus();
  await page.keyboard.type('/');
  await expect(list(page).getByRole('option')).toHaveCount(2);
  await page.keyboard.type('bye');
  await expect(list(page).getByRole('option')).toHaveCount(1);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('Bye Ana');
  await expect(list(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(bubble(page, 'Bye Ana')).toBeVisible();
  // The used template comes first after the list is refetched.
  await page.reload();
  await composer(page).focus();
  await page.keyboard.type('/');
  await expect(list(page).getByRole('option').first()).toContainText('Goodbye');
  await page.keyboard.press('ArrowDown');
  await expect(option(page, 'Hello')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('Hi Ana, dear Ana Sousa!');
});

test('typing / without any templates offers to create one', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await composer(page).pressSequentially('/');
  await page.getByRole('button', { name: 'Create Template' }).click();
  await expect(dialog(page, 'Templates').getByText('No templates yet')).toBeVisible();
});

test('Create Template waits until the templates can be opened', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  let letGo = () => {};
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    async prepare(opened) {
      letGo = await holdCalls(opened, /\/assets\/inbox-tools/);
    },
  });
  await composer(page).pressSequentially('/');
  await page.getByRole('button', { name: 'Create Template' }).click();
  letGo();
  await expect(dialog(page, 'Templates').getByText('No templates yet')).toBeVisible();
});

test('Escape leaves the / as typed, and inserting keeps the written text', async ({ desk }) => {
  const { staff, page } = await openReply(desk);
  await keep(staff, 'Hello', 'Hi {first_name}!');
  await composer(page).focus();
  await page.keyboard.type('/hel');
  await expect(option(page, 'Hello')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list(page)).toHaveCount(0);
  await expect(composer(page)).toHaveValue('/hel');
  await page.keyboard.type('l no');
  await expect(list(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(bubble(page, '/hell no')).toBeVisible();

  await composer(page).fill('See you');
  await page.keyboard.press('Home');
  await page.keyboard.type('/');
  await expect(option(page, 'Hello')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('Hi Ana!\nSee you');
});

test('variables without a known value must be filled in before sending', async ({ desk }) => {
  const { staff, page } = await openReply(desk);
  await keep(staff, 'Hello', 'Hi {username}, I am here');
  await composer(page).focus();
  await page.keyboard.type('/hello');
  await option(page, 'Hello').click();
  await expect(composer(page)).toHaveValue('Hi {username}, I am here');
  await expect(page.getByRole('alert')).toContainText('Replace {username} before you send');
  await page.keyboard.press('Enter');
  // The variable is selected, so that typing replaces it.
  await page.keyboard.type('ana');
  await expect(composer(page)).toHaveValue('Hi ana, I am here');
  await page.keyboard.press('Enter');
  await expect(bubble(page, 'Hi ana, I am here')).toBeVisible();
});

test('a template with a product opens Send Product with product and price, and puts its text in the reply', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const { staff, page } = await openReply(desk);
  await buildProduct(manager, { title: 'Backstage' });
  const sunset = await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  await keep(staff, 'Sunset', 'Look at this, {first_name}', {
    product: { id: sunset.id, price: 25 },
  });
  await composer(page).focus();
  await page.keyboard.type('/sun');
  await option(page, 'Sunset').click();
  const offer = dialog(page, 'Send Product');
  await expect(offer.getByRole('radio', { name: /Sunset Set/ })).toBeChecked();
  await expect(offer.getByLabel('Price in US dollars')).toHaveValue('25.00');
  await offer.getByRole('button', { name: 'Send for $25.00' }).click();
  await expect(offer).toHaveCount(0);
  await expect(bubble(page, 'Sunset Set')).toBeVisible();
  await expect(composer(page)).toHaveValue('Look at this, Ana');
});

test('templates are created, changed, used and deleted in their dialog, live for teammates', async ({
  desk,
}) => {
  const { page } = await openReply(desk);
  const teammate = await desk.open(await desk.hire());
  await teammate.getByRole('button', { name: 'Settings' }).click();
  await teammate.getByRole('button', { name: 'Templates...' }).click();
  await expect(dialog(teammate, 'Templates').getByText('No templates yet')).toBeVisible();

  await page.getByRole('button', { name: 'Attach', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'New Template' }).click();
  const form = dialog(page, 'New Template');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Enter a name')).toBeVisible();
  await form.getByLabel('Name').fill('Hello');
  await form.getByLabel('Folder').fill('Greetings');
  await form.getByRole('textbox', { name: 'Text' }).fill('Hi ');
  await form.getByRole('button', { name: '{first_name}' }).click();
  await expect(form.getByRole('textbox', { name: 'Text' })).toHaveValue('Hi {first_name}');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  const section = dialog(teammate, 'Templates').getByRole('region', { name: 'Greetings' });
  await expect(section).toContainText('Hi {first_name}');
  // A teammate's template has no Edit button.
  await expect(section.getByRole('button', { name: 'Edit Hello' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Edit Hello' }).click();
  await dialog(page, 'Edit Template').getByLabel('Name').fill('Hello there');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(section).toContainText('Hello there');
  await page.getByRole('button', { name: 'Use Hello there' }).click();
  await expect(composer(page)).toHaveValue('Hi Ana');
  await expect(composer(page)).toBeFocused();

  await page.getByRole('button', { name: 'Attach', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'Delete Hello there' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete template "Hello there"?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog(page, 'Templates').getByText('No templates yet')).toBeVisible();
  await expect(dialog(teammate, 'Templates').getByText('No templates yet')).toBeVisible();
});

const strip = (page: Page) => page.getByRole('list', { name: 'Selected files' });

test('a template is created with files, and each use sends new copies', async ({ desk }) => {
  const { page } = await openReply(desk);
  await page.getByRole('button', { name: 'Attach', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'New Template' }).click();
  const form = dialog(page, 'New Template');
  await form.getByLabel('Name').fill('Sunset');
  await form
    .locator('input[type=file]')
    .setInputFiles([await picture('sunset.png'), pdf('list.pdf'), pdf('wrong.pdf')]);
  await expect(strip(page).getByRole('listitem')).toHaveCount(3);
  await form.getByRole('button', { name: 'Remove wrong.pdf' }).click();
  await form.getByRole('textbox', { name: 'Text' }).fill('Look, {first_name}');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  await expect(dialog(page, 'Templates').getByRole('listitem')).toContainText('2 files');

  await page.getByRole('button', { name: 'Use Sunset' }).click();
  await expect(composer(page)).toHaveValue('Look, Ana');
  await expect(strip(page)).toContainText('sunset.png');
  await expect(strip(page)).toContainText('list.pdf');
  await page.getByRole('button', { name: 'Send to Ana Sousa' }).click();
  const first = bubble(page, 'Look, Ana');
  await expect(first.locator('img')).toHaveJSProperty('complete', true);
  await expect(first).toContainText('list.pdf');
  await expect(strip(page)).toHaveCount(0);

  await composer(page).fill('');
  await composer(page).pressSequentially('/sun');
  await expect(option(page, 'Sunset')).toContainText('2 files');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove list.pdf' }).click();
  // The chosen files are stored before the text.
  const stored = page.waitForRequest(
    (request) => request.url().endsWith('/draft') && !!request.postData()?.includes('Once more'),
  );
  await composer(page).fill('Once more');
  await stored;
  // The file is still there after a reload.
  await page.reload();
  await expect(strip(page)).toContainText('sunset.png');
  await composer(page).fill('Once more');
  await page.getByRole('button', { name: 'Send to Ana Sousa' }).click();
  const second = bubble(page, 'Once more');
  await expect(second.locator('img')).toBeVisible();
  await expect(second).not.toContainText('list.pdf');
  await page.reload();
  await expect(thread(page).locator('article img')).toHaveCount(2);
});

test('a template’s file is still chosen after days', async ({ desk }) => {
  const { staff, page } = await openReply(desk);
  const [file] = await uploadForTemplate(staff, {
    data: Buffer.from('dear diary'),
    filename: 'diary.txt',
  });
  await keep(staff, 'Hello', 'Look at this', { attachments: [{ id: file?.id ?? '' }] });
  await composer(page).pressSequentially('/hel');
  await option(page, 'Hello').click();
  await expect.poll(() => keptFiles(page)).toBe(1);
  await page.clock.setFixedTime(Date.now() + 6 * 24 * 3_600_000);
  await page.reload();
  await expect(strip(page)).toContainText('diary.txt');
});

test('a file deleted from its template is reported, and the text is still sent', async ({
  desk,
}) => {
  const { staff, page } = await openReply(desk);
  const [file] = await uploadForTemplate(staff, {
    data: Buffer.from('dear diary'),
    filename: 'diary.txt',
  });
  const { id } = await keep(staff, 'Hello', 'Hi', { attachments: [{ id: file?.id ?? '' }] });
  await composer(page).pressSequentially('/hel');
  await option(page, 'Hello').click();
  await expect(strip(page)).toContainText('diary.txt');
  await staff.client.call(deleteTemplate, { params: { id } });
  await page.getByRole('button', { name: 'Send to Ana Sousa' }).click();
  await expect(strip(page)).toContainText('No longer in the template');
  await expect(bubble(page, 'Hi')).toBeVisible();
  await page.getByRole('button', { name: 'Remove diary.txt' }).click();
  await expect(strip(page)).toHaveCount(0);
});

test('a failed upload keeps the form’s input, and saving can be retried', async ({ desk }) => {
  const { staff, page } = await openReply(desk);
  const [kept] = await uploadForTemplate(staff, {
    data: Buffer.from('dear diary'),
    filename: 'diary.txt',
  });
  await keep(staff, 'Hello', 'Hi', { attachments: [{ id: kept?.id ?? '' }] });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Templates...' }).click();
  await page.getByRole('button', { name: 'Edit Hello' }).click();
  const form = dialog(page, 'Edit Template');
  await expect(strip(page)).toContainText('diary.txt');
  await form.getByRole('textbox', { name: 'Text' }).fill('Look at this');
  await form.locator('input[type=file]').setInputFiles(await picture('sunset.png'));
  await page.route('**/templates/files', (route) => route.abort());
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toHaveText('Failed to upload files. Please try again.');
  await expect(strip(page).getByRole('listitem').filter({ hasText: 'sunset.png' })).toContainText(
    'Not uploaded',
  );
  await expect(form.getByRole('textbox', { name: 'Text' })).toHaveValue('Look at this');
  await page.unroute('**/templates/files');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  const row = dialog(page, 'Templates').getByRole('listitem');
  await expect(row).toContainText('2 files');
  await expect(row).toContainText('Look at this');
});

async function openTemplates(desk: Desk, staff: Staff) {
  const page = await desk.open(staff, { prepare: withoutLiveWay });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Templates...' }).click();
  const form = dialog(page, 'Edit Template');
  return { page, form, text: form.getByRole('textbox', { name: 'Text' }) };
}

test('a template is locked while it is being saved', async ({ desk }) => {
  const staff = await desk.hire();
  await keep(staff, 'Hello', 'Hi');
  const { page, form, text } = await openTemplates(desk, staff);
  await page.getByRole('button', { name: 'Edit Hello' }).click();
  const name = form.getByLabel('Name');
  await name.fill('Welcome');
  const save = await holdCalls(page, /\/templates\/[\w-]{36}$/);
  await name.press('Enter');
  for (const field of [name, form.getByLabel('Folder'), text])
    await expect(field).not.toBeEditable();
  await expect(name).toBeFocused();
  await expect(form.getByRole('radio', { name: 'Only me' })).toBeDisabled();
  await form.getByRole('button', { name: '{first_name}' }).click();
  await expect(text).toHaveValue('Hi');
  save();
  await expect(dialog(page, 'Templates')).toContainText('Welcome');
});

test('a late save of a template does not close the next form', async ({ desk }) => {
  const staff = await desk.hire();
  for (const name of ['Goodbye', 'Hello']) await keep(staff, name, 'Text');
  const { page, form, text } = await openTemplates(desk, staff);
  await page.getByRole('button', { name: 'Edit Goodbye' }).click();
  await form.getByLabel('Folder').fill('Greetings');
  const save = await holdCalls(page, /\/templates\/[\w-]{36}$/);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit Hello' }).click();
  await text.fill('Hi there');
  save();
  await expect(form.locator('datalist option')).toHaveAttribute('value', 'Greetings');
  await expect(text).toHaveValue('Hi there');
});

test('a teammate’s newer version is shown, and no input is lost', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const { staff, page } = await openReply(desk);
  const { id } = await keep(staff, 'Hello', 'First');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Templates...' }).click();
  await page.getByRole('button', { name: 'Edit Hello' }).click();
  const form = dialog(page, 'Edit Template');
  const text = form.getByRole('textbox', { name: 'Text' });
  await text.fill('Mine');
  await manager.client.call(updateTemplate, {
    params: { id },
    body: { version: 1, content: 'Theirs' },
  });
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form.getByRole('alert')).toContainText('A teammate has saved this');
  await expect(form.getByRole('alert')).toContainText('Theirs');
  await expect(text).toHaveValue('Mine');
  await form.getByRole('button', { name: 'Save Mine' }).click();
  await expect(form).toHaveCount(0);
  await expect(dialog(page, 'Templates')).toContainText('Mine');
});

const sent = (filename: string) => ({
  data: pdf(filename).buffer,
  filename,
  type: 'application/pdf',
});

test('Save Mine keeps a teammate’s new files with one’s own, and names the deleted ones', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const { staff, page } = await openReply(desk);
  const [plan, price] = await uploadForTemplate(staff, ...['plan.pdf', 'price.pdf'].map(sent));
  const { id } = await keep(staff, 'Hello', 'First', {
    attachments: [plan, price].map((file) => ({ id: file?.id ?? '' })),
  });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Templates...' }).click();
  await page.getByRole('button', { name: 'Edit Hello' }).click();
  const form = dialog(page, 'Edit Template');
  const files = form.getByRole('listitem');
  await expect(files).toHaveText([/plan\.pdf/, /price\.pdf/]);
  await form.getByRole('textbox', { name: 'Text' }).fill('Mine');
  await form.locator('input[type=file]').setInputFiles(pdf('menu.pdf'));
  await expect(files).toHaveCount(3);
  const [added] = await uploadForTemplate(manager, sent('map.pdf'));
  await manager.client.call(updateTemplate, {
    params: { id },
    body: { version: 1, attachments: [{ id: plan?.id ?? '' }, { id: added?.id ?? '' }] },
  });
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.getByRole('button', { name: 'Save Mine' }).click();
  await expect(form.getByRole('alert')).toContainText('A teammate deleted 1 file.');
  await expect(files).toHaveText([/plan\.pdf/, /map\.pdf/, /menu\.pdf/]);
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form).toHaveCount(0);
  await expect(dialog(page, 'Templates').getByRole('listitem')).toContainText('3 files');
});

test('failed actions show an error and can be retried', async ({ desk }) => {
  const staff = await desk.hire();
  await keep(staff, 'Hello', 'Hi');
  const page = await desk.open(staff, {
    prepare: async (opened) => {
      await withoutLiveWay(opened);
      await opened.route('**/admin/templates', (route) => route.abort());
    },
  });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Templates...' }).click();
  const templates = dialog(page, 'Templates');
  await expect(templates.getByText('Couldn’t load templates')).toBeVisible();
  await page.unroute('**/admin/templates');
  await templates.getByRole('button', { name: 'Retry' }).click();
  await expect(templates.getByText('Hello')).toBeVisible();
});

for (const size of [DESKTOP, PHONE]) {
  test(`templates have no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const manager = await desk.hire({ role: 'manager' });
    const { id } = await buildConversation(desk);
    const sunset = await buildProduct(manager, { title: 'Sunset Set' });
    const [file] = await uploadForTemplate(manager, {
      data: Buffer.from('dear diary'),
      filename: 'diary.txt',
    });
    await keep(manager, 'Hello', 'Hi {first_name}', {
      folder: 'Greetings',
      attachments: [{ id: file?.id ?? '' }],
    });
    await keep(manager, 'Offer', 'Look', { product: { id: sunset.id, price: 25 } });
    await keep(manager, 'Mine', 'Hi {username}', { is_shared: false });
    const page = await desk.open(manager, { ...size, path: `/inbox/${id}` });
    await composer(page).pressSequentially('/');
    await expect(list(page).getByRole('option')).toHaveCount(3);
    expect(await accessibilityIssues(page)).toEqual([]);
    await composer(page).pressSequentially('mine');
    await option(page, 'Mine').click();
    await expect(page.getByRole('alert')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Templates' }).click();
    await expect(dialog(page, 'Templates').getByText('Greetings')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'New Template' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Enter a name')).toBeVisible();
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(pdf('list.pdf'));
    await expect(strip(page)).toContainText('list.pdf');
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
