import type { Page } from '@playwright/test';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { expectToLast, ownClock, stopClock } from '../support/clock.ts';
import { expect, PHONE, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';

const panel = (page: Page) => page.getByRole('complementary', { name: /^Notes/ });
const opener = (page: Page) => page.getByRole('button', { name: 'Notes', exact: true });
const widthOf = async (page: Page) => (await panel(page).boundingBox())?.width;

test('32: notes open 400 px wide, resize from 300 to 600 with keys and pointer, and keep their width', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await opener(page).click();
  expect(await widthOf(page)).toBe(400);
  const edge = panel(page).getByRole('separator', { name: 'Resize notes' });
  await edge.press('ArrowLeft');
  expect(await widthOf(page)).toBe(416);
  await edge.press('Home');
  expect(await widthOf(page)).toBe(300);
  await edge.press('ArrowRight');
  expect(await widthOf(page)).toBe(300);
  await edge.press('End');
  expect(await widthOf(page)).toBe(600);
  await edge.press('ArrowLeft');
  expect(await widthOf(page)).toBe(600);
  const box = await edge.boundingBox();
  if (!box) throw new Error('no edge');
  await page.mouse.move(box.x + 6, 400);
  await page.mouse.down();
  await page.mouse.move(box.x + 156, 400);
  expect(await widthOf(page)).toBe(450);
  await page.mouse.move(500, 400);
  expect(await widthOf(page)).toBe(600);
  await page.mouse.move(1_439, 400);
  expect(await widthOf(page)).toBe(300);
  await page.mouse.up();
  await page.reload();
  await opener(page).click();
  expect(await widthOf(page)).toBe(300);
  const threadWidth = (await page.getByRole('log').boundingBox())?.width ?? 0;
  expect(threadWidth).toBeGreaterThanOrEqual(480);
});

/** Returns functions that simulate a finger on a phone's screen. */
async function finger(page: Page) {
  const touch = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: x === undefined ? [] : [{ x, y: 600 }],
    });
  return {
    put: () => send('touchStart', 100),
    async swipe(by: number) {
      await send('touchMove', 100 + by / 2);
      await send('touchMove', 100 + by);
      await send('touchEnd');
    },
  };
}

test('33: on a phone a swipe of 101 px closes the notes, and one of 99 does not', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/messages/${id}`, ...PHONE });
  await opener(page).click();
  expect(await widthOf(page)).toBe(390);
  await expect(page.getByRole('button', { name: 'Close Notes' })).toBeVisible();
  const { put, swipe } = await finger(page);
  await put();
  await swipe(99);
  await expect(panel(page)).toBeVisible();
  await put();
  await swipe(101);
  await expect(panel(page)).toHaveCount(0);
});

test('a swipe that begins before the notes have loaded closes them', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  let letGo = () => {};
  const page = await desk.open(await desk.hire(), {
    path: `/messages/${id}`,
    ...PHONE,
    async prepare(opened) {
      letGo = await holdCalls(opened, new RegExp(`${id}/notes$`));
    },
  });
  await opener(page).click();
  await expect(panel(page)).toContainText('Loading notes...');
  const { put, swipe } = await finger(page);
  await put();
  letGo();
  await expect(panel(page)).toContainText('Location');
  await swipe(101);
  await expect(panel(page)).toHaveCount(0);
});

test('34: Saved successfully is shown for 1.5 s, followed by the saved notes', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}`, prepare: ownClock });
  await opener(page).click();
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByLabel('Location').fill('Lisbon');
  await stopClock(page);
  await panel(page).getByLabel('Location').press('Enter');
  await expectToLast(page, panel(page).getByText('Saved successfully'), 1_500);
  await expect(panel(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  await expect(panel(page).getByRole('textbox')).toHaveCount(0);
  await expect(panel(page)).toContainText('Lisbon');
});

test('Ctrl+Enter saves from the text area, as it sends in the composer', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await opener(page).click();
  await panel(page).getByRole('button', { name: 'Add Notes' }).click();
  await page.keyboard.type('Two dogs');
  await page.keyboard.press('Control+Enter');
  await expect(panel(page).getByRole('textbox')).toHaveCount(0);
  await expect(panel(page)).toContainText('Two dogs');
});

test('N leads to Edit, so that Enter edits, and back to Edit after canceling', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(opener(page)).toBeVisible();
  await page.keyboard.press('n');
  const edit = panel(page).getByRole('button', { name: 'Edit' });
  await expect(edit).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel(page).getByLabel('Date of birth')).toBeFocused();
  await panel(page).getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(edit).toBeFocused();
});

test('an empty field is offered as a button, which begins the edit in that field', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await opener(page).click();
  const add = (field: string) => panel(page).getByRole('button', { name: `Add ${field}` });
  await expect(panel(page)).toContainText('No notes yet');
  await add('Location').click();
  await expect(panel(page).getByLabel('Location')).toBeFocused();
  await page.keyboard.type('Lisbon');
  await page.keyboard.press('Enter');
  await expect(panel(page).getByRole('definition')).toHaveText(['Lisbon']);
  await expect(add('Location')).toHaveCount(0);
  await expect(add('Marital status')).toBeVisible();
});
