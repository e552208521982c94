import type { Page } from '@playwright/test';
import { ownClock, stopClock } from '../support/clock.ts';
import {
  contentsFor,
  grantPrivilege,
  openConversation,
  revokePrivilege,
} from '../support/conversation.ts';
import { expect, test } from '../support/journey.ts';
import { holdCalls, SEND, SEND_AND_MESSAGES } from '../support/network.ts';
import { bubble, composer, reply, thread } from '../support/screens.ts';
import { watchShifts } from '../support/shifts.ts';

const boxesOf = (page: Page) =>
  thread(page)
    .getByRole('article')
    .evaluateAll((articles) =>
      articles.map((article) => {
        const { x, y, width, height } = article.getBoundingClientRect();
        return [article.textContent?.slice(0, 5), x, y, width, height];
      }),
    );

test('19: a reply shows within 100 ms, faded and with a clock, before the server responds', async ({
  desk,
}) => {
  const { page, way } = await openConversation(desk, ['Hello there'], ownClock);
  const letGoLive = way.hold();
  const letGoCalls = await holdCalls(page, SEND_AND_MESSAGES);
  await composer(page).fill('On its way');
  await stopClock(page);
  await composer(page).press('Enter');
  const sending = bubble(page, 'On its way');
  await page.clock.runFor(100);
  await expect(sending).toBeVisible();
  await expect(sending.getByRole('img', { name: 'Sending' })).toBeVisible();
  await expect(sending.getByRole('time')).toHaveCount(0);
  const opacity = await sending.getByText('On its way').evaluate((element) => {
    let value = 1;
    for (let at: Element | null = element; at; at = at.parentElement)
      value *= Number(getComputedStyle(at).opacity);
    return value;
  });
  expect(opacity).toBeLessThan(1);
  await expect(composer(page)).toHaveValue('');
  await page.clock.resume();
  letGoLive();
  letGoCalls();
  await expect(sending.getByRole('time')).toBeVisible();
});

for (const [way, isLive] of [
  ['live', true],
  ['over HTTP', false],
] as const) {
  test(`20: confirming a reply ${way} replaces its bubble without a shift or a duplicate`, async ({
    desk,
  }) => {
    const conversation = await openConversation(desk, ['Hello there', 'Are you there?']);
    const { page, fan } = conversation;
    if (!isLive) {
      await conversation.way.cut();
      await expect(page.getByText('Reconnecting…')).toBeVisible();
    }
    // Delays the live events too: on a slow machine the HTTP fallback could otherwise start before all checks are done.
    const letGoLive = conversation.way.hold();
    const letGoCalls = await holdCalls(page, SEND_AND_MESSAGES);
    await reply(page, 'On its way');
    const sending = bubble(page, 'On its way');
    await expect(sending.getByRole('img', { name: 'Sending' })).toBeVisible();
    await composer(page).fill('typing is never blocked');
    await expect(sending).toBeInViewport({ ratio: 1 });
    const element = await sending.elementHandle();
    const before = await boxesOf(page);
    const shifts = await watchShifts(page, 'section[aria-label^="Conversation"]');
    letGoLive();
    letGoCalls();
    await expect(sending.getByRole('time')).toBeVisible();
    await expect(sending.getByRole('img', { name: 'Sending' })).toHaveCount(0);
    expect(await boxesOf(page)).toEqual(before);
    expect(await shifts()).toEqual([]);
    expect(await element?.evaluate((article) => article.isConnected)).toBe(true);
    await expect(sending).toHaveCount(1);
    await expect(composer(page)).toHaveValue('typing is never blocked');
    expect(await contentsFor(desk, fan.external_id)).toEqual([
      'Hello there',
      'Are you there?',
      'On its way',
    ]);
  });
}

test('21: a reply that also fails over HTTP moves from the thread to the tray, and Retry sends it once', async ({
  desk,
}) => {
  const { page, way, fan } = await openConversation(desk);
  await page.route(SEND, (route) => route.fulfill({ status: 422, json: {} }));
  await way.cut();
  await reply(page, 'Not lost');
  const tray = page.getByRole('list', { name: 'Messages not sent' });
  await expect(tray.getByRole('alert')).toHaveText('Failed to send message');
  await expect(tray).toContainText('Not lost');
  await expect(bubble(page, 'Not lost')).toHaveCount(0);
  await tray.getByRole('button', { name: 'Edit' }).click();
  await expect(composer(page)).toHaveValue('Not lost');
  await composer(page).press('Enter');
  await expect(tray.getByRole('alert')).toBeVisible();
  await page.reload();
  await expect(tray.getByRole('alert')).toHaveText('Failed to send message');
  await page.unroute(SEND);
  await tray.getByRole('button', { name: 'Retry' }).click();
  await expect(bubble(page, 'Not lost').getByRole('time')).toBeVisible();
  await expect(tray).toHaveCount(0);
  expect(await contentsFor(desk, fan.external_id)).toEqual(['Hello there', 'Not lost']);
});

test('22: a message_error’s text is shown in the bubble with Retry, which sends it once', async ({
  desk,
}) => {
  const { page, staff, fan } = await openConversation(desk);
  await revokePrivilege(desk, page, staff.admin.id);
  await reply(page, 'Please let me');
  const refused = bubble(page, 'Please let me');
  await expect(refused.getByRole('alert')).toHaveText(
    'You do not have message privileges. Ask a manager to grant them.',
  );
  await grantPrivilege(desk, staff.admin.id);
  await refused.getByRole('button', { name: 'Retry' }).click();
  await expect(refused.getByRole('time')).toBeVisible();
  await expect(refused).toHaveCount(1);
  expect(await contentsFor(desk, fan.external_id)).toEqual(['Hello there', 'Please let me']);
});
