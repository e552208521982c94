import type { Page } from '@playwright/test';
import { createInvites } from '@stagedoor/contract/fans/invites';
import type { Subscription } from '@stagedoor/contract/fans/subscriptions';
import { joinByInvitation } from '@stagedoor/contract/platform/fan-app';
import { type PlatformFan, putSubscription } from '@stagedoor/contract/platform/platform';
import { buildConversation, unique } from '../../apps/server/test/factories.ts';
import { inviteToken } from '../support/fan-client.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from '../support/journey.ts';
import { bubble, composer, reply, row, tab } from '../support/screens.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Sets a fan's subscription through the platform API. */
const say = (desk: Desk, fan: PlatformFan, subscription: Subscription | { status: null }) =>
  desk.platform.call(putSubscription, {
    params: { fan: fan.external_id },
    body: subscription,
  });

/** The header of the open conversation. */
const headerOf = (page: Page) =>
  page.getByRole('region', { name: 'Conversation with Ana' }).locator('header');

/** Returns a time `days` days from today: noon (1 p.m. in summer) in Berlin, the browsers' time zone, far from midnight. */
const noonIn = (days: number) => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(new Date());
  return new Date(Date.parse(`${today}T11:00:00Z`) + days * DAY_MS).toISOString();
};

test('a fan’s subscription shows in the row and the header, and follows the platform’s updates', async ({
  desk,
}) => {
  const { id, fan } = await buildConversation(desk, { messages: ['Hello there'] });
  const page = await desk.open(await desk.hire(), { ...DESKTOP, path: `/inbox/${id}` });
  const header = headerOf(page);
  await expect(row(page, 'Ana, 1 unread, Hello there')).toBeVisible();

  await say(desk, fan, { status: 'trial', ends_at: noonIn(3) });
  await expect(row(page, 'Ana, .*Trial · 3 days left, Hello there')).toBeVisible();
  await expect(header).toContainText('Trial · 3 days left');
  await expect(header).toContainText(/Ends on \d{1,2} \w{3,4}( \d{4})?, 1[23]:00/);

  await say(desk, fan, { status: 'subscribed', ends_at: noonIn(5) });
  await expect(row(page, 'Ana, .*Subscription ends in 5 days, Hello there')).toBeVisible();
  await say(desk, fan, { status: 'subscribed', ends_at: null });
  await expect(row(page, 'Ana, .*Subscribed, Hello there')).toBeVisible();
  await expect(header).not.toContainText('Ends on');
  await say(desk, fan, { status: 'trial', ends_at: noonIn(-2) });
  await expect(row(page, 'Ana, .*Trial ended, Hello there')).toBeVisible();
  await expect(header).toContainText(/on \d{1,2} \w{3,4}/);

  await say(desk, fan, { status: null });
  await expect(row(page, 'Ana, (1 unread, )?Hello there')).toBeVisible();
  await expect(header).not.toContainText('Trial');
});

test('in a list of 320 px, a fan’s trial is named, and the preview still shows 24 characters', async ({
  desk,
}) => {
  const content = 'Could you send me the pictures of the lake from last week?';
  const { fan } = await buildConversation(desk, { messages: [content] });
  await say(desk, fan, { status: 'trial', ends_at: noonIn(3) });
  const page = await desk.open(await desk.hire(), { width: 800, height: 800 });
  await expect(row(page, 'Ana').getByText('Trial', { exact: true })).toBeVisible();
  const shown = await row(page, 'Ana')
    .getByText(content)
    .evaluate((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const node = walker.nextNode() as Text;
      const { right } = element.getBoundingClientRect();
      const range = document.createRange();
      let count = 0;
      while (count < node.length) {
        range.setStart(node, count);
        range.setEnd(node, count + 1);
        if (range.getBoundingClientRect().right > right) break;
        count += 1;
      }
      return count;
    });
  // The ellipsis takes the space of the last one or two characters.
  expect(shown).toBeGreaterThanOrEqual(26);
});

test('an open page shows the last day from midnight on, and then the end', async ({ desk }) => {
  const { id, fan } = await buildConversation(desk);
  // 23:58:30 in Berlin.
  const evening = new Date('2031-03-10T22:58:30Z');
  const ends = new Date('2031-03-11T08:30:00Z');
  await say(desk, fan, { status: 'trial', ends_at: ends.toISOString() });
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: (opened) => opened.clock.install({ time: evening }),
  });
  await expect(row(page, 'Ana, .*Trial ends tomorrow')).toBeVisible();
  // Moving the clock forward would time out calls in progress.
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await page.clock.fastForward(90_000);
  await expect(row(page, 'Ana, .*Trial ends today')).toBeVisible();
  await page.clock.fastForward(ends.getTime() - evening.getTime() - 90_000 + 60_000);
  await expect(row(page, 'Ana, .*Trial ended')).toBeVisible();
  await expect(headerOf(page)).toContainText('Trial ended');
});

for (const width of [320, 390, 820, 1440]) {
  test(`a row of ${width} pixels keeps its height with a long name, a claim and a last day`, async ({
    desk,
  }) => {
    const staff = await desk.hire();
    const { fan } = await buildConversation(desk, {
      fan: { first_name: 'Bartholomew', last_name: 'Featherstonehaugh-Montgomery' },
      claimedBy: staff.admin,
      messages: ['A message that is longer than any row of the inbox, however wide it may be'],
    });
    const end = new Date(Date.now() + 6 * DAY_MS).toISOString();
    await say(desk, fan, { status: 'subscribed', ends_at: end });
    const page = await desk.open(staff, { ...(width < 768 ? PHONE : DESKTOP), width });
    const shown = row(page, 'Bartholomew');
    await expect(shown).toHaveAccessibleName(/Claimed ?, Subscription ends in \d days, A message/);
    const { height, overflow } = await shown.evaluate((link) => ({
      height: link.getBoundingClientRect().height,
      overflow: link.scrollWidth - link.clientWidth,
    }));
    expect({ height, overflow }).toEqual({ height: 72, overflow: 0 });
    const badge = shown.getByText(/^(Subscription ends|Ends) in \d days$/).locator('visible=true');
    const edges = await badge.last().boundingBox();
    expect(edges?.height).toBeLessThan(20);
    expect((edges?.x ?? 0) + (edges?.width ?? 0)).toBeLessThanOrEqual(width - 12);
  });
}

test('a fan who joins through an invitation is in the inbox at once, and staff can write first', async ({
  desk,
}) => {
  const staff = await desk.hire();
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const page = await desk.open(staff);
  await tab(page, 'All').click();
  await expect(row(page, 'Ben')).toBeVisible();

  const email = `${unique('someone')}@fans.example`;
  await staff.client.call(createInvites, { body: { emails: [email] } });
  const token = await inviteToken(desk.server.smtp, email);
  await desk.anonymous.call(joinByInvitation, {
    params: { token },
    body: { first_name: 'Noa' },
  });

  const joined = row(
    page,
    'Noa, Trial · \\d+ days left, No messages yet · joined by invitation, Just now',
  );
  await expect(joined).toBeVisible();
  await joined.click();
  await expect(composer(page)).toBeEditable();
  await reply(page, 'Welcome, Noa!');
  await expect(bubble(page, 'Welcome, Noa!')).toBeVisible();
  await expect(row(page, 'Noa, .*Welcome, Noa!')).toBeVisible();
});
