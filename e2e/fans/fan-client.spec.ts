import type { Route } from '@playwright/test';
import { createInvites } from '@stagedoor/contract/fans/invites';
import {
  createFanSession,
  endFanSessions,
  recordPurchase,
  recordRefund,
  recordTip,
} from '@stagedoor/contract/platform/platform';
import { updateCreator } from '@stagedoor/contract/team/creator';
import { sql } from 'kysely';
import { purgeMessages } from '../../apps/server/src/messaging/messages/purge.store.ts';
import { buildConversation, buildReply, unique } from '../../apps/server/test/factories.ts';
import { uploadAsStaff } from '../../apps/server/test/files.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import {
  fanLink,
  inviteToken,
  messageField,
  openFan,
  shown,
  write,
} from '../support/fan-client.ts';
import { pdf, picture } from '../support/files.ts';
import { expect, PHONE, test } from '../support/journey.ts';
import { gate, holdCalls, withoutLiveWay } from '../support/network.ts';
import { bubble, reply } from '../support/screens.ts';

test('a fan follows their link, and writes and reacts; staff appear as one person', async ({
  desk,
}) => {
  const { id, page, complaints } = await openFan(desk, ['Hello there', 'How are you?']);
  await expect(page.getByRole('heading', { name: 'Aurora' })).toBeVisible();
  await expect(shown(page, 'Hello there')).toBeVisible();
  expect(new URL(page.url()).hash).toBe('');

  const desktop = await desk.open(await desk.hire({ codename: 'Kiwi' }), { path: `/inbox/${id}` });
  await write(page, 'Is the show still on?');
  await expect(shown(page, 'Is the show still on?')).toHaveCount(1);
  await expect(bubble(desktop, 'Is the show still on?')).toBeVisible();
  await expect(shown(page, 'Is the show still on?')).toContainText('Read');

  await reply(desktop, 'It is! See https://example.com/show');
  const answer = shown(page, 'It is!');
  await expect(answer.getByRole('link')).toHaveAttribute('href', 'https://example.com/show');
  await expect(bubble(desktop, 'It is!').getByRole('img', { name: 'Read' })).toBeVisible();
  await expect(page.locator('body')).not.toContainText('Kiwi');

  const box = await answer.getByText('It is!').boundingBox();
  const touch = await page.context().newCDPSession(page);
  const at = [{ x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 15 }];
  const tap = () => [
    touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at }),
    touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  ];
  // Both taps are sent together: on a slow machine the second could otherwise be too late for a double tap.
  await Promise.all([...tap(), ...tap()]);
  await expect(answer.getByRole('button', { name: 'Reactions: You ❤️' })).toBeVisible();
  await expect(bubble(desktop, 'It is!').getByRole('button', { name: /❤️/ })).toBeVisible();
  await answer.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Message' }).getByRole('button', { name: '🎉' }).click();
  await expect(answer.getByRole('button', { name: 'Reactions: You 🎉' })).toBeVisible();
  const question = bubble(desktop, 'Is the show still on?');
  await question.hover();
  await question.getByRole('button', { name: 'React', exact: true }).click();
  await desktop.getByRole('button', { name: '🔥' }).click();
  await expect(
    shown(page, 'Is the show still on?').getByRole('button', { name: 'Reactions: Aurora 🔥' }),
  ).toBeVisible();

  await answer.focus();
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog', { name: 'Message' })
    .getByRole('button', { name: 'Reply' })
    .click();
  await write(page, 'I will be there');
  await expect(
    shown(page, 'I will be there').getByRole('button', { name: /Aurora ?: It is!/ }),
  ).toBeVisible();
  await page.reload();
  await expect(shown(page, 'I will be there')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('on a touch screen a hint explains the gestures once, and buttons offer the same', async ({
  desk,
}) => {
  const { id, page } = await openFan(desk, ['My own']);
  const hint = page.getByText('Double-tap a message to send a ❤️. Swipe it to reply.');
  await expect(shown(page, 'My own')).toBeVisible();
  await expect(hint).toHaveCount(0);
  await buildReply(await desk.hire(), id, { content: 'Hello Ana' });
  await expect(hint).toBeVisible();
  await page.getByRole('button', { name: 'Got it' }).tap();
  await expect(hint).toHaveCount(0);
  await page.reload();
  const answer = shown(page, 'Hello Ana');
  await answer.getByRole('button', { name: 'React' }).tap();
  const menu = page.getByRole('dialog', { name: 'Message' });
  await menu.getByRole('button', { name: 'Reply' }).tap();
  await expect(page.getByRole('button', { name: 'Cancel reply' })).toBeVisible();
  await expect(hint).toHaveCount(0);

  const own = shown(page, 'My own');
  await own.getByText('My own').tap();
  await own.getByRole('button', { name: 'React' }).tap();
  await menu.getByRole('button', { name: '🎉' }).tap();
  await expect(own.getByRole('button', { name: 'Reactions: You 🎉' })).toBeVisible();
});

test('files can be sent with a message, and files from the creator can be opened', async ({
  desk,
}) => {
  const { id, page, complaints } = await openFan(desk);
  const desktop = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await page
    .getByLabel('Files', { exact: true })
    .setInputFiles([await picture('beach.png'), pdf('ticket.pdf')]);
  await expect(
    page.getByRole('list', { name: 'Selected files' }).getByRole('listitem'),
  ).toHaveCount(2);
  await write(page, 'From my holiday');
  await expect(shown(page, 'From my holiday')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Download ticket.pdf' })).toBeVisible();
  await expect(bubble(desktop, 'From my holiday')).toContainText('ticket.pdf');

  await page.getByRole('button', { name: 'View beach.png' }).click();
  const lightbox = page.getByRole('dialog', { name: 'beach.png' });
  await expect(lightbox.getByRole('img', { name: 'beach.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(lightbox).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test('the URL of a picture is renewed each time it has expired, but not if a new one fails at once', async ({
  desk,
}) => {
  const { id, page } = await openFan(desk, ['Hello there'], {
    serviceWorker: false,
    prepare: (opened) => opened.clock.install(),
  });
  const waiting: Route[] = [];
  await page.route(/\/api\/media\//, (route) => void waiting.push(route));
  const reject = async () => {
    await expect.poll(() => waiting.length).toBe(1);
    await waiting.pop()?.fulfill({ status: 404 });
  };
  const staff = await desk.hire();
  const { buffer, name } = await picture('beach.png');
  const [file] = await uploadAsStaff(staff, id, { data: buffer, filename: name });
  await buildReply(staff, id, { attachments: [{ id: file?.id ?? '' }] });
  await reject();
  await reject();
  await page.getByRole('button', { name: 'This photo didn’t load. Try again' }).click();
  await expect.poll(() => waiting.length).toBe(1);
  await page.clock.fastForward(60_000);
  await reject();
  await expect.poll(() => waiting.length).toBe(1);
  await waiting.pop()?.continue();
  const shownPicture = page.getByRole('button', { name: 'View beach.png' }).locator('img');
  await expect(shownPicture).not.toHaveJSProperty('naturalWidth', 0);
});

test('an offer stays blurred until it is paid for, and is blurred again after a refund', async ({
  desk,
}) => {
  const { id, fan, page, complaints } = await openFan(desk);
  const manager = await desk.hire({ role: 'manager' });
  const product = await buildProduct(manager, { title: 'Sunset Set' });
  const offer = await buildOffer(manager, id, [product], 12.5);
  const card = page.getByRole('region', { name: 'Locked: Sunset Set' });
  await card.getByRole('button', { name: 'Unlock for $12.50' }).click();
  await expect(card).toContainText('You can buy this where you follow Aurora.');
  await expect(page.getByRole('button', { name: 'View Sunset Set' })).toHaveCount(0);

  const payment_reference = unique('payment');
  const sale = { fan: fan.external_id, message_id: offer.id, amount: 12.5, payment_reference };
  const attachment_id = offer.attachments[0]?.id ?? '';
  await desk.platform.call(recordPurchase, { body: { ...sale, attachment_id } });
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Sunset Set' })).toContainText('Unlocked');
  await page.getByRole('button', { name: 'View Sunset Set' }).click();
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Sunset Set' })).toBeVisible();
  await page.keyboard.press('Escape');

  await desk.platform.call(recordRefund, { body: { payment_reference } });
  await expect(card.getByRole('button', { name: 'Unlock for $12.50' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('an ended session is announced, and the typed text is back in the next one', async ({
  desk,
}) => {
  const { fan, page } = await openFan(desk);
  await messageField(page).fill('Half a thought');
  await desk.platform.call(endFanSessions, { params: { fan: fan.external_id } });
  await expect(page.getByRole('heading', { name: 'You were signed out here' })).toBeVisible();
  const { body } = await desk.platform.call(createFanSession, {
    params: { fan: fan.external_id },
  });
  await page.goto(`/fan/?again#link=${body.data.link}`);
  await expect(messageField(page)).toHaveValue('Half a thought');

  await page.goto('/fan/?old#link=nonsense');
  await expect(messageField(page)).toBeVisible();
});

test('when a session ends during an upload, the message’s text is back in the next one', async ({
  desk,
}) => {
  const { fan, page } = await openFan(desk, ['Hello there'], { serviceWorker: false });
  const letGo = await holdCalls(page, /\/api\/fan\/uploads$/);
  await page.getByLabel('Files', { exact: true }).setInputFiles([pdf('ticket.pdf')]);
  await write(page, 'Here is my ticket');
  await expect(shown(page, 'Here is my ticket')).toContainText('Uploading…');
  await desk.platform.call(endFanSessions, { params: { fan: fan.external_id } });
  letGo();
  await expect(page.getByRole('heading', { name: 'You were signed out here' })).toBeVisible();
  await page.goto((await fanLink(desk, fan.external_id)).replace('#', '?again#'));
  await expect(shown(page, 'Here is my ticket')).toContainText('could not be sent');
  await expect(shown(page, 'Here is my ticket')).not.toContainText('ticket.pdf');
});

test('another fan’s link replaces the session only after confirmation', async ({ desk }) => {
  const { fan, page } = await openFan(desk, ['Hello from Ana']);
  await expect(shown(page, 'Hello from Ana')).toBeVisible();
  // A new link for the same fan opens without confirmation.
  await page.goto((await fanLink(desk, fan.external_id)).replace('#', '?own#'));
  await expect(shown(page, 'Hello from Ana')).toBeVisible();

  const other = await buildConversation(desk, { messages: ['Hello from Ben'] });
  const question = page.getByRole('heading', { name: 'Open another fan’s messages?' });
  await page.goto((await fanLink(desk, other.fan.external_id)).replace('#', '?one#'));
  await expect(question).toBeVisible();
  await page.getByRole('button', { name: 'Keep My Messages' }).click();
  await expect(shown(page, 'Hello from Ana')).toBeVisible();
  await page.reload();
  await expect(shown(page, 'Hello from Ana')).toBeVisible();

  await page.goto((await fanLink(desk, other.fan.external_id)).replace('#', '?two#'));
  await expect(question).toBeVisible();
  await page.getByRole('button', { name: 'Open Their Messages' }).click();
  await expect(shown(page, 'Hello from Ben')).toBeVisible();
});

test('a message written offline is sent once the network is back', async ({ desk }) => {
  const { id, page } = await openFan(desk);
  await expect(shown(page, 'Hello there')).toBeVisible();
  await page.context().setOffline(true);
  await write(page, 'Into the tunnel');
  await write(page, 'Still in it');
  await expect(page.getByRole('status').filter({ hasText: 'You’re offline.' })).toBeVisible();
  await expect(shown(page, 'Into the tunnel')).toBeVisible();
  await page.context().setOffline(false);
  const desktop = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(bubble(desktop, 'Still in it')).toHaveCount(1);
  await expect(bubble(desktop, 'Into the tunnel')).toHaveCount(1);
  await expect(shown(page, 'Still in it')).toContainText(/Sent|Read/);
  await expect(page.getByText('You’re offline.')).toHaveCount(0);
});

test('the unsent messages of two tabs are all sent at the next visit', async ({ desk }) => {
  const { id, fan, page } = await openFan(desk);
  await expect(shown(page, 'Hello there')).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/fan/');
  await expect(shown(other, 'Hello there')).toBeVisible();
  await page.context().setOffline(true);
  await write(page, 'From one tab');
  await write(other, 'From the other');
  await expect(shown(other, 'From the other')).toBeVisible();
  await page.close();
  await other.close();
  const next = await page.context().newPage();
  await page.context().setOffline(false);
  await next.goto(await fanLink(desk, fan.external_id));
  const desktop = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(bubble(desktop, 'From one tab')).toHaveCount(1);
  await expect(bubble(desktop, 'From the other')).toHaveCount(1);
});

test('a text is the same in all tabs, and gone from them once it is sent', async ({ desk }) => {
  const { page } = await openFan(desk);
  await messageField(page).fill('Said once');
  const other = await page.context().newPage();
  await other.goto('/fan/');
  await expect(messageField(other)).toHaveValue('Said once');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(shown(other, 'Said once')).toBeVisible();
  await expect(messageField(other)).toHaveValue('');
  await messageField(other).pressSequentially('Next');
  await expect(messageField(page)).toHaveValue('Next');
});

test('the creator’s new name stays when an older reply arrives after it', async ({ desk }) => {
  const { fan, page } = await openFan(desk, ['Hello there'], { serviceWorker: false });
  const manager = await desk.hire({ role: 'manager' });
  await expect(shown(page, 'Hello there')).toBeVisible();
  const [fetched, delivered] = [gate(), gate()];
  await page.route(/\/api\/fan\/me$/, async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes('For the song')) {
      fetched.letGo();
      await delivered.held;
    }
    await route.fulfill({ response });
  });
  const tip = { fan: fan.external_id, amount: 5, message: 'For the song' };
  await desk.platform.call(recordTip, { body: { ...tip, payment_reference: unique('payment') } });
  await fetched.held;
  await manager.client.call(updateCreator, { body: { display_name: 'Renamed' } });
  await expect(page.getByRole('heading', { name: 'Renamed' })).toBeVisible();
  delivered.letGo();
  await expect(page.getByRole('log')).toContainText('For the song');
  await expect(page.getByRole('heading', { name: 'Renamed' })).toBeVisible();
});

test('after a long outage a message is sent despite an error response', async ({ desk }) => {
  const { page } = await openFan(desk, ['Hello there'], {
    prepare: async (opened) => {
      await opened.clock.install();
      await withoutLiveWay(opened);
    },
  });
  await expect(shown(page, 'Hello there')).toBeVisible();
  let tries = 0;
  await page.route(/\/api\/fan\/messages$/, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    tries += 1;
    if (tries < 10) await route.abort();
    else if (tries === 10) await route.fulfill({ status: 503 });
    else await route.continue();
  });
  await write(page, 'Into the tunnel');
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await expect(shown(page, 'Into the tunnel')).toContainText('Sent', { timeout: 300 });
  }).toPass();
  expect(tries).toBe(11);
});

test('a message whose confirmation is lost is shown once, and those after it are sent', async ({
  desk,
}) => {
  const { id, page } = await openFan(desk, ['Hello there'], { prepare: withoutLiveWay });
  await expect(shown(page, 'Hello there')).toBeVisible();
  const own = /\/api\/fan\/messages$/;
  let isLost = true;
  await page.route(own, async (route) => {
    const response = await route.fetch();
    if (isLost && route.request().method() === 'POST') await route.abort();
    else await route.fulfill({ response });
  });
  await write(page, 'Are you there?');
  const desktop = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(bubble(desktop, 'Are you there?')).toHaveCount(1);
  const fetched = page.waitForResponse(
    (response) => own.test(response.url()) && response.request().method() === 'GET',
  );
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await fetched;
  await expect(shown(page, 'Are you there?')).toContainText('Sent');
  await expect(shown(page, 'Are you there?')).toHaveCount(1);
  await write(page, 'I am here');
  isLost = false;
  await expect(bubble(desktop, 'I am here')).toHaveCount(1);
  await expect(shown(page, 'Are you there?')).toHaveCount(1);
});

test('the title counts unread messages that are not loaded, too', async ({ desk }) => {
  let letGo = () => {};
  const { id, page } = await openFan(
    desk,
    Array.from({ length: 60 }, (_, index) => `${index}`),
    {
      prepare: async (opened) => {
        letGo = await holdCalls(opened, /\/api\/fan\/read$/);
        // Turns the fan's messages into the creator's.
        await sql`update messages set from_fan = false, author_id = (select id from admins limit 1)`.execute(
          desk.db.kysely,
        );
      },
    },
  );
  await expect(page).toHaveTitle('(60) Aurora');
  await buildReply(await desk.hire(), id, { content: 'Hello Ana' });
  await expect(page).toHaveTitle('(61) Aurora');
  letGo();
  await expect(page).toHaveTitle('Aurora');
});

test('a file dropped on the conversation is attached; one dropped beside it is ignored', async ({
  desk,
}) => {
  const { page } = await openFan(desk);
  const drop = (on: string) =>
    page.locator(on).evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'note.txt', { type: 'text/plain' }));
      const init = { dataTransfer, bubbles: true, cancelable: true };
      // Unless the event is prevented, the browser opens the file.
      return element.dispatchEvent(new DragEvent('drop', init));
    });
  const chosen = page.getByRole('list', { name: 'Selected files' }).getByRole('listitem');
  await expect(shown(page, 'Hello there')).toBeVisible();
  expect(await drop('body')).toBe(false);
  await expect(chosen).toHaveCount(0);
  expect(await drop('main')).toBe(false);
  await expect(chosen).toHaveCount(1);
});

test('text copied with an image of it is pasted as text', async ({ desk }) => {
  const { page } = await openFan(desk);
  const paste = (...types: string[]) =>
    messageField(page).evaluate((field, others) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
      for (const type of others) clipboardData.setData(type, 'A cell');
      const init = { clipboardData, bubbles: true, cancelable: true };
      return field.dispatchEvent(new ClipboardEvent('paste', init));
    }, types);
  // The browser inserts the text itself unless the event is prevented.
  expect(await paste('text/plain', 'text/html')).toBe(true);
  // File managers copy a file together with its name.
  expect(await paste('text/plain')).toBe(false);
  await expect(
    page.getByRole('list', { name: 'Selected files' }).getByRole('listitem'),
  ).toHaveCount(1);
});

