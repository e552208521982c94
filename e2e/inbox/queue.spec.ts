import { markRead } from '@stagedoor/contract/inbox/conversations';
import { sql } from 'kysely';
import { buildConversation, buildFanMessage } from '../../apps/server/test/factories.ts';
import { expect, PHONE, test } from '../support/journey.ts';
import { gate, holdCalls } from '../support/network.ts';
import { button, composer, keepToast, row, rows, tab } from '../support/screens.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test('fans who need a reply are listed by waiting time, and the tabs stay the same', async ({
  desk,
}) => {
  const [ana, bea] = [
    await buildConversation(desk, { fan: { first_name: 'Ana' } }),
    await buildConversation(desk, { fan: { first_name: 'Bea' } }),
  ];
  await buildConversation(desk, { fan: { first_name: 'Cleo' }, status: 'archived' });
  for (const [{ id }, minutes] of [
    [ana, 5],
    [bea, 14],
  ] as const) {
    await sql`update conversations set waiting_since = ${minutesAgo(minutes)} where id = ${id}`.execute(
      desk.db.kysely,
    );
  }
  const page = await desk.open(await desk.hire());
  await expect(tab(page, 'Unread')).toHaveAttribute('aria-selected', 'true');
  await expect(tab(page, 'Needs reply')).toHaveText('Needs reply2');
  await tab(page, 'Needs reply').click();
  await expect(rows(page)).toHaveText([/Bea.*waiting 1\d min/, /Ana.*waiting \d min/]);
  await expect(page.getByRole('tabpanel', { name: 'Needs reply' })).toBeVisible();

  await page.getByRole('link', { name: /^Bea/ }).click();
  await composer(page).fill('Hello Bea');
  await composer(page).press('Enter');
  await expect(tab(page, 'Needs reply')).toHaveText('Needs reply1');
  await page.keyboard.press('Escape');
  await tab(page, 'All').click();
  await expect(rows(page)).toHaveCount(3);
});

test('Next opens the fan waiting longest, says why, and Undo releases the claim', async ({
  desk,
}) => {
  const ana = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await sql`update conversations set waiting_since = ${minutesAgo(14)} where id = ${ana.id}`.execute(
    desk.db.kysely,
  );
  await buildConversation(desk, { fan: { first_name: 'Bea' } });
  const page = await desk.open(await desk.hire());
  await expect(button(page, 'Next')).toBeVisible();
  await page.keyboard.press('x');
  await expect(page.getByRole('heading', { name: 'Ana' })).toBeVisible();
  await expect(page.getByRole('log')).toBeVisible();
  await keepToast(page, 'Claimed Ana');
  const why = page.getByRole('list', { name: 'Why this fan is next' });
  await expect(why).toHaveText(/^waiting 1\d min$/i);
  await expect(tab(page, 'Mine')).toHaveText('Mine1');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tab(page, 'Mine')).toHaveText('Mine');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(why).toHaveCount(0);

  await button(page, 'Next').click();
  await expect(page.getByRole('heading', { name: 'Bea' })).toBeVisible();
});

test('Next says when nobody is waiting, and is hidden without message privileges', async ({
  desk,
}) => {
  const page = await desk.open(await desk.hire());
  await button(page, 'Next').click();
  await expect(page.getByText('No one is waiting')).toBeVisible();
  const reader = await desk.open(await desk.hire({ can_manage_messages: false }));
  await expect(tab(reader, 'Needs reply')).toBeVisible();
  await expect(button(reader, 'Next')).toHaveCount(0);
});

test('a conversation marked unread is unread for everyone until someone opens it', async ({
  desk,
}) => {
  const [mango, kiwi] = [await desk.hire(), await desk.hire()];
  const { id } = await buildConversation(desk);
  const one = await desk.open(mango, { path: `/inbox/${id}` });
  await expect(tab(one, 'Unread')).toHaveText('Unread');
  const two = await desk.open(kiwi, { path: `/inbox/${id}` });
  await expect(two.getByRole('heading', { name: 'Ana' })).toBeVisible();
  await one.getByRole('button', { name: 'More Actions' }).click();
  await one.getByRole('menuitem', { name: 'Mark Unread' }).click();
  await expect(one).toHaveURL(/\/inbox$/);
  await expect(row(one, 'Ana, marked unread')).toBeVisible();
  // A teammate who already has the conversation open doesn't clear the mark.
  await expect(row(two, 'Ana, marked unread')).toBeVisible();
  await two.getByRole('button', { name: 'More Actions' }).click();
  await expect(two.getByRole('menuitem', { name: 'Mark Unread' })).toBeVisible();
  await expect(row(two, 'Ana, marked unread')).toBeVisible();
  await row(one, 'Ana').click();
  await expect(row(two, 'Ana, marked unread')).toHaveCount(0);
  await expect(tab(one, 'Unread')).toHaveText('Unread');
});

