import type { Page } from '@playwright/test';
import { endFanSessions, recordPurchase } from '@stagedoor/contract/platform/platform';
import { buildConversation, buildReply, unique } from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { pdf } from '../support/files.ts';
import { expect, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { openPlatform, sessionUrl } from '../support/platform-page.ts';

const chat = (page: Page) => page.frameLocator('iframe[title="Your messages"]');
/** Returns the events of a type that the platform's page has received. */
const received = (page: Page, type: string) =>
  page.evaluate(
    (wanted) =>
      (window as unknown as { received: { type: string }[] }).received.filter(
        (n) => n.type === wanted,
      ),
    type,
  );
const dispatch = (page: Page, type: string, detail: object) =>
  page.evaluate(
    ([name, detail]) =>
      (window as unknown as { dispatch(name: string, detail: object): void }).dispatch(
        name,
        detail,
      ),
    [type, detail] as const,
  );

test('a platform’s page embeds the fan client, sells offers, and renews an expired session without losing an upload', async ({
  desk,
}) => {
  const platform = await openPlatform(desk);
  const staff = await desk.hire({ role: 'manager' });
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await platform.show(fan);
  const page = await desk.openSignedOut();
  await page.goto(platform.origin);
  await expect(chat(page).getByRole('log')).toContainText('Hello there');
  expect(await received(page, 'ready')).toHaveLength(1);
  await expect.poll(() => received(page, 'unread')).toEqual([{ type: 'unread', count: 0 }]);

  const product = await buildProduct(staff, { title: 'Sunset Set' });
  const offer = await buildOffer(staff, id, [product], 12.5);
  const attachment_id = offer.attachments[0]?.id ?? '';
  await chat(page).getByRole('button', { name: 'Unlock for $12.50' }).click();
  const asked = { message_id: offer.id, attachment_id };
  await expect
    .poll(() => received(page, 'purchase-requested'))
    .toEqual([{ type: 'purchase-requested', ...asked, amount: 12.5 }]);
  await desk.platform.call(recordPurchase, {
    body: { fan: fan.external_id, ...asked, amount: 12.5, payment_reference: unique('payment') },
  });
  await dispatch(page, 'purchase-settled', asked);
  await expect(chat(page).getByRole('region', { name: 'Sunset Set' })).toContainText('Unlocked');

  const letGo = await holdCalls(page, /\/api\/fan\/uploads$/);
  await chat(page)
    .getByLabel('Files', { exact: true })
    .setInputFiles([pdf('ticket.pdf')]);
  await chat(page).getByRole('button', { name: 'Send' }).click();
  await expect(chat(page).getByRole('log')).toContainText('Uploading…');
  await desk.platform.call(endFanSessions, { params: { fan: fan.external_id } });
  await expect.poll(() => received(page, 'session-expired')).toHaveLength(1);
  letGo();
  await dispatch(page, 'session', { url: 'https://evil.example/fan/#link=x' });
  await dispatch(page, 'session', { url: await sessionUrl(desk, fan, platform.origin) });
  await buildReply(staff, id, { content: 'Welcome back' });
  await expect(chat(page).getByRole('log')).toContainText('Welcome back');
  await expect(chat(page).getByRole('button', { name: 'Download ticket.pdf' })).toBeVisible();
  await platform.close();
});

test('an upgrade that removes the files of an open embedded client breaks nothing in it', async ({
  desk,
}) => {
  const platform = await openPlatform(desk);
  const { fan } = await buildConversation(desk);
  await platform.show(fan);
  const page = await desk.openSignedOut();
  await page.goto(platform.origin);
  await expect(chat(page).getByRole('log')).toContainText('Hello there');
  await page.waitForLoadState('networkidle');
  await page.route(/\/assets\//, (route) => route.fulfill({ status: 404 }));
  await chat(page).getByRole('button', { name: 'Tip' }).click();
  await expect(chat(page).getByRole('dialog', { name: 'Send Aurora a Tip' })).toBeVisible();
  await platform.close();
});

test('events from other windows are ignored', async ({ desk }) => {
  const platform = await openPlatform(desk);
  const { fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await platform.show(fan);
  const page = await desk.openSignedOut();
  await page.goto(platform.origin);
  await expect.poll(() => received(page, 'unread')).toEqual([{ type: 'unread', count: 0 }]);
  await page.evaluate(async () => {
    const forged = { stagedoor: 1, type: 'unread', count: 99 };
    window.postMessage(forged, '*');
    const frame = document.createElement('iframe');
    frame.srcdoc = `<script>parent.postMessage(${JSON.stringify(forged)}, '*')</script>`;
    const arrived = new Promise((resolve) => {
      window.addEventListener('message', ({ source }) => {
        if (source === frame.contentWindow) resolve(null);
      });
    });
    document.body.append(frame);
    await arrived;
  });
  expect(await received(page, 'unread')).toEqual([{ type: 'unread', count: 0 }]);
  expect(
    await page.evaluate(() => Object.keys(window).filter((name) => /stagedoor/i.test(name))),
  ).toEqual([]);
  await platform.close();
});

test('a page not named in the session’s URL shows nothing of the conversation', async ({
  desk,
}) => {
  const platform = await openPlatform(desk);
  const { fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await platform.show(fan, 'https://fans.example');
  const page = await desk.openSignedOut();
  const blocked = page.waitForEvent('console', (message) =>
    message.text().includes('frame-ancestors'),
  );
  await page.goto(platform.origin);
  await blocked;
  await expect(chat(page).getByRole('log')).toHaveCount(0);
  expect(await received(page, 'ready')).toEqual([]);
  await platform.close();
});