test('marking messages as read is retried after an error', async ({ desk }) => {
  const { id, page } = await openFan(desk, ['My own'], { serviceWorker: false });
  let failures = 1;
  await page.route(/\/api\/fan\/read$/, (route) =>
    failures-- > 0 ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await expect(shown(page, 'My own')).toBeVisible();
  await buildReply(await desk.hire(), id, { content: 'Hello Ana' });
  await expect(page).toHaveTitle('(1) Aurora');
  await expect(page).toHaveTitle('Aurora');
  expect(failures).toBe(-1);
});

test('a long conversation opens at its end, and older messages load above without moving it', async ({
  desk,
}) => {
  const texts = Array.from({ length: 130 }, (_, index) => `Message number ${index + 1}.`);
  const { id, page } = await openFan(desk, texts);
  await expect(shown(page, 'Message number 130.')).toBeInViewport();
  await expect(shown(page, 'Message number 1.')).toHaveCount(0);
  const thread = page.getByRole('log');
  await expect(async () => {
    await shown(page, 'Message number').first().scrollIntoViewIfNeeded();
    await expect(shown(page, 'Message number 1.')).toBeInViewport({ timeout: 500 });
  }).toPass();
  await expect(thread).toContainText('This is where your conversation with Aurora began.');
  await buildReply(await desk.hire(), id, { content: 'Meanwhile' });
  await page.getByRole('button', { name: '1 new, go to the newest message' }).click();
  await expect(shown(page, 'Meanwhile')).toBeInViewport();
});

test('after a purge, the remaining messages are shown up to the beginning', async ({ desk }) => {
  const texts = Array.from({ length: 70 }, (_, index) => `Message number ${index + 1}.`);
  const { page } = await openFan(desk, texts, {
    prepare: async () => {
      // The first message is old, too, but kept, because staff have not read it.
      await sql`
        update messages set created_at = created_at - interval '40 days',
          read_at = case when seq > 1 then created_at end
        where seq <= 60`.execute(desk.db.kysely);
      expect((await purgeMessages(desk.db, 30, null, 100)).gone).toBe(59);
    },
  });
  await expect(shown(page, 'Message number')).toHaveText([
    /Message number 1\./,
    ...texts.slice(60).map((text) => new RegExp(text)),
  ]);
  await expect(page.getByRole('log')).toContainText(
    'This is where your conversation with Aurora began.',
  );
});

test('an invitation’s page shows the benefit, and opens the conversation unless another fan is signed in', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const email = `${unique('someone')}@fans.example`;
  const body = { emails: [email], benefitType: '1_month_free' as const };
  await staff.client.call(createInvites, { body });
  const path = `/invite/${await inviteToken(desk.server.smtp, email)}`;
  const page = await desk.openSignedOut({ ...PHONE, path });
  await expect(page.getByRole('heading', { name: 'Aurora invited you' })).toBeVisible();
  await expect(page.getByText('1 month free')).toBeVisible();
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please enter your name');
  await page.getByLabel('Your name').fill('Mara');
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByText('Hi Mara!')).toBeVisible();
  await expect(page.getByText(/^Free trial until/)).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/fan/');

  await page.goto(path);
  await page.getByRole('button', { name: 'Open your messages' }).click();
  await expect(messageField(page)).toBeVisible();

  // Another fan is asked before the invitation replaces their session.
  const { page: others } = await openFan(desk, ['Hello from Ben']);
  await expect(shown(others, 'Hello from Ben')).toBeVisible();
  await others.goto(path);
  await others.getByRole('button', { name: 'Open your messages' }).click();
  await expect(others.getByRole('heading', { name: 'Open another fan’s messages?' })).toBeVisible();
  await others.getByRole('button', { name: 'Keep My Messages' }).click();
  await expect(shown(others, 'Hello from Ben')).toBeVisible();

  const wrong = await desk.openSignedOut({ ...PHONE, path: '/fan/welcome#invite=wrong' });
  await expect(
    wrong.getByRole('heading', { name: 'We don’t recognize this invitation' }),
  ).toBeVisible();
});

