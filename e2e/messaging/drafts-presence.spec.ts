import { markRead } from '@stagedoor/contract/inbox/conversations';
import {
  discardDraft,
  getDraft,
  listDrafts,
  saveDraft,
} from '@stagedoor/contract/messaging/drafts';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { until } from '../../apps/server/test/until.ts';
import { ownClock, stopClock, untilVisible } from '../support/clock.ts';
import { openConversation } from '../support/conversation.ts';
import { type Desk, expect, test } from '../support/journey.ts';
import { holdAnswers, holdCalls } from '../support/network.ts';
import { bubble, button, composer, reply, row, tab } from '../support/screens.ts';

/** Waits until the server has this text as a draft. */
const stored = (desk: Desk, { token }: { token: string }, id: string, text: string | null) =>
  until(`the draft is ${text}`, async () => {
    const { body } = await desk.staff(token).call(getDraft, { params: { id } });
    return (body.data?.text ?? null) === text;
  });

test('a draft with its quote and marker appears in another browser, and disappears when it is sent', async ({
  desk,
}) => {
  const { page: laptop, id, staff } = await openConversation(desk);
  await tab(laptop, 'All').click();
  await bubble(laptop, 'Hello there').hover();
  await bubble(laptop, 'Hello there').getByRole('button', { name: 'Reply' }).click();
  await composer(laptop).pressSequentially('Hi Ana');
  await stored(desk, staff, id, 'Hi Ana');
  const phone = await desk.open(staff);
  await tab(phone, 'All').click();
  await expect(row(phone, 'Ana')).toContainText('Draft');
  await row(phone, 'Ana').click();
  await expect(composer(phone)).toHaveValue('Hi Ana');
  await expect(button(phone, 'Cancel Reply')).toBeVisible();

  await composer(phone).fill('Hi Ana, from the phone');
  await stored(desk, staff, id, 'Hi Ana, from the phone');
  // The field shows the draft from the phone only after it loses focus.
  await laptop.getByRole('heading', { name: 'Ana' }).click();
  await composer(laptop).blur();
  await expect(composer(laptop)).toHaveValue('Hi Ana, from the phone');

  await composer(phone).press('Enter');
  await expect(bubble(phone, 'Hi Ana, from the phone').getByRole('time')).toBeVisible();
  await expect(composer(laptop)).toHaveValue('');
  await expect(row(laptop, 'Ana')).not.toContainText('Draft');
  await stored(desk, staff, id, null);
});

test('a text typed while an earlier draft is on its way to the server is kept', async ({
  desk,
}) => {
  const { page, id, staff } = await openConversation(desk);
  const letGo = await holdCalls(page, /\/draft$/);
  const isSaved = page.waitForRequest(/\/draft$/);
  await composer(page).fill('Sent long ago');
  await isSaved;
  await composer(page).press('Enter');
  await expect(bubble(page, 'Sent long ago').getByRole('time')).toBeVisible();
  await composer(page).fill('Typed since');
  await expect(page.getByText('Draft saved')).toBeVisible();
  letGo();
  await stored(desk, staff, id, 'Typed since');
  await composer(page).blur();
  await expect(composer(page)).toHaveValue('Typed since');
});

test('Reply quotes the message, even if chosen before the deletion of the text is rendered', async ({
  desk,
}) => {
  const { page } = await openConversation(desk);
  await composer(page).fill('H');
  await bubble(page, 'Hello there').hover();
  const choose = bubble(page, 'Hello there').getByRole('button', { name: 'Reply' });
  await choose.focus();
  const field = await composer(page).elementHandle();
  await choose.evaluate((chosen: HTMLElement, typed) => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
    set?.call(typed, '');
    typed?.dispatchEvent(new InputEvent('input', { bubbles: true }));
    chosen.click();
  }, field);
  await expect(button(page, 'Cancel Reply')).toBeVisible();
});

