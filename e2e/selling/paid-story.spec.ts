import type { Page } from '@playwright/test';
import type { FanVisibleMessage } from '@stagedoor/contract/messaging/messages';
import {
  listFanMessages,
  recordPurchase,
  recordRefund,
} from '@stagedoor/contract/platform/platform';
import { buildConversation, unique } from '../../apps/server/test/factories.ts';
import { buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { choose, drop, pdf, photos, picture, sendButton, sound, strip } from '../support/files.ts';
import { type Desk, expect, PHONE, test } from '../support/journey.ts';
import { bubble, composer, thread } from '../support/screens.ts';

/** Sends the chosen files and waits until the message is stored. */
async function sendFiles(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await sendButton(page).click();
  await expect(bubble(page, text).getByRole('time')).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
}

/** Returns the fan's view of the messages, oldest first. */
async function fanView(desk: Desk, fan: string): Promise<FanVisibleMessage[]> {
  const { body } = await desk.platform.call(listFanMessages, { params: { fan } });
  return body.data.toReversed();
}

test('a fan gets files and an offer, buys it and is refunded, and all staff see it live', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const product = await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  const other = await desk.open(await desk.hire(), { ...PHONE, path: `/messages/${id}` });
  for (const each of [page, other]) await expect(bubble(each, 'Hello there')).toBeVisible();

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
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'Send Product' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Product' });
  await dialog.getByRole('radio').check();
  await dialog.getByLabel('Price in US dollars').fill('12.50');
  await dialog.getByRole('button', { name: 'Send for $12.50' }).click();
  await expect(bubble(page, 'Sunset Set').getByRole('time')).toBeVisible();

  for (const each of [page, other]) {
    await expect(bubble(each, 'An album').getByRole('list', { name: '3 photos' })).toBeVisible();
    await expect(photos(each)).toHaveCount(4);
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
    await expect(bubble(each, 'Sunset Set').getByRole('img', { name: 'Locked' })).toBeVisible();
    await expect(bubble(each, 'Sunset Set')).toContainText('$12.50');
  }

  const [, album, audio, document, offer] = await fanView(desk, fan.external_id);
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
  const [locked] = offer?.attachments ?? [];
  const terms = { is_paid: true, title: 'Sunset Set', price: 12.5 };
  expect(locked).toMatchObject({ ...terms, locked: true, url: null, thumbnail_url: null });
  expect((await fetched(locked?.preview_url ?? null)).status).toBe(200);
  const seen = JSON.stringify(await fanView(desk, fan.external_id));
  expect(seen).not.toContain(product.full_s3_key);
  expect(seen).not.toContain('s3_key');

  const payment_reference = unique('payment');
  const sale = {
    fan: fan.external_id,
    message_id: offer?.id ?? '',
    attachment_id: locked?.id ?? '',
    payment_reference,
  };
  const tooLittle = await desk.platform.refused(recordPurchase, {
    body: { ...sale, amount: 9.99 },
  });
  expect(tooLittle.status).toBe(422);
  await desk.platform.call(recordPurchase, { body: { ...sale, amount: 12.5 } });
  for (const each of [page, other]) {
    await expect(bubble(each, 'Sunset Set').getByText('Purchased')).toBeVisible();
    await expect(bubble(each, 'Sunset Set').getByRole('img', { name: 'Locked' })).toBeHidden();
  }
  const bought = (await fanView(desk, fan.external_id)).at(-1)?.attachments[0];
  expect(bought).toMatchObject({ ...terms, locked: false });
  expect((await fetched(bought?.url ?? null)).status).toBe(200);

  await desk.platform.call(recordRefund, { body: { payment_reference } });
  for (const each of [page, other]) {
    await expect(bubble(each, 'Sunset Set').getByText('Purchased')).toBeHidden();
    await expect(bubble(each, 'Sunset Set').getByRole('img', { name: 'Locked' })).toBeVisible();
  }
  const relocked = (await fanView(desk, fan.external_id)).at(-1)?.attachments[0];
  expect(relocked).toMatchObject({ locked: true, url: null });
  expect((await fetched(bought?.url ?? null)).status).toBe(403);
  await page.reload();
  await expect(bubble(page, 'Sunset Set').getByRole('img', { name: 'Locked' })).toBeVisible();
  await expect(thread(page).getByText('Purchased')).toHaveCount(0);
});
