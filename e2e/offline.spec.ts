import { listFanMessages } from '@stagedoor/contract/platform';
import { buildFanMessage } from '../apps/server/test/factories.ts';
import { action, openConversation } from './support/conversation.ts';
import { expect, test } from './support/journey.ts';
import { bubble, composer, reply, row } from './support/screens.ts';

test('without a live connection a reaction is not taken, and the text says why', async ({
  desk,
}) => {
  const { page, way } = await openConversation(desk);
  await way.cut();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await bubble(page, 'Hello there').hover();
  await action(page, 'Hello there', 'React').click();
  await page.getByRole('dialog').getByRole('button', { name: '🔥' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Unable to add reaction - connection lost' }),
  ).toBeVisible();
});

test('without a live connection what was read loses its badge all the same', async ({ desk }) => {
  const { page, way, fan } = await openConversation(desk);
  await expect(row(page, 'Ana, Hello there')).toBeVisible();
  await way.cut();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await buildFanMessage(desk, fan, { content: 'Are you there?' });
  await page.reload();
  await expect(row(page, 'Ana, 1 unread')).toBeVisible();
  await expect(bubble(page, 'Are you there?')).toBeVisible();
  await expect(row(page, 'Ana, Are you there')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Unread' })).toHaveAccessibleName('Unread');
});

test('a reply that neither way takes goes from the thread into the tray, from where it is sent once', async ({
  desk,
}) => {
  const { page, way, fan } = await openConversation(desk);
  await page.route(/\/api\/messages\/admin\/send$/, (route) =>
    route.fulfill({ status: 422, json: {} }),
  );
  await way.cut();
  await reply(page, 'Not lost');
  const tray = page.getByRole('list', { name: 'Unsent messages' });
  await expect(tray.getByRole('alert')).toHaveText('Failed to send message');
  await expect(tray).toContainText('Not lost');
  await expect(bubble(page, 'Not lost')).toHaveCount(0);
  await tray.getByRole('button', { name: 'Edit' }).click();
  await expect(composer(page)).toHaveValue('Not lost');
  await composer(page).press('Enter');
  await expect(tray.getByRole('alert')).toBeVisible();
  await page.reload();
  await expect(tray.getByRole('alert')).toHaveText('Failed to send message');
  await page.unroute(/\/api\/messages\/admin\/send$/);
  await tray.getByRole('button', { name: 'Retry' }).click();
  await expect(bubble(page, 'Not lost').getByRole('time')).toBeVisible();
  await expect(tray).toHaveCount(0);
  const { body } = await desk.platform.call(listFanMessages, { params: { fan: fan.external_id } });
  expect(body.data.map(({ content }) => content)).toEqual(['Not lost', 'Hello there']);
});

test('after five attempts it says that it could not reconnect, and Retry does', async ({
  desk,
}) => {
  // Its five attempts take their time on a machine that is busy.
  test.slow();
  const { page, way } = await openConversation(desk, ['Hello there'], (opened) =>
    opened.clock.install(),
  );
  await way.cut({ refuses: true });
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to reconnect to server' });
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await expect(failed).toBeVisible({ timeout: 300 });
  }).toPass();
  way.mend();
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(failed).toBeHidden();
  await expect(page.getByText('Reconnecting…')).toBeHidden();
});