test('text being typed is never replaced by a draft saved elsewhere', async ({ desk }) => {
  const { page, id, staff } = await openConversation(desk);
  await composer(page).pressSequentially('typed here');
  // Until the page knows the version of its own save, it ignores other devices.
  await page.waitForFunction(() =>
    Object.values({ ...localStorage }).some((text) => /typed here.*"version"/.test(String(text))),
  );
  const elsewhere = { params: { id }, body: { text: 'typed elsewhere' } };
  await desk.staff(staff.token).call(saveDraft, elsewhere);
  await page.waitForFunction(() =>
    Object.values({ ...localStorage }).some((text) => String(text).includes('typed elsewhere')),
  );
  await expect(composer(page)).toHaveValue('typed here');
  await composer(page).pressSequentially(', and more');
  await stored(desk, staff, id, 'typed here, and more');
});

test('a draft that another device edits or sends before its save is confirmed is not brought back', async ({
  desk,
}) => {
  const { page, id, staff } = await openConversation(desk);
  const ben = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const phone = desk.staff(staff.token);
  await phone.call(markRead, { params: { id: ben.id } });
  await tab(page, 'All').click();
  const change = async (text: string, changeElsewhere: () => Promise<unknown>) => {
    const letGo = await holdAnswers(page, text);
    await composer(page).fill(text);
    await composer(page).blur();
    await stored(desk, staff, id, text);
    await changeElsewhere();
    // Events arrive in order, so once this one is shown, the one before it has arrived.
    await phone.call(saveDraft, { params: { id: ben.id }, body: { text: `After ${text}` } });
    await expect(row(page, 'Ben')).toContainText(`After ${text}`);
    await expect(composer(page)).toHaveValue(text);
    letGo();
  };
  await change('Typed first', () =>
    phone.call(saveDraft, { params: { id }, body: { text: 'Edited elsewhere' } }),
  );
  await expect(composer(page)).toHaveValue('Edited elsewhere');
  await change('Typed last', () => phone.call(discardDraft, { params: { id } }));
  await expect(composer(page)).toHaveValue('');
});

test('a sent text is not brought back by another tab that has not noticed yet', async ({
  desk,
}) => {
  const { page, way, id, staff } = await openConversation(desk);
  const ben = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  await tab(page, 'All').click();
  await composer(page).fill('Once only');
  await stored(desk, staff, id, 'Once only');
  const other = await page.context().newPage();
  way.lost = /draft_updated/;
  await other.addInitScript(() =>
    window.addEventListener('storage', (event) => event.stopImmediatePropagation()),
  );
  await other.route(/\/api\/messages\/admin\/drafts$/, (route) => route.abort());
  await other.goto(`/inbox/${ben.id}`);
  await expect(composer(other)).toBeVisible();
  await composer(page).press('Enter');
  await expect(bubble(page, 'Once only').getByRole('time')).toBeVisible();
  await stored(desk, staff, id, null);
  await composer(other).fill('Hi Ben');
  await expect(row(page, 'Ben')).toContainText('Draft');
  await expect(composer(page)).toHaveValue('');
});

test('a draft that an earlier version of the app stored is still there, and is saved', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  const held = { [id]: { text: 'From before', replyTo: null, savedAt: Date.now() } };
  const page = await desk.open(staff, {
    path: `/inbox/${id}`,
    prepare: (opened) =>
      opened.addInitScript(
        ([name = '', text = '']) => localStorage.setItem(name, text),
        [`stagedoor_drafts:${staff.admin.id}`, JSON.stringify(held)],
      ),
  });
  await expect(composer(page)).toHaveValue('From before');
  await stored(desk, staff, id, 'From before');
});

test('text typed without a connection is saved once there is one', async ({ desk }) => {
  const { page, way, id, staff } = await openConversation(desk);
  await page.route('**/draft', (route) => route.abort());
  await way.cut();
  await composer(page).pressSequentially('written on a train');
  await expect(page.getByText('Draft saved')).toBeVisible();
  await page.reload();
  await expect(composer(page)).toHaveValue('written on a train');
  await page.unroute('**/draft');
  way.restore();
  await stored(desk, staff, id, 'written on a train');
});

