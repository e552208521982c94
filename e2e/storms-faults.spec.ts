import type { Page } from '@playwright/test';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { listFanMessages } from '@stagedoor/contract/platform/platform';
import { buildConversation, buildFanMessage } from '../apps/server/test/factories.ts';
import { startTcpProxy } from '../apps/server/test/servers/tcp-proxy.ts';
import { action } from './support/conversation.ts';
import { fanLink, messageField, shown, write } from './support/fan-client.ts';
import { choose, picture, strip } from './support/files.ts';
import { expect, openPage, PHONE, test } from './support/journey.ts';
import { bubble, button, composer, reply, row } from './support/screens.ts';
import { shownBy, timesIn } from './support/shown.ts';
import { openThroughStorm, WEATHER, type Weather } from './support/storm.ts';
import { reconnected, SETTLES_WITHIN } from './support/storm-pages.ts';

const KINDS = Object.keys(WEATHER) as Weather[];
const sending = (page: Page) => page.getByRole('img', { name: 'Sending' });

test('a reply during any network fault is shown as pending, and then stored and shown once', async ({
  desk,
  browser,
}) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const { way, tab: openTab, close } = await openThroughStorm(browser, desk, staff, { seed: 1 });
  const [page, second] = [await openTab(`/inbox/${id}`), await openTab(`/inbox/${id}`)];
  for (const each of [page, second]) await expect(bubble(each, 'Hello there')).toBeVisible();
  for (const weather of KINDS) {
    await test.step(weather, async () => {
      const text = `Through ${weather}.`;
      WEATHER[weather](way);
      await reply(page, text);
      await expect(bubble(page, text)).toBeVisible();
      if (weather === 'cut') {
        await expect(bubble(page, text).locator(sending(page))).toBeVisible();
        await expect(page.getByText('Reconnecting…')).toBeVisible();
      }
      way.restore();
      await expect(bubble(page, text).getByRole('time')).toBeVisible({ timeout: SETTLES_WITHIN });
      await expect(sending(page)).toHaveCount(0);
      await reconnected(page);
    });
  }
  await reconnected(second);
  await expect(async () => {
    const { body } = await staff.client.call(listMessages, { params: { id } });
    for (const weather of KINDS) {
      const text = `Through ${weather}.`;
      const stored = body.data.filter(({ content }) => content === text);
      expect(stored, text).toHaveLength(1);
      for (const each of [page, second]) expect(timesIn(await shownBy(each), text), text).toBe(1);
    }
  }).toPass();
  await close();
});

