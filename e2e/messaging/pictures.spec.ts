import type { Page } from '@playwright/test';
import { postFanMessage, uploadFanFiles } from '@stagedoor/contract/platform/platform';
import { buildConversation, buildFan, unique } from '../../apps/server/test/factories.ts';
import { buildPicture } from '../../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { photos } from '../support/files.ts';
import { type Desk, expect, PHONE, test } from '../support/journey.ts';
import { bubble, thread } from '../support/screens.ts';

async function open(desk: Desk): Promise<{ page: Page; fan: string }> {
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  return { page, fan: fan.external_id };
}

/** Sends pictures as the fan. */
async function sendPictures(
  desk: Desk,
  fan: string,
  count: number,
  size = { width: 300, height: 200 },
): Promise<void> {
  const form = new FormData();
  for (let number = 1; number <= count; number++) {
    const data = new Uint8Array(await buildPicture(size));
    form.append('files', new Blob([data], { type: 'image/png' }), `fan-${number}.png`);
  }
  const { body } = await desk.platform.upload(uploadFanFiles, form, { fan });
  await desk.platform.call(postFanMessage, {
    params: { fan },
    body: {
      client_id: unique('client'),
      content: '[Attachment]',
      attachment_ids: body.attachments.map(({ id }) => id),
    },
  });
}

test('Enter on a message without actions leaves the keyboard shortcuts working', async ({
  desk,
}) => {
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await sendPictures(desk, fan.external_id, 1);
  const page = await desk.open(await desk.hire({ can_manage_messages: false }), {
    path: `/inbox/${id}`,
  });
  await expect(photos(page)).toHaveCount(1);
  // Loads the menu's code.
  await bubble(page, 'Hello there').press('Enter');
  await expect(page.getByRole('dialog', { name: 'Message Actions' })).toBeVisible();
  await page.keyboard.press('Escape');
  await thread(page).getByRole('article').last().press('Enter');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard Shortcuts' })).toBeVisible();
});

test('pictures open at full size, and the arrow keys step through them', async ({ desk }) => {
  const { page, fan } = await open(desk);
  await sendPictures(desk, fan, 3);
  await expect(photos(page)).toHaveCount(3);
  await expect(thread(page).getByText('[Attachment]')).toBeHidden();
  expect(await accessibilityIssues(page)).toEqual([]);
  await photos(page).first().click();
  const lightbox = page.getByRole('dialog');
  await expect(lightbox.getByRole('img')).toHaveAccessibleName('fan-1.png');
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(lightbox.getByText('3 of 3')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(lightbox.getByRole('img')).toHaveAccessibleName('fan-2.png');
  await page.keyboard.press('Escape');
  await expect(lightbox).toBeHidden();
  await expect(photos(page).first()).toBeFocused();
});

test('a picture that fails to load is retried once, and then shows an error', async ({ desk }) => {
  const fan = await buildFan(desk, { first_name: 'Ana' });
  await sendPictures(desk, fan.external_id, 1);
  let tries = 0;
  const page = await desk.open(await desk.hire(), {
    ...PHONE,
    path: `/messages/${fan.conversation_id}`,
    prepare: (opened) =>
      opened.route(/\/media\//, (route) => {
        tries += 1;
        return tries <= 2 ? route.abort() : route.continue();
      }),
  });
  const failed = page.getByRole('button', { name: 'Failed to load image' });
  await expect(failed).toBeVisible();
  expect(tries).toBe(2);
  await failed.click();
  await expect(photos(page)).toHaveCount(1);
  await expect(failed).toBeHidden();
});

test('a picture is at most 400 px high, in a box reserved before it loads', async ({ desk }) => {
  const { page, fan } = await open(desk);
  const held: (() => Promise<void>)[] = [];
  let isHeld = true;
  await page.route(/\/api\/media\//, (route) =>
    isHeld ? void held.push(() => route.continue()) : route.continue(),
  );
  await sendPictures(desk, fan, 1, { width: 600, height: 1_200 });
  await expect(photos(page)).toHaveCount(1);
  const size = async () => {
    const { width = 0, height = 0 } = (await photos(page).boundingBox()) ?? {};
    return [width, height];
  };
  expect(await size()).toEqual([200, 400]);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  isHeld = false;
  for (const letGo of held) await letGo();
  await expect(photos(page).locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  expect(await size()).toEqual([200, 400]);
});
