import { createSegment } from '@stagedoor/contract/selling/segments';
import { buildConversation, buildFanMessage } from '../apps/server/test/factories.ts';
import { openConversation, openLive } from './support/conversation.ts';
import { expect, test } from './support/journey.ts';
import { bubble, row } from './support/screens.ts';

test('without a live connection a read conversation still loses its badge', async ({ desk }) => {
  const { page, way, fan } = await openConversation(desk);
  await expect(row(page, 'Ana, Hello there')).toBeVisible();
  await way.cut();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await buildFanMessage(desk, fan, { content: 'Are you there?' });
  await page.reload();
  await expect(bubble(page, 'Are you there?')).toBeVisible();
  await expect(row(page, 'Ana, Are you there')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Unread' })).toHaveAccessibleName('Unread');
});

test('after five attempts it reports that it could not reconnect, and Retry reconnects', async ({
  desk,
}) => {
  const { page, way } = await openConversation(desk, ['Hello there'], (opened) =>
    opened.clock.install(),
  );
  await way.cut({ refuses: true });
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to reconnect to server' });
  await expect(async () => {
    await page.clock.fastForward(20_000);
    await expect(failed).toBeVisible({ timeout: 300 });
  }).toPass();
  way.restore();
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(failed).toBeHidden();
  await expect(page.getByText('Reconnecting…')).toBeHidden();
});

test('if the code of the live connection could not be loaded, Retry loads it and connects', async ({
  desk,
}) => {
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const code = /\/assets\/esm-[^/]*\.js/;
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: async (opened) => {
      await opened.clock.install();
      await opened.route(code, (route) => route.abort());
    },
  });
  // Moving the clock forward would time out calls in progress.
  await expect(bubble(page, 'Hello there')).toBeVisible();
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to reconnect to server' });
  await expect(async () => {
    await page.clock.fastForward(16_000);
    await expect(failed).toBeVisible({ timeout: 300 });
  }).toPass();
  await page.unroute(code);
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(failed).toBeHidden();
  await buildFanMessage(desk, fan, { content: 'Are you there?' });
  await expect(bubble(page, 'Are you there?')).toBeVisible();
});

test('a reconnect refetches shared data whose events were missed', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const { page, way } = await openLive(desk, manager, { path: '/segments' });
  await expect(page.getByText('No segments yet')).toBeVisible();
  await way.cut();
  await manager.client.call(createSegment, {
    body: { name: 'Payers', rule: { all: [{ field: 'purchases', op: 'gt', value: 0 }] } },
  });
  way.restore();
  await expect(page.getByRole('button', { name: 'Payers', exact: true })).toBeVisible();
});

test('the list shows that it is not live, with and without an open conversation', async ({
  desk,
}) => {
  const { page, way } = await openConversation(desk);
  await way.cut();
  await expect(page.getByText('Reconnecting…')).toHaveCount(1);
  await expect(page.getByText('The list isn’t updating')).toBeVisible();
  way.restore();
  await expect(page.getByText('The list isn’t updating')).toBeHidden();

  const alone = await openLive(desk, await desk.hire());
  await alone.way.cut();
  await expect(alone.page.getByRole('status').filter({ hasText: 'Reconnecting…' })).toBeVisible();
});
