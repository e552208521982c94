import type { Page } from '@playwright/test';
import {
  listFanMessages,
  recordPurchase,
  recordRefund,
} from '@stagedoor/contract/platform/platform';
import { buildConversation, unique } from '../apps/server/test/factories.ts';
import { buildProduct } from '../apps/server/test/worlds/catalogue.ts';
import { fanLink, inviteToken, messageField, shown, write } from './support/fan-client.ts';
import { type Desk, expect, PHONE, test } from './support/journey.ts';
import { bubble, openSendProduct, reply, row } from './support/screens.ts';
import { analytics, cellsOf } from './support/shop.ts';

/**
 * Invites someone from the inbox.
 * @returns the path of the link in their email
 */
async function invite(desk: Desk, page: Page, email: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite Users' }).click();
  await page.getByLabel('Email addresses').fill(email);
  await page.getByLabel('24 Hours Free').check();
  await page.getByRole('button', { name: 'Send Invites' }).click();
  await expect(page.getByText('1 invitation sent')).toBeVisible();
  await page.keyboard.press('Escape');
  return `/invite/${await inviteToken(desk.server.smtp, email)}`;
}

/** Sends the only product at a custom price. */
async function sendProduct(page: Page, price: string): Promise<void> {
  const dialog = await openSendProduct(page);
  await dialog.getByRole('radio').check();
  await dialog.getByLabel('Price in US dollars').fill(price);
  await dialog.getByRole('button', { name: `Send for $${price}` }).click();
}

test('someone is invited, joins on their phone, chats, buys an offer and is refunded, and two staff members see all of it', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager', codename: 'Kiwi' });
  const product = await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  const one = await desk.open(manager);
  const two = await desk.open(await desk.hire({ codename: 'Papaya' }));
  const email = `${unique('ana')}@fans.example`;
  const path = await invite(desk, one, email);

  const phone = await desk.openSignedOut({ ...PHONE, path });
  await expect(phone.getByRole('heading', { name: 'Aurora invited you' })).toBeVisible();
  await expect(phone.getByText('24 hours free')).toBeVisible();
  await phone.getByLabel('Your name').fill('Ana');
  await phone.getByRole('button', { name: 'Join' }).click();
  await expect(messageField(phone)).toBeVisible();
  for (const page of [one, two]) {
    await expect(page.getByRole('tab', { name: /^All/ })).toBeVisible();
    await page.getByRole('tab', { name: /^All/ }).click();
    await expect(row(page, 'Ana')).toContainText(/Trial (ends (today|tomorrow)|· 1 day left)/);
  }

  await write(phone, 'Hello! I just joined');
  for (const page of [one, two]) {
    await expect(row(page, 'Ana, 1 unread')).toBeVisible();
    await row(page, 'Ana').click();
    await expect(bubble(page, 'Hello! I just joined')).toBeVisible();
  }
  await reply(two, 'Welcome, Ana!');
  await expect(shown(phone, 'Welcome, Ana!')).toBeVisible();
  await expect(phone.locator('body')).not.toContainText(/Kiwi|Papaya/);

  // If the page learned of the teammate's reply only now, it would ask before sending.
  await expect(bubble(one, 'Welcome, Ana!')).toBeVisible();
  await sendProduct(one, '12.50');
  const locked = phone.getByRole('region', { name: 'Locked: Sunset Set' });
  await expect(locked.getByRole('button', { name: 'Unlock for $12.50' })).toBeVisible();
  const params = { fan: await fanIdOf(desk, email) };
  const offer = (await desk.platform.call(listFanMessages, { params })).body.data[0];
  const attachment = offer?.attachments[0];
  expect(attachment).toMatchObject({ locked: true, url: null, thumbnail_url: null });
  expect(JSON.stringify(offer)).not.toContain(product.full_s3_key);
  for (const page of [one, two]) {
    await expect(bubble(page, 'Sunset Set').getByRole('img', { name: 'Locked' })).toBeVisible();
  }

  await locked.getByRole('button', { name: 'Unlock for $12.50' }).click();
  await expect(locked).toContainText('You can buy this where you follow Aurora.');
  const payment_reference = unique('payment');
  const sale = { ...params, message_id: offer?.id ?? '', payment_reference };
  await desk.platform.call(recordPurchase, {
    body: { ...sale, attachment_id: attachment?.id ?? '', amount: 12.5 },
  });
  await expect(locked).toHaveCount(0);
  await phone.getByRole('button', { name: 'View Sunset Set' }).click();
  await expect(phone.getByRole('dialog').getByRole('img', { name: 'Sunset Set' })).toBeVisible();
  await phone.keyboard.press('Escape');
  for (const page of [one, two]) {
    await expect(bubble(page, 'Sunset Set').getByText('Purchased')).toBeVisible();
  }

  await one.goto('/console');
  await analytics(one).getByRole('button', { name: 'View Sales', exact: true }).click();
  const sales = one.getByRole('dialog', { name: 'Sales' });
  await expect(sales.getByRole('listitem')).toHaveText([
    /^Ana bought Sunset Set.*sent by Kiwi.*\$12\.50$/,
  ]);
  await one.keyboard.press('Escape');
  await expect.poll(async () => (await cellsOf(one, 'Top Products')).flat()).toContain('$12.50');

  const bought = (await desk.platform.call(listFanMessages, { params })).body.data[0];
  const fullUrl = new URL(bought?.attachments[0]?.url ?? '', desk.server.url);
  expect((await fetch(fullUrl)).status).toBe(200);
  await desk.platform.call(recordRefund, { body: { payment_reference } });
  await expect(locked.getByRole('button', { name: 'Unlock for $12.50' })).toBeVisible();
  await expect(phone.getByRole('button', { name: 'View Sunset Set' })).toHaveCount(0);
  await expect(bubble(two, 'Sunset Set').getByText('Purchased')).toBeHidden();
  await expect(bubble(two, 'Sunset Set').getByRole('img', { name: 'Locked' })).toBeVisible();
  expect((await fetch(fullUrl)).status).toBe(403);
});

/** Returns the platform's id of the fan who joined through an invitation to this email address. */
async function fanIdOf(desk: Desk, email: string): Promise<string> {
  const { external_id } = await desk.db.kysely
    .selectFrom('fans')
    .select('external_id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return external_id;
}

test('a fan can’t use another fan’s ids in any request', async ({ desk }) => {
  const ana = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const ben = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const page = await desk.openSignedOut({
    ...PHONE,
    path: await fanLink(desk, ben.fan.external_id),
  });
  await expect(shown(page, 'Hello there')).toBeVisible();
  const theirs = ana.messages[0]?.id ?? '';
  const statuses = await page.evaluate(async (id) => {
    const token = Object.values(localStorage).find((value) => /[\w-]{43}/.test(value)) ?? '';
    const authorization = `Bearer ${/[\w-]{43}/.exec(token)?.[0]}`;
    const post = (path: string, body: object) =>
      fetch(path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const replies = await Promise.all([
      fetch('/api/fan/messages', { headers: { authorization } }),
      fetch(`/api/fan/messages?before=${id}`, { headers: { authorization } }),
      post('/api/fan/read', { up_to_message_id: id }),
      post('/api/fan/reactions', { message_id: id, emoji: '🔥' }),
      post('/api/fan/messages', { client_id: '1', content: 'x', reply_to_message_id: id }),
      post('/api/fan/checkouts', { message_id: id, attachment_id: id }),
    ]);
    return replies.map(({ status }) => status);
  }, theirs);
  expect(statuses).toEqual([200, 404, 404, 404, 404, 404]);
});
