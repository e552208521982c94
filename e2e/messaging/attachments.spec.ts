import type { Page } from '@playwright/test';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { seenBy } from '../support/conversation.ts';
import { choose, drop, pdf, photos, picture, sendButton, sound, strip } from '../support/files.ts';
import { type Desk, expect, PHONE, test } from '../support/journey.ts';
import { bubble, composer, reply, row, tab, thread } from '../support/screens.ts';

const UPLOAD = /\/api\/messages\/admin\/upload-multiple$/;

async function open(desk: Desk): Promise<{ page: Page; fan: string; id: string }> {
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  return { page, fan: fan.external_id, id };
}

/** Sends the chosen files and waits until the message is stored. */
async function sendFiles(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await sendButton(page).click();
  await expect(bubble(page, text).getByRole('time')).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
}

test('the attach menu offers its items by mouse and by keyboard', async ({ desk }) => {
  const { page } = await open(desk);
  await thread(page).getByRole('article').first().focus();
  await page.keyboard.press('a');
  const menu = page.getByRole('menu', { name: 'Attach' });
  await expect(menu.getByRole('menuitem')).toHaveText([
    'Photos',
    'Videos',
    'Audio',
    'File',
    'Send Product',
    'Templates',
    /Record Voice\s*Coming soon/,
  ]);
  await expect(menu.getByRole('menuitem', { name: 'Photos' })).toBeFocused();
  await expect(menu.getByRole('menuitem', { name: /Record Voice/ })).toBeDisabled();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
});

test('the keys to open a menu and choose in it can be pressed right after one another', async ({
  desk,
}) => {
  const { page } = await open(desk);
  // Set up before the keys are pressed, so that the event can't be missed.
  const chooser = page.waitForEvent('filechooser');
  await thread(page).getByRole('article').first().focus();
  // Presses the second key without waiting for the menu to open.
  await Promise.all([page.keyboard.press('a'), page.keyboard.press('Enter')]);
  await (await chooser).setFiles([await picture('beach.png')]);
  await expect(strip(page)).toHaveCount(1);
});

test('files can be sent without text, and the inbox names them', async ({ desk }) => {
  const { page, fan } = await open(desk);
  await choose(page, 'Photos', await picture('beach.png'));
  await sendButton(page).click();
  await expect(photos(page)).toHaveCount(1);
  await expect(thread(page).getByRole('article').last().getByRole('time')).toBeVisible();
  await tab(page, 'All').click();
  await expect(row(page, 'Ana, .*📷 Photo')).toBeVisible();
  expect((await seenBy(desk, fan))[0]?.content.trim()).toBe('');
});

