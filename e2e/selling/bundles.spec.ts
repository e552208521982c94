import type { Page } from '@playwright/test';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { buildOffer } from '../../apps/server/test/worlds/catalogue.ts';
import { saleOf } from '../../apps/server/test/worlds/market.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { card, dialog, openCatalogue } from '../support/catalogue-page.ts';
import { fanLink } from '../support/fan-client.ts';
import { type Chosen, pdf, picture, sound } from '../support/files.ts';
import { expect, PHONE, test } from '../support/journey.ts';
import { bubble } from '../support/screens.ts';

/** Records a short red video with the page's browser, so that the browser can play its format. */
async function recordVideo(page: Page): Promise<Chosen> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 160;
    canvas.height = 90;
    const paint = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm' });
    const recorded = new Promise<Blob>((resolve) => {
      recorder.ondataavailable = ({ data }) => resolve(data);
    });
    recorder.start();
    for (let frame = 0; frame < 30; frame++) {
      if (paint) {
        paint.fillStyle = `rgb(${200 + frame} 0 0)`;
        paint.fillRect(0, 0, 160, 90);
      }
      await new Promise(requestAnimationFrame);
    }
    recorder.stop();
    return [...new Uint8Array(await (await recorded).arrayBuffer())];
  });
  return { name: 'clip.webm', mimeType: 'video/webm', buffer: Buffer.from(bytes) };
}

test('a bundle is created, arranged, offered, bought and viewed', async ({ desk }) => {
  const { manager, open, stored } = await openCatalogue(desk);
  const page = await open();
  await page.getByRole('button', { name: 'Create Your First Product' }).click();
  const create = dialog(page, 'Create Product');
  await create.getByLabel('Title').fill('Studio Days');
  const add = create.getByLabel('Add Files');
  await add.setInputFiles([
    await recordVideo(page),
    await picture('one.png', '#aa3355'),
    sound('hello.wav'),
    pdf('wrong.pdf'),
  ]);
  await expect(create.getByRole('alert')).toContainText(
    'wrong.pdf isn’t a picture, video or audio file.',
  );
  const rows = create.getByRole('list', { name: 'Files' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(create.getByText('After purchase')).toBeVisible();
  await expect(rows.nth(2)).toContainText('0:00');
  // Moves the picture to the top by keyboard, and shows it before buying.
  const announced = (text: string) =>
    expect(page.getByRole('status').filter({ hasText: text })).toBeAttached();
  await create.getByRole('button', { name: 'Reorder one.png' }).press('Space');
  await announced('one.png is at position 2 of 3.');
  // Keys move the dragged item only from the next task on.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await page.keyboard.press('ArrowUp');
  await announced('one.png is at position 1 of 3.');
  await page.keyboard.press('Space');
  await expect(rows.first()).toContainText('one.png');
  await create.getByLabel('Show one.png before buying').check();
  await create.getByLabel('Price').fill('');
  await create.getByRole('button', { name: 'Create Product' }).click();
  await expect(create.getByText('Please enter a valid price')).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  await expect(rows).toHaveCount(3);
  await create.getByLabel('Price').fill('10');
  await create.getByRole('button', { name: 'Create Product' }).click();
  await expect(create).toBeHidden();
  const [product] = await stored();
  expect(product?.media.map(({ type, free }) => [type, free])).toEqual([
    ['image', true],
    ['video', false],
    ['audio', false],
  ]);
  // The video's picture is one of its frames.
  expect(product?.media[1]).toMatchObject({ width: 160, height: 90 });

  await card(page, 'Studio Days').getByRole('button', { name: 'Studio Days', exact: true }).click();
  const edit = dialog(page, 'Edit Product');
  await edit.getByRole('button', { name: 'Move Audio 3 up' }).click();
  expect(await accessibilityIssues(page)).toEqual([]);
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(edit).toBeHidden();
  await expect
    .poll(async () => (await stored())[0]?.media.map(({ type }) => type))
    .toEqual(['image', 'audio', 'video']);

  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const message = await buildOffer(manager, id, product ? [product] : [], 10);
  const staff = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  const paid = bubble(staff, 'Studio Days');
  await expect(paid).toContainText('1 picture, 1 video, 1 recording');
  expect(await accessibilityIssues(staff)).toEqual([]);
  await paid.getByRole('button', { name: 'View file 3: Video' }).click();
  await expect(staff.getByRole('dialog').locator('video')).toBeVisible();
  expect(await accessibilityIssues(staff)).toEqual([]);
  await staff.keyboard.press('Escape');

  const theirs = await desk.openSignedOut({
    ...PHONE,
    path: await fanLink(desk, fan.external_id),
  });
  const offer = theirs.getByRole('region', { name: 'Locked: Studio Days' });
  await expect(offer).toContainText('1 picture, 1 video, 1 recording');
  const free = offer.getByRole('list', { name: 'Free preview' }).getByRole('button');
  await expect(free).toHaveCount(1);
  expect(await accessibilityIssues(theirs)).toEqual([]);
  await free.click();
  await expect(theirs.getByRole('dialog').getByRole('img')).toBeVisible();
  expect(await accessibilityIssues(theirs)).toEqual([]);
  await theirs.keyboard.press('ArrowRight');
  await expect(theirs.getByRole('dialog').getByRole('img')).toBeVisible();
  await theirs.keyboard.press('Escape');

  const sale = saleOf(fan, message, 10);
  await desk.platform.call(recordPurchase, { body: sale });
  const open3 = theirs.getByRole('list', { name: 'All files' }).getByRole('button');
  await expect(open3).toHaveCount(3);
  expect(await accessibilityIssues(theirs)).toEqual([]);
  await open3.first().click();
  await theirs.keyboard.press('ArrowRight');
  await expect(theirs.getByRole('dialog').locator('audio')).toBeVisible();
  expect(await accessibilityIssues(theirs)).toEqual([]);
  await theirs.keyboard.press('ArrowRight');
  const video = theirs.getByRole('dialog').locator('video');
  await expect(video).toBeVisible();
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.videoWidth)).toBe(160);
  expect(await accessibilityIssues(theirs)).toEqual([]);
  await theirs.keyboard.press('Escape');

  const { payment_reference } = sale;
  await desk.platform.call(recordRefund, { body: { payment_reference } });
  await expect(theirs.getByRole('list', { name: 'All files' })).toBeHidden();
  await expect(free).toHaveCount(1);
});
