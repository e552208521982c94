import { REACTION_EMOJI } from '@stagedoor/contract/messaging/messages';
import { ownClock, stopClock } from '../support/clock.ts';
import { action, openConversation } from '../support/conversation.ts';
import { expect, test } from '../support/journey.ts';
import { bubble, reply } from '../support/screens.ts';

test('29: exactly fourteen emoji are offered, with arrow key navigation; one’s own reaction is toggled, replaced and removed', async ({
  desk,
}) => {
  const { page, id, messages } = await openConversation(desk);
  const choose = async (emoji: string) => {
    await bubble(page, 'Hello there').hover();
    await action(page, 'Hello there', 'React').click();
    await page.getByRole('dialog').getByRole('button', { name: emoji, exact: true }).click();
  };
  await bubble(page, 'Hello there').hover();
  await action(page, 'Hello there', 'React').click();
  const offered = page
    .getByRole('dialog')
    .getByRole('group', { name: 'Reactions' })
    .getByRole('button');
  await expect(offered).toHaveText([...REACTION_EMOJI]);
  await expect(page.getByRole('button', { name: 'Remove Reaction' })).toHaveCount(0);
  await expect(offered.first()).toBeFocused();
  for (const [key, at] of [
    ['ArrowRight', 1],
    ['ArrowDown', 8],
    ['ArrowLeft', 7],
    ['ArrowUp', 0],
    ['ArrowLeft', 0],
    ['End', 13],
    ['ArrowRight', 13],
    ['ArrowUp', 6],
    ['Home', 0],
  ] as const) {
    await page.keyboard.press(key);
    await expect(offered.nth(at), key).toBeFocused();
  }
  await page.keyboard.press('Escape');
  await expect(action(page, 'Hello there', 'React')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(
    bubble(page, 'Hello there').getByRole('button', {
      name: `${REACTION_EMOJI[1]} 1, including yours`,
    }),
  ).toBeVisible();
  await choose('🔥');
  const chip = (name: string) =>
    bubble(page, 'Hello there').getByRole('button', { name, exact: true });
  await expect(chip('🔥 1, including yours')).toBeVisible();
  const teammate = await desk.hire();
  const other = await desk.open(teammate, { path: `/inbox/${id}` });
  await expect(
    bubble(other, messages[0]?.content ?? '').getByRole('button', { name: '🔥 1', exact: true }),
  ).toBeVisible();
  await choose('❤️');
  await expect(chip('❤️ 1, including yours')).toBeVisible();
  await expect(chip('🔥 1, including yours')).toHaveCount(0);
  await chip('❤️ 1, including yours').click();
  await expect(chip('❤️ 1, including yours')).toHaveCount(0);
  await expect(
    bubble(other, 'Hello there').getByRole('button', { name: /^(🔥|❤️) \d/ }),
  ).toHaveCount(0);
});

test('30: without a live connection a reaction is refused, and the text says why', async ({
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

test('31: a quote of fifty characters leads to its message, which is highlighted for 2 s', async ({
  desk,
}) => {
  const long = 'The quick brown fox jumps over the lazy dog, and then it rests';
  const fillers = Array.from({ length: 30 }, (_, index) => `Filler ${index}`);
  const { page } = await openConversation(desk, [long, ...fillers], ownClock);
  await page.getByRole('log').hover();
  await expect(async () => {
    await page.mouse.wheel(0, -3_000);
    await bubble(page, long).hover({ timeout: 300 });
  }).toPass();
  await action(page, long, 'Reply').click();
  const cut = 'The quick brown fox jumps over the lazy dog, and t...';
  await expect(page.getByText(cut)).toBeVisible();
  await reply(page, 'Good dog');
  const quote = bubble(page, 'Good dog').getByRole('button', { name: cut });
  await expect(quote).toBeVisible();
  await quote.focus();
  await stopClock(page);
  await page.keyboard.press('Enter');
  const original = page.getByRole('article').filter({ hasText: 'and then it rests' });
  const isMarked = () =>
    original.evaluateAll((articles) =>
      articles
        .flatMap((article) => [...article.querySelectorAll('*')])
        .some((element) => /0px 0px 0px [1-9]/.test(getComputedStyle(element).boxShadow)),
    );
  /** When the highlight began and ended, in milliseconds of the page's time. */
  const changes: number[] = [];
  for (let at = 0; at <= 5_000 && changes.length < 2; at += 50) {
    await page.clock.runFor(50);
    if ((await isMarked()) === (changes.length === 0)) changes.push(at);
  }
  const [since = 0, until = 0] = changes;
  expect(until - since).toBeGreaterThanOrEqual(1_800);
  expect(until - since).toBeLessThanOrEqual(2_200);
  await expect(original).toBeInViewport();
});