test('a draft discarded elsewhere disappears here, even if this browser was offline', async ({
  desk,
}) => {
  const { page, way, id, staff } = await openConversation(desk);
  await composer(page).pressSequentially('Hi');
  await stored(desk, staff, id, 'Hi');
  await composer(page).blur();
  await way.cut();
  await desk.staff(staff.token).call(discardDraft, { params: { id } });
  way.restore();
  await expect(composer(page)).toHaveValue('');
});

test('signing out asks right after the last letter', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}`, prepare: ownClock });
  await expect(composer(page)).toBeEditable();
  // Stops the clock, so that the draft can't be saved before the sign-out.
  await stopClock(page);
  await composer(page).fill('Hi Ana');
  await button(page, 'Sign Out').click();
  await untilVisible(page, page.getByRole('alertdialog', { name: 'Sign out?' }));
});

test('signing out asks, and deletes the drafts of all devices', async ({ desk }) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  await staff.client.call(saveDraft, { params: { id }, body: { text: 'from the phone' } });
  const page = await desk.open(staff);
  await expect(row(page, 'Ana')).toContainText('Draft');
  await button(page, 'Sign Out').click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('You have drafts you haven’t sent.');
  await question.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  const again = desk.staff(await desk.insertSession(staff.admin.id));
  expect((await again.call(listDrafts)).body.data).toEqual([]);
});

test('teammates see who has a conversation open, in its header and row, and who is typing', async ({
  desk,
}) => {
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  const { page, way, id } = await openConversation(desk);
  const other = await desk.open(kiwi);
  await expect(page.getByRole('img', { name: 'Kiwi is here too' })).toHaveCount(0);
  // The conversation has been read, so the Unread tab would drop it.
  await tab(other, 'All').click();
  await row(other, 'Ana').click();
  await expect(page.getByRole('img', { name: 'Kiwi is here too' })).toBeVisible();
  await expect(row(page, 'Ana')).toHaveAccessibleName(/Kiwi is here too/);
  await composer(other).pressSequentially('Hi');
  await expect(page.getByText('Kiwi is typing…').first()).toBeVisible();
  await composer(other).fill('');
  await expect(page.getByText('Kiwi is typing…')).toHaveCount(0);

  // Presence is lost with the connection and returns when the page reconnects.
  await way.cut();
  await expect(page.getByRole('img', { name: 'Kiwi is here too' })).toHaveCount(0);
  way.restore();
  await expect(page.getByRole('img', { name: 'Kiwi is here too' })).toBeVisible();
  await other.goto('/inbox');
  await expect(page.getByRole('img', { name: 'Kiwi is here too' })).toHaveCount(0);
  await expect(row(page, 'Ana')).not.toHaveAccessibleName(/Kiwi/);
  expect(way.sent(id)).toBeGreaterThan(0);
});

test('the viewer’s other windows are not shown as present', async ({ desk }) => {
  const { page, id, staff } = await openConversation(desk);
  const second = await desk.open(staff, { path: `/inbox/${id}` });
  await composer(second).pressSequentially('Hi');
  await tab(page, 'All').click();
  await expect(row(page, 'Ana')).toContainText('Draft');
  await expect(page.getByText(/is here too|is typing/)).toHaveCount(0);
});

test('a sent draft leaves nothing behind on the server', async ({ desk }) => {
  const { page, id, staff } = await openConversation(desk);
  await composer(page).pressSequentially('Hi Ana');
  await stored(desk, staff, id, 'Hi Ana');
  await reply(page, 'Hi Ana');
  await expect(bubble(page, 'Hi Ana').getByRole('time')).toBeVisible();
  await stored(desk, staff, id, null);
});
