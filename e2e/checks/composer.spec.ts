import { buildConversation, buildReply } from '../../apps/server/test/factories.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { openConversation, seenBy } from '../support/conversation.ts';
import { choose, photos, picture, sendButton, strip } from '../support/files.ts';
import { expect, test } from '../support/journey.ts';
import { bubble, composer, row, thread } from '../support/screens.ts';

const FAILED = 'Failed to upload files. Please try again.';
const UPLOAD = /\/api\/messages\/admin\/upload-multiple$/;

test('23: Enter leaves the files in the strip; Ctrl+Enter uploads and sends them', async ({
  desk,
}) => {
  const { page, fan, id } = await openConversation(desk);
  const teammate = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await choose(page, 'Photos', [await picture('beach.png'), await picture('roof.png', '#aa3355')]);
  await expect(strip(page)).toHaveText([/beach\.png.*\d K?B/, /roof\.png.*\d K?B/]);
  await expect(page.getByText('Enter sends text only. Send includes files')).toBeVisible();
  await composer(page).fill('Words with pictures');
  await composer(page).press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was sent.' })).toBeVisible();
  await expect(strip(page)).toHaveCount(2);
  await expect(composer(page)).toHaveValue('Words with pictures');
  await composer(page).press('Control+Enter');
  await expect(strip(page)).toHaveCount(0);
  await expect(composer(page)).toHaveValue('');
  for (const each of [page, teammate]) {
    await expect(bubble(each, 'Words with pictures').getByRole('time')).toBeVisible();
    await expect(photos(each)).toHaveCount(2);
  }
  const messages = await seenBy(desk, fan.external_id);
  expect(messages.map(({ content }) => content)).toEqual(['Words with pictures', 'Hello there']);
  expect(messages[0]?.attachments.map(({ type, filename }) => [type, filename])).toEqual([
    ['image', 'beach.png'],
    ['image', 'roof.png'],
  ]);
});

test('25: a failed upload shows an alert; the text is sent alone, and the files stay for a retry', async ({
  desk,
}) => {
  const { page, fan } = await openConversation(desk);
  const natives: string[] = [];
  page.on('dialog', (dialog) => void natives.push(dialog.type()));
  await page.route(UPLOAD, (route) => route.abort());
  await choose(page, 'Photos', await picture('beach.png'));
  await composer(page).fill('At least the words');
  await sendButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: FAILED })).toBeVisible();
  await expect(bubble(page, 'At least the words').getByRole('time')).toBeVisible();
  await expect(strip(page)).toHaveCount(1);
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('alert').filter({ hasText: FAILED })).toBeVisible();
  expect(await seenBy(desk, fan.external_id)).toHaveLength(2);
  await page.unroute(UPLOAD);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(photos(page)).toHaveCount(1);
  await expect(thread(page).getByRole('article').last().getByRole('time')).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
  await expect(page.getByText(FAILED)).toBeHidden();
  const messages = await seenBy(desk, fan.external_id);
  expect(messages.map(({ attachments }) => attachments.length)).toEqual([1, 0, 0]);
  // The alert must be part of the page, not a native dialog.
  expect(natives).toEqual([]);
});

test('26: a draft survives switching conversations and a reload, and never reaches another fan', async ({
  desk,
}) => {
  const { page, id } = await openConversation(desk);
  const other = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  await composer(page).fill('Dear Ana, I was about to');
  await row(page, 'Ben').click();
  await expect(page.getByText('To Ben', { exact: true })).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await composer(page).fill('Ben, hello');
  await page.goto(`/inbox/${id}`);
  await expect(composer(page)).toHaveValue('Dear Ana, I was about to');
  await expect(page.getByText('To Ana', { exact: true })).toBeVisible();
  await page.goto(`/inbox/${other.id}`);
  await expect(composer(page)).toHaveValue('Ben, hello');
  await composer(page).press('Enter');
  await expect(bubble(page, 'Ben, hello').getByRole('time')).toBeVisible();
  await page.reload();
  await expect(bubble(page, 'Ben, hello')).toBeVisible();
  await expect(composer(page)).toHaveValue('');
});

test('27: a teammate’s reply while a draft is being written blocks only the draft’s first send', async ({
  desk,
}) => {
  const { page, id, fan } = await openConversation(desk);
  const teammate = await desk.hire();
  await composer(page).pressSequentially('Hi Ana');
  await buildReply(teammate, id, { content: 'A teammate was faster' });
  await expect(bubble(page, 'A teammate was faster')).toBeVisible();
  await composer(page).press('Enter');
  const question = page.getByText('A teammate just replied. Send anyway?');
  await expect(question).toBeVisible();
  await expect(bubble(page, 'Hi Ana')).toHaveCount(0);
  await expect(composer(page)).toHaveValue('Hi Ana');
  expect((await seenBy(desk, fan.external_id)).map(({ content }) => content)).not.toContain(
    'Hi Ana',
  );
  await page.getByRole('button', { name: 'Send anyway' }).click();
  await expect(bubble(page, 'Hi Ana').getByRole('time')).toBeVisible();
  await expect(question).toHaveCount(0);
  // A reply started after the teammate's message needs no confirmation.
  await composer(page).fill('And one more thing');
  await composer(page).press('Enter');
  await expect(bubble(page, 'And one more thing').getByRole('time')).toBeVisible();
  await expect(question).toHaveCount(0);
});
