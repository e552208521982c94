import { markRead } from '@stagedoor/contract/inbox/conversations';
import { deleteStaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { updateAdminPermissions } from '@stagedoor/contract/team/admins';
import { buildConversation, buildFanMessage } from '../../apps/server/test/factories.ts';
import { uploadAsFan } from '../../apps/server/test/files.ts';
import { buildPicture, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import {
  contentsFor,
  grantPrivilege,
  openConversation,
  revokePrivilege,
  seenBy,
} from '../support/conversation.ts';
import { choose, keptFiles, picture, strip } from '../support/files.ts';
import { expect, test } from '../support/journey.ts';
import { speaking } from '../support/languages.ts';
import { callsTo, holdCalls, SEND } from '../support/network.ts';
import { bubble, composer, openSendProduct, reply, thread } from '../support/screens.ts';
import { leaveNote } from '../support/staff-notes.ts';

test('two identical messages of a fan are announced twice', async ({ desk }) => {
  const { page, fan } = await openConversation(desk);
  const region = page.locator('[aria-live="polite"]', { hasText: 'Ana:' });
  await expect(region).toHaveText('Ana: Hello there');
  await region.evaluate((element) => {
    const announced: string[] = [];
    Object.assign(globalThis, { announced });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) announced.push(node.textContent ?? '');
    }).observe(element, { childList: true, subtree: true, characterData: true });
  });
  for (const count of [1, 2]) {
    await buildFanMessage(desk, fan, { content: 'Are you there?' });
    await expect(bubble(page, 'Are you there?')).toHaveCount(count);
    await expect
      .poll(() => page.evaluate(() => (globalThis as { announced?: string[] }).announced))
      .toEqual(Array.from({ length: count }, () => 'Ana: Are you there?'));
  }
});

test('a fan’s picture without text is announced by its kind', async ({ desk }) => {
  const { page, fan } = await openConversation(desk);
  const [photo] = await uploadAsFan(desk, fan, { data: await buildPicture(), filename: 'a.png' });
  await buildFanMessage(desk, fan, { content: '[Attachment]', attachment_ids: [photo?.id ?? ''] });
  const region = page.locator('[aria-live="polite"]', { hasText: 'Ana:' });
  await expect(region).toHaveText('Ana: 📷 Photo');
});

test('a link to a deleted note says so and loads no older messages', async ({ desk }) => {
  const messages = Array.from({ length: 120 }, (_, index) => `Message ${index + 1}`);
  const staff = await desk.hire();
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' }, messages });
  // A read conversation opens at its end, where no older messages are loaded.
  await staff.client.call(markRead, { params: { id } });
  const note = await leaveNote(staff, id, 'Never mind');
  await staff.client.call(deleteStaffNote, { params: { id, noteId: note.id } });
  let calls: URLSearchParams[] = [];
  const page = await desk.open(staff, {
    path: `/inbox/${id}?note=${note.id}`,
    prepare: async (opened) => {
      calls = callsTo(opened, `/api/messages/admin/conversation/${id}/messages`);
    },
  });
  await expect(page.getByText('This note was deleted')).toBeVisible();
  expect(calls.filter((query) => query.has('before'))).toEqual([]);
});

test('arrow keys move in the pressed direction among the emoji in Arabic, too', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: speaking('ar'),
  });
  await bubble(page, 'Hello there').hover();
  await bubble(page, 'Hello there').locator('button').first().click();
  const emoji = page.locator('[popover="manual"] fieldset button');
  await expect(emoji.first()).toBeFocused();
  const middleOf = async (index: number) => {
    const box = await emoji.nth(index).boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0) / 2;
  };
  expect(await middleOf(1)).toBeLessThan(await middleOf(0));
  await page.keyboard.press('ArrowLeft');
  await expect(emoji.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(emoji.first()).toBeFocused();
});

test('one’s own product scrolls into view from anywhere, and is never counted as new', async ({
  desk,
}) => {
  await buildProduct(await desk.hire({ role: 'manager' }), { title: 'Sunset Set', price: '9.99' });
  const messages = Array.from({ length: 40 }, (_, index) => `Message ${index + 1}`);
  const { page, way } = await openConversation(desk, messages);
  for (const scrolled of [0, 2_000]) {
    await thread(page).hover();
    await page.mouse.wheel(0, -scrolled);
    const dialog = await openSendProduct(page);
    await dialog.getByRole('radio', { name: /^Sunset Set/ }).check();
    // Events may arrive before the reply.
    const letGo = await holdCalls(page, SEND);
    const letGoLive = way.hold();
    await dialog.getByRole('button', { name: /^Send for/ }).click();
    const card = bubble(page, 'Sunset Set').last();
    const isInView = async () => {
      await expect(card).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('button', { name: /newest/ })).toHaveCount(0);
    };
    await isInView();
    letGoLive();
    letGo();
    await expect(card.getByRole('time')).toBeVisible();
    await isInView();
  }
});