test('text, files and quotes survive an outage with a killed server, and are sent once', async ({
  desk,
  browser,
}) => {
  const staff = await desk.hire({ role: 'manager' });
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const { way, tab: openTab, close } = await openThroughStorm(browser, desk, staff);
  const [page, second, third, fourth] = [
    await openTab(`/inbox/${id}`),
    await openTab(`/inbox/${id}`),
    await openTab('/inbox'),
    await openTab('/products'),
  ];
  await bubble(page, 'Hello there').hover();
  await action(page, 'Hello there', 'Reply').click();
  await composer(page).fill('Half a thought');
  await choose(page, 'Photos', [await picture('beach.png')]);
  const quote = page.getByRole('button', { name: 'Cancel Reply' });
  await expect(quote).toBeVisible();

  await button(second, 'Notes').click();
  const notes = second.getByRole('complementary', { name: /^Notes/ });
  await notes.getByRole('button', { name: 'Edit' }).click();
  await notes.getByLabel('Location').fill('Lisbon');
  await second.getByRole('button', { name: 'Manage Tags' }).click();
  const tags = second.getByRole('dialog', { name: 'Manage Tags' });
  await tags.getByRole('tab', { name: 'Create Custom' }).click();
  await tags.getByLabel('Label').fill('Loves cats');

  await third.getByRole('button', { name: 'Invite Users' }).click();
  await third.getByLabel('Email addresses').fill('ana@fans.example');

  await button(fourth, 'Create Product').click();
  const product = fourth.getByRole('dialog', { name: 'Create Product' });
  await product.getByLabel('Image').setInputFiles(await picture('sunset.png'));
  await product.getByLabel('Title').fill('Sunset');
  await product.getByLabel('Description').fill('By the sea');

  way.cut();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await desk.server.kill();
  await tags.getByRole('button', { name: 'Add Tag' }).click();
  await product.getByRole('button', { name: 'Create Product' }).click();
  await third.getByRole('button', { name: 'Send Invites' }).click();
  await expect(tags.getByRole('alert')).toContainText('Failed to update tags');
  await expect(product.getByRole('alert')).toHaveText('Failed to create product');
  await expect(third.getByText('Failed to send invites')).toBeVisible();
  await desk.server.start();
  await buildFanMessage(desk, fan, { content: 'Still there?' });
  way.restore();
  for (const each of [page, second]) await reconnected(each);

  for (const each of [page, second]) await expect(bubble(each, 'Still there?')).toBeVisible();
  await expect(composer(page)).toHaveValue('Half a thought');
  await expect(strip(page)).toHaveText(/beach\.png/);
  await expect(quote).toBeVisible();
  await composer(page).press('Control+Enter');
  await expect(bubble(page, 'Half a thought').getByRole('time')).toBeVisible();

  await tags.getByRole('button', { name: 'Retry' }).click();
  await expect(second.getByRole('list', { name: 'Tags', exact: true })).toContainText('Loves cats');
  await second.keyboard.press('Escape');
  await expect(notes.getByLabel('Location')).toHaveValue('Lisbon');
  await notes.getByRole('button', { name: 'Save' }).click();
  await expect(notes.getByText('Saved successfully')).toBeVisible();

  await expect(third.getByLabel('Email addresses')).toHaveValue('ana@fans.example');
  await third.getByRole('button', { name: 'Send Invites' }).click();
  await expect(third.getByRole('dialog', { name: 'Invite Results' })).toContainText('ana@fans');

  await expect(product.getByLabel('Title')).toHaveValue('Sunset');
  await expect(product.getByLabel('Description')).toHaveValue('By the sea');
  await product.getByRole('button', { name: 'Create Product' }).click();
  await expect(fourth.getByRole('article', { name: 'Sunset' })).toHaveCount(1);

  const { body } = await desk.platform.call(listFanMessages, { params: { fan: fan.external_id } });
  const stored = body.data.filter(({ content }) => content === 'Half a thought');
  expect(stored).toHaveLength(1);
  expect(stored[0]?.attachments).toHaveLength(1);
  expect(stored[0]?.reply_to?.content).toBe('Hello there');
  await expect(row(page, 'Ana')).toBeVisible();
  await close();
});

test('a fan’s messages pass any network fault once and in order', async ({ desk, browser }) => {
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const staff = await desk.hire();
  const console_ = await desk.open(staff, { path: `/inbox/${id}` });
  const { hostname, port } = new URL(desk.url);
  const way = await startTcpProxy({ host: hostname, port: Number(port) }, { seed: 1 });
  const url = `http://127.0.0.1:${way.port}`;
  const page = await openPage(
    browser,
    url,
    { ...PHONE, path: await fanLink(desk, fan.external_id) },
    {},
  );
  await expect(shown(page, 'Hello there')).toBeVisible();
  const texts: string[] = [];
  for (const weather of KINDS) {
    await test.step(weather, async () => {
      WEATHER[weather](way);
      for (const part of ['first', 'then']) {
        const text = `${weather}, ${part}`;
        texts.push(text);
        await write(page, text);
        await expect(shown(page, text)).toBeVisible();
      }
      if (weather === 'cut')
        await expect(
          page.getByText('Reconnecting… Your messages will be sent when the connection is back.'),
        ).toBeVisible();
      if (weather === 'reset') {
        await desk.server.kill();
        await desk.server.start();
      }
      way.restore();
    });
  }
  await messageField(page).fill('Half a thought');
  const stored = async () => {
    const { body } = await desk.platform.call(listFanMessages, {
      params: { fan: fan.external_id },
      query: { limit: 100 },
    });
    return body.data.map(({ content }) => content).reverse();
  };
  await expect.poll(stored, { timeout: SETTLES_WITHIN }).toEqual(['Hello there', ...texts]);
  await expect(page.getByText('Reconnecting…')).toHaveCount(0, { timeout: SETTLES_WITHIN });
  await reconnected(console_);
  const articles = page.getByRole('log').getByRole('article');
  const expected = texts.map((text) => expect.stringContaining(text));
  await expect(async () => {
    expect((await articles.allTextContents()).slice(1)).toEqual(expected);
    expect((await shownBy(console_)).messages.slice(1)).toEqual(expected);
  }).toPass();
  await expect(messageField(page)).toHaveValue('Half a thought');
  await page.context().close();
  await way.close();
});
