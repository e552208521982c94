import { buildConversation, buildReply } from '../../apps/server/test/factories.ts';
import { ownClock, stopClock, untilVisible } from '../support/clock.ts';
import { DESKTOP, expect, PHONE, test } from '../support/journey.ts';
import { composer } from '../support/screens.ts';

for (const size of [DESKTOP, PHONE]) {
  const { width } = size;
  test(`at ${width} px, a toast covers neither the newest message nor the reply`, async ({
    desk,
  }) => {
    const staff = await desk.hire();
    const { id } = await buildConversation(desk);
    for (let n = 1; n <= 20; n++) await buildReply(staff, id, { content: `Message ${n}` });
    const page = await desk.open(staff, { path: `/inbox/${id}`, ...size, prepare: ownClock });
    // Matches the whole text, because 'Message 2' followed by its time could also read 'Message 20'.
    const text = page.getByText('Message 20', { exact: true });
    const newest = page.getByRole('article').filter({ has: text });
    await expect(newest).toBeInViewport({ ratio: 1 });
    await composer(page).blur();
    // Stops the clock, so that the toast stays until everything is measured.
    await stopClock(page);
    await page.keyboard.press('c');
    const toast = page.getByRole('status').filter({ hasText: 'Claimed Ana' });
    await untilVisible(page, toast);
    await expect(newest).toBeInViewport({ ratio: 1 });
    const boxOf = async (part: typeof toast) => {
      const box = await part.boundingBox();
      if (box === null) throw new Error('it has no box');
      return { ...box, end: box.y + box.height, center: box.x + box.width / 2 };
    };
    const shown = toast.getByRole('button', { name: 'Undo' }).locator('..');
    await expect
      .poll(async () => (await boxOf(newest)).end - (await boxOf(shown)).y)
      .toBeLessThanOrEqual(0);
    expect((await boxOf(shown)).end).toBeLessThanOrEqual((await boxOf(composer(page))).y);
    const thread = await boxOf(page.getByRole('log'));
    expect(Math.abs((await boxOf(shown)).center - thread.center)).toBeLessThan(2);
  });
}

test('a toast waits while the pointer or the focus is in it, and then stays for the rest of its time', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}`, prepare: ownClock });
  await expect(composer(page)).toBeVisible();
  await composer(page).blur();
  await stopClock(page);
  const claimed = page.waitForResponse(/\/claim$/);
  await page.keyboard.press('c');
  const toast = page.getByRole('status').filter({ hasText: 'Claimed Ana' });
  await untilVisible(page, toast);
  // Otherwise moving the clock forward would time out the request.
  await (await claimed).finished();
  const undo = toast.getByRole('button', { name: 'Undo' });
  await undo.hover();
  await page.clock.runFor(8_000);
  await undo.focus();
  await page.mouse.move(0, 0);
  await page.clock.runFor(8_000);
  await expect(undo).toBeFocused();
  await undo.blur();
  await page.clock.runFor(5_000);
  await expect(toast).toBeVisible();
  await page.clock.runFor(1_500);
  await expect(toast).toHaveCount(0);
});