test('Retry waits for a message that is being sent, then sends', async ({ desk }) => {
  const { page, staff, fan, way } = await openConversation(desk);
  await revokePrivilege(desk, page, staff.admin.id);
  await reply(page, 'Please let me');
  const refused = bubble(page, 'Please let me');
  await expect(refused.getByRole('button', { name: 'Retry' })).toBeVisible();
  await grantPrivilege(desk, staff.admin.id);
  const letGo = way.hold();
  await reply(page, 'On its way');
  await expect(bubble(page, 'On its way')).toBeVisible();
  await refused.getByRole('button', { name: 'Retry' }).click();
  await expect(refused.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  letGo();
  await expect(bubble(page, 'On its way').getByRole('time')).toBeVisible();
  await expect(refused.getByRole('time')).toBeVisible();
  expect(await contentsFor(desk, fan.external_id)).toEqual([
    'Hello there',
    'On its way',
    'Please let me',
  ]);
});

test('a refused message can’t be edited without the privilege, and its text stays', async ({
  desk,
}) => {
  const { page, staff } = await openConversation(desk);
  await revokePrivilege(desk, page, staff.admin.id);
  await reply(page, 'Please let me');
  const refused = bubble(page, 'Please let me');
  await expect(refused.getByRole('button', { name: 'Retry' })).toBeVisible();
  const { client } = await desk.hire({ role: 'manager' });
  const allow = (can_manage_messages: boolean) =>
    client.call(updateAdminPermissions, {
      params: { id: staff.admin.id },
      body: { can_manage_messages },
    });
  await allow(true);
  await expect(refused.getByRole('button', { name: 'Edit' })).toBeVisible();
  await allow(false);
  await expect(composer(page)).toHaveCount(0);
  await expect(refused.getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await allow(true);
  await refused.getByRole('button', { name: 'Edit' }).click();
  await expect(composer(page)).toHaveValue('Please let me');
});

test('files wait for a retry that goes first, and are then sent with their text', async ({
  desk,
}) => {
  const { page, staff, fan, way } = await openConversation(desk);
  await revokePrivilege(desk, page, staff.admin.id);
  await reply(page, 'Please let me');
  const refused = bubble(page, 'Please let me');
  await expect(refused.getByRole('button', { name: 'Retry' })).toBeVisible();
  await grantPrivilege(desk, staff.admin.id);
  const letGo = way.hold();
  await reply(page, 'On its way');
  await expect(bubble(page, 'On its way')).toBeVisible();
  await refused.getByRole('button', { name: 'Retry' }).click();
  await choose(page, 'Photos', await picture('beach.png'));
  await composer(page).fill('From the beach');
  await composer(page).press('Control+Enter');
  await expect(bubble(page, 'From the beach')).toContainText('100%');
  letGo();
  await expect(bubble(page, 'From the beach').getByRole('time')).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
  const messages = await seenBy(desk, fan.external_id);
  expect(messages.map(({ content }) => content)).toEqual([
    'From the beach',
    'Please let me',
    'On its way',
    'Hello there',
  ]);
  expect(messages[0]?.attachments).toHaveLength(1);
});

test('chosen files are stored even if the browser’s database could not be opened at first', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: (opened) =>
      opened.addInitScript(() => {
        if (sessionStorage.getItem('failed') !== null) return;
        sessionStorage.setItem('failed', 'once');
        const { open } = IDBFactory.prototype;
        IDBFactory.prototype.open = function (name, version) {
          IDBFactory.prototype.open = open;
          // Opening with a negative version fails.
          return name === 'stagedoor'
            ? open.call(this, 'refused', -1)
            : open.call(this, name, version);
        };
      }),
  });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await choose(page, 'Photos', await picture('beach.png'));
  await expect(strip(page)).toHaveCount(1);
  await expect.poll(() => keptFiles(page)).toBe(1);
  await page.reload();
  await expect(strip(page)).toHaveCount(1);
});

for (const [key, what] of [
  ['n', /^Notes on/],
  ['s', 'Snooze'],
] as const) {
  test(`${key} pressed before the conversation’s code has loaded is remembered`, async ({
    desk,
  }) => {
    const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
    let letGo = () => {};
    const page = await desk.open(await desk.hire(), {
      path: `/inbox/${id}`,
      prepare: async (opened) => {
        letGo = await holdCalls(opened, /\/assets\/conversation-[^/]*\.js/);
      },
    });
    await expect(page.getByText('Loading conversation...')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Ana/ })).toBeVisible();
    await page.keyboard.press(key);
    letGo();
    const opened =
      key === 'n'
        ? page.getByRole('complementary', { name: what })
        : page.getByRole('dialog', { name: what });
    await expect(opened).toBeVisible();
  });
}

test('a snooze’s time uses the 24-hour clock, like all times', async ({ desk }) => {
  const { page } = await openConversation(desk);
  await thread(page).getByRole('article').first().focus();
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Snooze' });
  await expect(dialog.getByRole('button', { name: /Tomorrow/ })).toContainText('09:00');
  await expect(dialog).not.toContainText(/[AP]M/);
});