test('code that fails to load is requested again, and after the last try the page can be reloaded', async ({
  desk,
}) => {
  const { page } = await openFan(desk, ['Hello there'], {
    serviceWorker: false,
    prepare: (opened) => opened.clock.install(),
  });
  const tip = page.getByRole('button', { name: 'Tip' });
  const sheet = page.getByRole('dialog', { name: 'Send Aurora a Tip' });
  let failures = 1;
  await page.route(/\/assets\/tip-sheet-/, (route) =>
    failures-- > 0 ? route.abort() : route.continue(),
  );
  await tip.click();
  await expect(async () => {
    await page.clock.fastForward(1_000);
    await expect(sheet).toBeVisible({ timeout: 300 });
  }).toPass();

  failures = Number.POSITIVE_INFINITY;
  await page.reload();
  await tip.click();
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await expect(retry).toBeVisible({ timeout: 300 });
  }).toPass();
  failures = 0;
  await retry.click();
  await tip.click();
  await expect(sheet).toBeVisible();
});

test('a saved conversation opens while a proxy replies in place of the server', async ({
  desk,
}) => {
  const { page } = await openFan(desk);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.context().route(/./, (route) => route.fulfill({ status: 503, json: {} }));
  await page.reload();
  await expect(shown(page, 'Hello there')).toBeVisible();
});

test('after an upgrade, the files of the previous version still load, and those of older ones are deleted', async ({
  desk,
}) => {
  const { page } = await openFan(desk);
  const isServed = (name: string) =>
    page.evaluate(async (file) => (await fetch(`/fan/assets/${file}.js`)).ok, name);
  await page.evaluate(async () => {
    for (const name of ['older', 'previous']) {
      const cache = await caches.open(`fan-${name}`);
      await cache.put(`/fan/assets/${name}.js`, new Response(''));
    }
    // The next load installs the worker again, as an upgrade does.
    await (await navigator.serviceWorker.ready).unregister();
  });
  await page.reload();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => isServed('older')).toBe(false);
  expect(await isServed('previous')).toBe(true);
});