test('marking as unread over a slow connection does not affect a conversation opened meanwhile', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const staff = await desk.hire();
  await staff.client.call(markRead, { params: { id } });
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  const letGo = await holdCalls(page, /\/unread$/);
  await page.getByRole('button', { name: 'More Actions' }).click();
  await page.getByRole('menuitem', { name: 'Mark Unread' }).click();
  await tab(page, 'All').click();
  await row(page, 'Ben').click();
  const opened = page.getByRole('heading', { name: 'Ben', exact: true });
  await expect(opened).toBeVisible();
  letGo();
  await expect(row(page, 'Ana, marked unread')).toBeVisible();
  await expect(page.getByText('Marked Ana as unread')).toBeVisible();
  await expect(opened).toBeVisible();
});

test('a snoozed conversation leaves the list, and comes back with the fan’s next message', async ({
  desk,
}) => {
  const { id, fan } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await page.getByRole('heading', { name: 'Ana' }).click();
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Snooze' });
  await expect(dialog.getByRole('button', { name: 'Tomorrow' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Until they write' }).click();
  await expect(page.getByText('Snoozed Ana until they write')).toBeVisible();
  await tab(page, 'All').click();
  await expect(row(page, 'Ana')).toContainText('Snoozed until they write');
  await expect(tab(page, 'Needs reply')).toHaveText('Needs reply');
  await buildFanMessage(desk, fan, { content: 'Are you there?' });
  await expect(row(page, 'Ana')).not.toContainText('Snoozed');
  await expect(tab(page, 'Needs reply')).toHaveText('Needs reply1');
});

test('Snooze and Assign close when another conversation opens', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const ben = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${ben.id}` });
  const opened = (name: string) => page.getByRole('heading', { name, exact: true });
  await expect(opened('Ben')).toBeVisible();
  for (const what of ['Snooze', 'Assign']) {
    await tab(page, 'All').click();
    await row(page, 'Ana').click();
    await expect(opened('Ana')).toBeVisible();
    await page.getByRole('button', { name: 'More Actions' }).click();
    await page.getByRole('menuitem', { name: `${what}...` }).click();
    const dialog = page.getByRole('dialog', { name: new RegExp(`^${what}`) });
    await expect(dialog).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`/inbox/${ben.id}`);
    await expect(page.getByText('To Ben', { exact: true })).toBeVisible();
    await expect(dialog).toBeHidden();
  }
});

test('a pinned conversation is at the top of the list for the admin who pinned it', async ({
  desk,
}) => {
  const [mango, kiwi] = [await desk.hire(), await desk.hire()];
  const bea = await buildConversation(desk, { fan: { first_name: 'Bea' } });
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(mango, { path: `/inbox/${bea.id}` });
  await tab(page, 'All').click();
  await expect(rows(page)).toHaveText([/Ana/, /Bea/]);
  await page.getByRole('button', { name: 'More Actions' }).click();
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await page.mouse.move(1_000, 450);
  await expect(rows(page)).toHaveText([/^B?Bea.*pinned/, /Ana/]);
  const other = await desk.open(kiwi);
  await tab(other, 'All').click();
  await expect(rows(other)).toHaveText([/Ana/, /Bea/]);
  await page.reload();
  await tab(page, 'All').click();
  await expect(rows(page)).toHaveText([/^B?Bea.*pinned/, /Ana/]);
});

test('a pin stays when the answer to an earlier pin arrives after it', async ({ desk }) => {
  const ana = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, { fan: { first_name: 'Bea' } });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${ana.id}` });
  await tab(page, 'All').click();
  const [saved, answer] = [gate(), gate()];
  await page.route(new RegExp(`${ana.id}/pin$`), async (route) => {
    const response = await route.fetch();
    saved.letGo();
    await answer.held;
    await route.fulfill({ response });
  });
  const pin = async () => {
    await page.getByRole('button', { name: 'More Actions' }).click();
    await page.getByRole('menuitem', { name: 'Pin' }).click();
  };
  await pin();
  await saved.held;
  await row(page, 'Bea').click();
  await expect(page.getByRole('heading', { name: 'Bea', exact: true })).toBeVisible();
  await pin();
  await expect(rows(page).filter({ hasText: 'pinned' })).toHaveCount(2);
  answer.letGo();
  await keepToast(page, 'Pinned Ana');
  await expect(rows(page).filter({ hasText: 'pinned' })).toHaveCount(2);
});

test('on a phone all of these actions are within reach', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), PHONE);
  const next = button(page, 'Next');
  for (const target of [next, tab(page, 'Needs reply')]) {
    const box = await target.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
  }
  await next.tap();
  await expect(page).toHaveURL(`/messages/${id}`);
  await page.getByRole('button', { name: 'More Actions' }).tap();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Release',
    'Archive',
    'Flag',
    'Assign...',
    'Mark Unread',
    'Snooze...',
    'Pin',
    'Print',
  ]);
});
