import { claimConversation } from '@stagedoor/contract/inbox/conversations';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { DESKTOP, expect, PHONE, TABLET, test } from '../support/journey.ts';
import { LANGUAGES, speaking } from '../support/languages.ts';
import { holdCalls } from '../support/network.ts';
import { row, rows, tab } from '../support/screens.ts';

const ALONE = 'Select a conversation';
const HINT = 'Choose a conversation from the list to view messages';

test('1: next to a conversation the inbox is 480 px wide at 1440, 358 at 1024 and 320 at 800', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire());
  const panel = page.getByRole('region', { name: 'Inbox' }).locator('..');
  for (const path of ['/inbox', `/inbox/${id}`]) {
    await page.goto(path);
    for (const [width, least, most] of [
      [1440, 480, 480],
      [1024, 357, 359],
      [800, 320, 320],
      [768, 320, 320],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect(row(page, 'Ana')).toBeVisible();
      const box = await panel.boundingBox();
      expect(box?.width, `${path} at ${width}`).toBeGreaterThanOrEqual(least);
      expect(box?.width, `${path} at ${width}`).toBeLessThanOrEqual(most);
    }
  }
});

test('3: a row opens /inbox/{id} from 768 px, and /messages/{id} below', async ({ desk }) => {
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const staff = await desk.hire();
  const page = await desk.open(staff, { width: 768 });
  await row(page, 'Ana').click();
  await expect(page).toHaveURL(new RegExp(`/inbox/${id}$`));
  await expect(row(page, 'Ana')).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('log')).toBeVisible();

  const narrow = await desk.open(staff, { width: 767 });
  // The opened conversation is no longer unread.
  await tab(narrow, 'All').click();
  await expect(row(narrow, 'Ana')).toHaveAttribute('href', `/messages/${id}`);
  await row(narrow, 'Ana').click();
  await expect(narrow).toHaveURL(new RegExp(`/messages/${id}$`));
  await expect(narrow.getByRole('log')).toBeVisible();
  await expect(narrow.getByRole('list', { name: 'Conversations' })).toBeHidden();
  // The narrow layout's URL redirects to the wide layout's.
  await narrow.setViewportSize({ width: 1024, height: 800 });
  await expect(narrow).toHaveURL(new RegExp(`/inbox/${id}$`));
});

test('4: with nothing selected, both texts are shown next to the inbox, and neither on a phone', async ({
  desk,
}) => {
  await buildConversation(desk);
  const staff = await desk.hire();
  for (const width of [1440, 1024, 768]) {
    const page = await desk.open(staff, { width });
    await expect(page.getByText(ALONE, { exact: true })).toBeVisible();
    await expect(page.getByText(HINT, { exact: true })).toBeVisible();
  }
  const phone = await desk.open(staff, PHONE);
  await expect(row(phone, 'Ana')).toBeVisible();
  await expect(phone.getByText(ALONE, { exact: true })).toHaveCount(0);
  await expect(phone.getByText(HINT, { exact: true })).toHaveCount(0);
});

test('above the list the counts keep their labels, and begin where the tabs do, at every width', async ({
  desk,
}) => {
  await buildConversation(desk);
  const page = await desk.open(await desk.hire({ role: 'manager' }));
  const inbox = page.getByRole('region', { name: 'Inbox' });
  await expect(inbox.getByRole('button', { name: 'Filters' })).toBeVisible();
  await expect(tab(page, 'Unread')).toHaveText('Unread1');
  for (const width of [390, 768, 820, 1000, 1024, 1200, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const counts = inbox.getByRole('term');
    await expect(counts).toHaveText(['Total', 'Unread', 'Today']);
    await expect(async () => {
      const cut = await counts.evaluateAll(
        (labels) =>
          labels.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
      );
      expect(cut, `labels cut at ${width}`).toBe(0);
      const starts = await inbox.evaluate((panel) =>
        ['[role=tab]', 'dd'].map((selector) => {
          const text = document.createRange();
          text.selectNodeContents(panel.querySelector(selector) ?? panel);
          return text.getBoundingClientRect().x;
        }),
      );
      expect(new Set(starts.map(Math.round)), `starts at ${width}`).toEqual(new Set([12]));
    }).toPass();
  }
});

for (const size of [DESKTOP, { ...TABLET, touch: true }]) {
  test(`the list stays where it is when the tools above it load (${size.name})`, async ({
    desk,
  }) => {
    let letGo = () => {};
    const page = await desk.open(await desk.hire({ role: 'manager' }), {
      ...size,
      prepare: async (opened) => {
        letGo = await holdCalls(opened, /\/assets\/inbox-tools-[^/]*\.js/);
      },
    });
    await expect(tab(page, 'Unread')).toBeVisible();
    const before = await tab(page, 'Unread').boundingBox();
    letGo();
    await expect(page.getByRole('button', { name: 'Settings' })).toBeVisible();
    expect((await tab(page, 'Unread').boundingBox())?.y).toBe(before?.y);
  });
}

for (const language of ['en', ...LANGUAGES]) {
  test(`in ${language} the links above the list fit into one line on a tablet`, async ({
    desk,
  }) => {
    const page = await desk.open(await desk.hire({ role: 'manager' }), {
      ...TABLET,
      touch: true,
      prepare: speaking(language),
    });
    const links = page.locator('.tools').getByRole('button');
    await expect(links).toHaveCount(5);
    const tops = () =>
      links.evaluateAll((all) => new Set(all.map((link) => link.getBoundingClientRect().y)).size);
    await expect.poll(tops).toBe(1);
  });
}

test('in a narrow row the claim is shown whole, or as the initial in the holder’s color when its text has no room', async ({
  desk,
}) => {
  const kiwi = await desk.hire({ codename: 'Kiwi', display_color: '#B4235A' });
  for (const first_name of ['Ana', 'Chiara De Santis']) {
    const { id } = await buildConversation(desk, { fan: { first_name } });
    await kiwi.client.call(claimConversation, { params: { id } });
  }
  const page = await desk.open(await desk.hire(), { width: 820 });
  const claim = (name: string) => row(page, name).getByTitle('Claimed by Kiwi');
  await expect(claim('Ana').getByText('Claimed')).toBeInViewport({ ratio: 1 });
  const initial = claim('Chiara').locator('[data-initial=K]');
  await expect(initial).toBeInViewport({ ratio: 1 });
  await expect(initial).toHaveCSS('--t', '#B4235A');
  await expect(claim('Chiara').getByText('Claimed')).not.toBeInViewport();
});

test('on a phone the list begins in the first quarter of the screen', async ({ desk }) => {
  await buildConversation(desk);
  const page = await desk.open(await desk.hire({ role: 'manager' }), PHONE);
  await expect(page.getByRole('button', { name: 'Filters' })).toHaveText('Filters');
  const top = async () => (await rows(page).first().boundingBox())?.y;
  await expect.poll(top).toBeLessThanOrEqual(844 / 4);
});
