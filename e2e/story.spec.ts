import { eraseFan, listFanMessages, postFanRead } from '@stagedoor/contract/platform/platform';
import { buildFan, buildFanMessage } from '../apps/server/test/factories.ts';
import { until } from '../apps/server/test/until.ts';
import { openLive } from './support/conversation.ts';
import { type Desk, expect, test } from './support/journey.ts';
import {
  holdCalls,
  interceptLive,
  type LiveConnection,
  SEND_AND_MESSAGES,
} from './support/network.ts';
import { bubble, composer, reply, row, rows, signIn, tile } from './support/screens.ts';
import { OWNER_EMAIL } from './support/server.ts';

/** Returns the texts that the fan sees, oldest first. */
async function fanView(desk: Desk, fan: string): Promise<string[]> {
  const { body } = await desk.platform.call(listFanMessages, { params: { fan } });
  return body.data.map(({ content }) => content).toReversed();
}

/** Returns the words of a log. An id or a decimal counts as one word, because parts of them may look like codes. */
const words = (log: string): Set<string> => new Set(log.match(/\d+\.\d+|[\w-]+/g));

test('two staff members sign in, a fan writes, one answers, and everyone sees it at once', async ({
  desk,
}) => {
  const teammate = await desk.hire();
  const [one, two] = [await desk.openSignedOut(), await desk.openSignedOut()];
  for (const [page, email] of [
    [one, OWNER_EMAIL],
    [two, teammate.admin.email],
  ] as const) {
    await expect(page).toHaveURL(/\/login$/);
    await signIn(page, email, desk.server.smtp);
    await expect(page).toHaveURL(/\/inbox$/);
    await expect(page.getByText('No conversations yet')).toBeVisible();
  }

  const ben = await buildFan(desk, { first_name: 'Ben', last_name: 'Costa' });
  const ana = await buildFan(desk, { first_name: 'Ana', last_name: 'Silva' });
  await buildFanMessage(desk, ben, { content: 'Ben was first' });
  for (const page of [one, two]) await expect(row(page, 'Ben Costa, 1 unread')).toBeVisible();
  await buildFanMessage(desk, ana, { content: 'Ana came later' });
  await buildFanMessage(desk, ana, { content: 'Are you there?' });
  for (const page of [one, two]) {
    await expect(row(page, 'Ana Silva, 2 unread, Are you there\\?')).toBeVisible();
    await expect(rows(page)).toHaveText([/Ana Silva/, /Ben Costa/]);
    await expect(tile(page, 'Unread')).toHaveText('2');
  }
  await buildFanMessage(desk, ben, { content: 'Ben again' });
  for (const page of [one, two]) await expect(rows(page)).toHaveText([/Ben Costa/, /Ana Silva/]);

  await row(two, 'Ana').click();
  await expect(bubble(two, 'Are you there?')).toBeVisible();
  await row(one, 'Ana').click();
  await expect(one).toHaveURL(new RegExp(`/inbox/${ana.conversation_id}$`));
  await reply(one, 'Yes, I am here!');
  for (const page of [one, two]) {
    await expect(bubble(page, 'Yes, I am here!')).toHaveCount(1);
    const author = page === one ? 'You' : '[A-Z][\\w ]+';
    await expect(row(page, `Ana Silva, ${author}: Yes, I am here!`)).toBeVisible();
    await expect(tile(page, 'Unread')).toHaveText('1');
  }
  await expect(composer(one)).toHaveValue('');
  expect(await fanView(desk, ana.external_id)).toEqual([
    'Ana came later',
    'Are you there?',
    'Yes, I am here!',
  ]);

  const { body } = await desk.platform.call(listFanMessages, { params: { fan: ana.external_id } });
  await desk.platform.call(postFanRead, {
    params: { fan: ana.external_id },
    body: { up_to_message_id: body.data[0]?.id ?? '' },
  });
  for (const page of [one, two]) {
    await expect(bubble(page, 'Yes, I am here!').getByRole('img', { name: 'Read' })).toBeVisible();
  }
  // Secrets stay out of the log.
  const codes = desk.server.smtp.received.map(
    ({ mail }) => /\d{6}/.exec(mail.subject ?? '')?.[0] ?? '',
  );
  const tokens = await Promise.all(
    [one, two].map((page) => page.evaluate(() => localStorage.getItem('admin_token'))),
  );
  expect(codes).toHaveLength(2);
  const logged = words(desk.server.output());
  for (const code of codes) expect(logged).not.toContain(code);
  for (const token of tokens) expect(desk.server.output()).not.toContain(token);
});