test('an album, a sound and a document reach the fan, and all staff see them live', async ({
  desk,
}) => {
  const { page, fan, id } = await open(desk);
  const other = await desk.open(await desk.hire(), { ...PHONE, path: `/inbox/${id}` });
  await expect(bubble(other, 'Hello there')).toBeVisible();

  await choose(page, 'Photos', [
    await picture('one.png', '#aa3355'),
    await picture('two.png', '#33aa55'),
    await picture('three.png', '#3355aa'),
  ]);
  await sendFiles(page, 'An album');
  await choose(page, 'Audio', sound('hello.wav'));
  await sendFiles(page, 'A sound');
  await drop(page, pdf('contract.pdf'));
  await sendFiles(page, 'A document');

  for (const each of [page, other]) {
    await expect(bubble(each, 'An album').getByRole('list', { name: '3 photos' })).toBeVisible();
    await expect(photos(each)).toHaveCount(3);
    const player = bubble(each, 'A sound').locator('audio');
    await expect(bubble(each, 'A sound').getByRole('group', { name: 'hello.wav' })).toBeVisible();
    await expect(player).toHaveText('Your browser does not support the audio element.');
    await expect
      .poll(() => player.evaluate((audio: HTMLAudioElement) => audio.duration))
      .toBe(0.25);
    await expect(bubble(each, 'A sound').getByRole('button', { name: 'Play' })).toBeVisible();
    await bubble(each, 'A sound').getByRole('slider', { name: 'Position' }).press('ArrowRight');
    await expect
      .poll(() => player.evaluate((audio: HTMLAudioElement) => audio.currentTime))
      .toBe(0.25);
    await expect(
      bubble(each, 'A document').getByRole('button', { name: 'Download contract.pdf' }),
    ).toBeVisible();
  }

  const [, album, audio, document] = (await seenBy(desk, fan)).toReversed();
  const fetched = async (path: string | null) => fetch(new URL(path ?? '', desk.server.url));
  expect(album?.attachments.map(({ filename }) => filename)).toEqual([
    'one.png',
    'two.png',
    'three.png',
  ]);
  for (const message of [album, audio, document]) {
    for (const { is_paid, locked, url } of message?.attachments ?? []) {
      expect([is_paid, locked]).toEqual([false, false]);
      expect((await fetched(url)).status).toBe(200);
    }
  }
  expect(audio?.attachments.map(({ type }) => type)).toEqual(['audio']);
  expect(document?.attachments.map(({ type, filename }) => [type, filename])).toEqual([
    ['file', 'contract.pdf'],
  ]);
});

test('a message with files shows at once with its pictures and upload progress, and keeps its size', async ({
  desk,
}) => {
  const { page } = await open(desk);
  const held: (() => Promise<void>)[] = [];
  await page.route(UPLOAD, (route) => void held.push(() => route.continue()));
  await choose(page, 'Photos', await picture('beach.png'));
  await composer(page).fill('From the beach');
  await composer(page).press('Control+Enter');
  const sending = bubble(page, 'From the beach');
  await expect(sending.getByRole('img', { name: 'Sending' })).toBeVisible();
  await expect(sending.getByText(/^\d+%$/)).toBeVisible();
  const shown = sending.locator('img');
  await expect(shown).toHaveAttribute('src', /^blob:/);
  await expect(shown).toHaveJSProperty('naturalWidth', 300);
  await expect(composer(page)).toHaveValue('');
  await reply(page, 'A word meanwhile');
  await expect(bubble(page, 'A word meanwhile').getByRole('time')).toBeVisible();
  await expect(thread(page).getByRole('article').last()).toContainText('From the beach');
  const before = await sending.boundingBox();
  await held[0]?.();
  await expect(sending.getByRole('time')).toBeVisible();
  const after = await sending.boundingBox();
  expect([after?.width, after?.height]).toEqual([before?.width, before?.height]);
  await expect(sending).toHaveCount(1);
});

test('Enter does not send a text without the files that were chosen during an upload', async ({
  desk,
}) => {
  const { page } = await open(desk);
  await page.route(UPLOAD, () => {});
  await choose(page, 'Photos', await picture('beach.png'));
  await composer(page).fill('From the beach');
  await composer(page).press('Control+Enter');
  await expect(composer(page)).toHaveValue('');
  await choose(page, 'Photos', await picture('roof.png', '#aa3355'));
  await composer(page).fill('From the roof');
  await composer(page).press('Enter');
  await expect(
    page.getByRole('alert').filter({ hasText: 'Press Send once the upload is done.' }),
  ).toBeVisible();
  await expect(composer(page)).toHaveValue('From the roof');
});

