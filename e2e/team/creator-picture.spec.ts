import type { Page } from '@playwright/test';
import { buildPicture } from '../../apps/server/test/worlds/catalogue.ts';
import { expectToLast, ownClock, stopClock } from '../support/clock.ts';
import { type Desk, expect, test } from '../support/journey.ts';

const AVATAR_SECRET = 'the-picture-cookie-of-a-sign-in';
const UPLOAD = '**/api/avatar/upload';
const LINK = '**/api/customer/update-avatar';
const SAVED = 'Profile picture updated successfully! Refresh to see changes.';
const card = (page: Page) => page.getByRole('region', { name: 'Profile Picture' });
const button = (page: Page, name: string) => card(page).getByRole('button', { name, exact: true });
const portrait = (page: Page) => card(page).getByRole('img');
const stage = (page: Page) => card(page).getByLabel('Visible part of the picture');

/** Opens the console in a browser with the sign-in cookie that the two picture calls need. */
async function openConsole(desk: Desk, prepare = async (_page: Page) => {}): Promise<Page> {
  const staff = await desk.hire({ role: 'manager' });
  const token = await desk.insertSession(staff.admin.id, AVATAR_SECRET);
  const cookie = { name: 'stagedoor_avatar', value: AVATAR_SECRET, url: desk.url };
  const page = await desk.open(
    { ...staff, token },
    {
      path: '/console',
      prepare: async (opening) => {
        await opening.context().addCookies([cookie]);
        await prepare(opening);
      },
    },
  );
  await expect(button(page, 'Choose Picture')).toBeVisible();
  return page;
}

async function choose(page: Page, buffer: Buffer, mimeType = 'image/png'): Promise<void> {
  const file = { name: 'portrait.png', mimeType, buffer };
  await card(page).locator('input[type=file]').setInputFiles(file);
}

test('an invalid picture file is rejected at once', async ({ desk }) => {
  const page = await openConsole(desk);
  const alert = card(page).getByRole('alert');
  const noPicture = 'Please select a valid image file (JPG, PNG, WEBP, or GIF)';
  await choose(page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml');
  await expect(alert).toHaveText(noPicture);
  await choose(page, Buffer.alloc(5 * 1024 * 1024));
  await expect(alert).toHaveText('Image file must be less than 5MB');
  await choose(page, Buffer.from('not what it says it is'));
  await expect(alert).toHaveText(noPicture);
  await choose(page, await buildPicture());
  await expect(alert).toHaveCount(0);
  await button(page, 'Cancel').click();
  await expect(button(page, 'Choose Picture')).toBeFocused();
});

test('the square that fans see is chosen by keyboard and saved, and the card resets after 2 seconds', async ({
  desk,
}) => {
  const page = await openConsole(desk, ownClock);
  await expect(portrait(page)).toHaveCount(0);
  await choose(page, await buildPicture({ width: 300, height: 200 }));
  await expect(stage(page)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  for (let press = 0; press < 4; press++) await page.keyboard.press('+');
  await expect(card(page).getByLabel('Zoom')).not.toHaveValue('1');
  await page.getByRole('button', { name: 'Back to Inbox' }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();

  await stopClock(page);
  const uploading = page.waitForRequest(UPLOAD);
  const linking = page.waitForRequest(LINK);
  await button(page, 'Save').click();
  await expectToLast(page, card(page).getByText(SAVED), 2_000);
  for (const request of [await uploading, await linking]) {
    expect(await request.headerValue('authorization')).toBeNull();
    expect(await request.headerValue('cookie')).toContain(AVATAR_SECRET);
  }
  await expect(button(page, 'Save')).toHaveCount(0);
  await expect(portrait(page)).toHaveAttribute('src', /\/api\/avatars\//);
  const shape = await portrait(page).evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth / image.naturalHeight;
  });
  expect(shape).toBe(1);
});

for (const { what, path, reply, text } of [
  { what: 'an upload that is refused', path: UPLOAD, reply: {}, text: 'Upload failed' },
  {
    what: 'an upload without an answer',
    path: UPLOAD,
    reply: null,
    text: 'Failed to upload avatar',
  },
  {
    what: 'a refused link to the profile',
    path: LINK,
    reply: {},
    text: 'Failed to update profile with avatar',
  },
  {
    what: 'a link without an answer',
    path: LINK,
    reply: null,
    text: 'Failed to save profile picture',
  },
]) {
  test(`${what} shows an error, and the picture can be saved again`, async ({ desk }) => {
    const page = await openConsole(desk);
    await choose(page, await buildPicture());
    await page.route(path, (route) =>
      reply === null ? route.abort() : route.fulfill({ status: 500, json: reply }),
    );
    await button(page, 'Save').click();
    await expect(card(page).getByRole('alert')).toHaveText(text);
    await page.unroute(path);
    await button(page, 'Save').click();
    await expect(card(page).getByText(SAVED)).toBeVisible();
  });
}

test('an upload whose reply lacks the key shows an error, and a refused one says why', async ({
  desk,
}) => {
  const page = await openConsole(desk);
  await choose(page, await buildPicture());
  await page.route(UPLOAD, (route) => route.fulfill({ json: {} }));
  await button(page, 'Save').click();
  const alert = card(page).getByRole('alert');
  await expect(alert).toHaveText('No avatar S3 key returned from upload');
  await page.unroute(UPLOAD);
  await page.context().clearCookies();
  await button(page, 'Save').click();
  await expect(alert).toHaveText('Not authenticated');
  await expect(stage(page)).toBeVisible();
});

test('the creator’s name is edited next to the picture, live for teammates', async ({ desk }) => {
  const page = await openConsole(desk);
  const teammate = await desk.open(await desk.hire({ role: 'manager' }), { path: '/console' });
  await button(page, 'Edit Name').click();
  const field = card(page).getByLabel('Name', { exact: true });
  await expect(field).toBeFocused();
  await field.fill('Luna');
  await page.keyboard.press('Enter');
  await expect(card(page).getByText('Luna')).toBeVisible();
  await expect(card(teammate).getByText('Luna')).toBeVisible();
  await page.goto('/console/audit');
  await expect(page.getByText('changed the creator’s name from “Aurora” to “Luna”')).toBeVisible();
});