test('without the live connection a reply goes over HTTP, once, and reconnecting duplicates nothing', async ({
  desk,
}) => {
  const [sender, teammate] = [await desk.hire(), await desk.hire()];
  const ana = await buildFan(desk, { first_name: 'Ana' });
  await buildFanMessage(desk, ana, { content: 'Hello?' });
  const path = `/inbox/${ana.conversation_id}`;
  const { page, way } = await openLive(desk, sender, { path });
  const { page: other } = await openLive(desk, teammate, { path });
  await expect(bubble(page, 'Hello?')).toBeVisible();
  await reply(page, 'Sent live');
  await expect(bubble(other, 'Sent live')).toHaveCount(1);

  await way.cut();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await reply(page, 'Sent over HTTP');
  await expect(bubble(page, 'Sent over HTTP').getByRole('time')).toBeVisible();
  await expect(bubble(other, 'Sent over HTTP')).toHaveCount(1);
  way.restore();
  await expect(page.getByText('Reconnecting…')).toBeHidden();
  await buildFanMessage(desk, ana, { content: 'Thank you' });
  await expect(bubble(page, 'Thank you')).toHaveCount(1);
  for (const each of [page, other]) {
    for (const text of ['Sent live', 'Sent over HTTP'])
      await expect(bubble(each, text)).toHaveCount(1);
  }
  expect(way.sent('Sent over HTTP')).toBe(0);
  expect(await fanView(desk, ana.external_id)).toEqual([
    'Hello?',
    'Sent live',
    'Sent over HTTP',
    'Thank you',
  ]);
});

test('a reply whose confirmation is lost is sent again over HTTP and stays one message', async ({
  desk,
}) => {
  const ana = await buildFan(desk, { first_name: 'Ana' });
  await buildFanMessage(desk, ana, { content: 'Hello?' });
  const path = `/inbox/${ana.conversation_id}`;
  const { page, way } = await openLive(desk, await desk.hire(), { path });
  await expect(bubble(page, 'Hello?')).toBeVisible();
  way.lost = /Only once/;
  const letGo = await holdCalls(page, SEND_AND_MESSAGES);
  await reply(page, 'Only once');
  await expect(bubble(page, 'Only once').getByRole('img', { name: 'Sending' })).toBeVisible();
  letGo();
  await until('the server has it', async () =>
    (await fanView(desk, ana.external_id)).includes('Only once'),
  );
  await expect(bubble(page, 'Only once').getByRole('time')).toBeVisible();
  await expect(bubble(page, 'Only once')).toHaveCount(1);
  expect(way.sent('Only once')).toBe(1);
  await buildFanMessage(desk, ana, { content: 'Thank you' });
  await expect(bubble(page, 'Thank you')).toHaveCount(1);
  await expect(bubble(page, 'Only once')).toHaveCount(1);
  expect(
    (await fanView(desk, ana.external_id)).filter((text) => text === 'Only once'),
  ).toHaveLength(1);
});

test('events between the page load and the first live connection are not missed', async ({
  desk,
}) => {
  const ana = await buildFan(desk, { first_name: 'Ana' });
  await buildFanMessage(desk, ana, { content: 'Hello?' });
  const way: LiveConnection[] = [];
  const page = await desk.open(await desk.hire(), {
    prepare: async (opened) => {
      const between = await interceptLive(opened.context());
      await between.cut();
      way.push(between);
    },
  });
  await expect(row(page, 'Ana, 1 unread')).toBeVisible();
  await buildFanMessage(desk, ana, { content: 'Did you get this?' });
  way[0]?.restore();
  await expect(row(page, 'Ana, 2 unread, Did you get this')).toBeVisible();
});

test('an erased fan disappears from every list and every open conversation', async ({ desk }) => {
  const ana = await buildFan(desk, { first_name: 'Ana' });
  await buildFanMessage(desk, ana, { content: 'Forget me' });
  await buildFanMessage(desk, await buildFan(desk, { first_name: 'Bea' }), { content: 'Hi' });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${ana.conversation_id}` });
  await expect(bubble(page, 'Forget me')).toBeVisible();
  await desk.platform.call(eraseFan, { params: { fan: ana.external_id } });
  await expect(page).toHaveURL(/\/inbox$/);
  await expect(page.getByText('Select a conversation', { exact: true })).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(tile(page, 'Total')).toHaveText('1');
});