test('chosen files survive a reload and another session, until they are sent or the admin signs out', async ({
  desk,
}) => {
  const { page, fan } = await open(desk);
  await choose(page, 'Photos', [await picture('beach.png'), await picture('roof.png', '#aa3355')]);
  let asked = 0;
  page.on('dialog', () => void asked++);
  await expect(async () => {
    const kept = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const request = indexedDB.open('stagedoor');
          request.onsuccess = () => {
            const count = request.result
              .transaction('chosen_files')
              .objectStore('chosen_files')
              .count();
            count.onsuccess = () => resolve(count.result);
          };
        }),
    );
    expect(kept).toBe(2);
  }).toPass();
  await page.reload();
  await expect(strip(page)).toHaveText([/beach\.png.*\d K?B/, /roof\.png.*\d K?B/]);
  expect(asked).toBe(0);
  await page.getByRole('button', { name: 'Remove roof.png' }).click();
  await sendButton(page).click();
  await expect(photos(page)).toHaveCount(1);
  await expect(thread(page).getByRole('article').last().getByRole('time')).toBeVisible();
  expect((await seenBy(desk, fan))[0]?.attachments.map(({ filename }) => filename)).toEqual([
    'beach.png',
  ]);
  await page.reload();
  await expect(photos(page)).toHaveCount(1);
  await expect(strip(page)).toHaveCount(0);

  await choose(page, 'Photos', await picture('third.png'));
  await expect(strip(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('an upload goes to the fan it was started for, even if another conversation is opened meanwhile', async ({
  desk,
}) => {
  const other = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const { page, fan } = await open(desk);
  const held: (() => Promise<void>)[] = [];
  await page.route(UPLOAD, (route) => void held.push(() => route.continue()));
  await choose(page, 'Photos', await picture('beach.png'));
  await composer(page).fill('For Ana');
  await sendButton(page).click();
  await expect(page.getByText('Uploading…')).toBeVisible();
  await row(page, 'Ben').click();
  await expect(composer(page)).toHaveAccessibleName('Reply as creator to Ben');
  await expect(strip(page)).toHaveCount(0);
  await held[0]?.();
  await expect.poll(async () => (await seenBy(desk, fan))[0]?.content).toBe('For Ana');
  expect((await seenBy(desk, fan))[0]?.attachments).toHaveLength(1);
  expect(await seenBy(desk, other.fan.external_id)).toHaveLength(1);
});

test('an upload can be canceled, and the text is still sent', async ({ desk }) => {
  const { page, fan } = await open(desk);
  await page.route(UPLOAD, () => undefined);
  await choose(page, 'Photos', await picture('beach.png'));
  await composer(page).fill('Without it');
  await sendButton(page).click();
  await page.getByRole('button', { name: 'Cancel Upload of beach.png' }).click();
  await expect(bubble(page, 'Without it').getByRole('time')).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
  expect((await seenBy(desk, fan))[0]?.attachments).toEqual([]);
});

test('files that can’t be sent are rejected at once, with the reason', async ({ desk }) => {
  const { page } = await open(desk);
  const good = await picture('good.png');
  await choose(page, 'Photos', [good, { ...good, name: 'none.png', buffer: Buffer.alloc(0) }]);
  await expect(page.getByRole('alert')).toHaveText('none.png is empty.');
  await expect(strip(page)).toHaveCount(1);
  await choose(
    page,
    'Photos',
    Array.from({ length: 20 }, (_, number) => ({ ...good, name: `${number}.png` })),
  );
  await expect(page.getByRole('alert')).toHaveText('A message can have at most 20 files.');
  await expect(strip(page)).toHaveCount(20);
  await page.getByRole('button', { name: 'Remove good.png' }).click();
  await expect(strip(page)).toHaveCount(19);
});

test('files can be pasted, and dropped onto the conversation', async ({ desk }) => {
  const { page } = await open(desk);
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['x'], 'pasted.txt', { type: 'text/plain' }));
    return data;
  });
  await composer(page).evaluate((field, clipboardData) => {
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, transfer);
  await expect(strip(page)).toHaveText([/pasted\.txt/]);
  await thread(page).dispatchEvent('dragover', { dataTransfer: transfer });
  await expect(page.getByText('Drop files for Ana')).toBeVisible();
  await thread(page).dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.getByText('Drop files for Ana')).toBeHidden();
  await expect(strip(page)).toHaveCount(2);
});
