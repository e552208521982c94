import { buildFanMessage } from '../apps/server/test/factories.ts';
import { openConversation } from './support/conversation.ts';
import { openFan, shown } from './support/fan-client.ts';
import { expect, test } from './support/journey.ts';
import { bubble, rows, tab } from './support/screens.ts';

/** The server's rate limit response. */
const TOO_MANY = {
  status: 429,
  headers: { 'retry-after': '1', 'content-type': 'application/json' },
  body: JSON.stringify({ error: 'Too many requests', code: 'rate_limited' }),
};

test('when all refreshes are rate-limited, the console keeps its data without an error, and then catches up', async ({
  desk,
}) => {
  const { page, way, fan } = await openConversation(desk);
  await tab(page, 'All').click();
  await expect(rows(page)).toHaveCount(1);
  const refused = new Set<string>();
  await page.route(/\/api\//, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    refused.add(new URL(route.request().url()).pathname.replace(/[0-9a-f-]{36}/, '{id}'));
    return route.fulfill(TOO_MANY);
  });
  // The page refetches everything when it reconnects and when it becomes visible.
  await way.cut();
  await buildFanMessage(desk, fan, { content: 'While you were away' });
  way.restore();
  await way.untilLive(page);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect
    .poll(() => [...refused].filter((path) => /inbox|stats|messages$/.test(path)).length)
    .toBeGreaterThanOrEqual(3);
  await expect(rows(page)).toHaveCount(1);
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByText('Too many requests')).toHaveCount(0);
  await expect(page.getByText(/^(Failed to|Couldn’t)/)).toHaveCount(0);

  await page.unroute(/\/api\//);
  await buildFanMessage(desk, fan, { content: 'Back again' });
  await expect(bubble(page, 'Back again')).toBeVisible();
  await expect(bubble(page, 'While you were away')).toBeVisible();
});

test('a fan whose refresh is rate-limited keeps the messages, and then sees the rest', async ({
  desk,
}) => {
  const { page, fan } = await openFan(desk);
  await expect(shown(page, 'Hello there')).toBeVisible();
  await page.route(/\/api\/fan\//, (route) =>
    route.request().method() === 'GET' ? route.fulfill(TOO_MANY) : route.fallback(),
  );
  await page.context().setOffline(true);
  await buildFanMessage(desk, fan, { content: 'From another phone' });
  await page.context().setOffline(false);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(shown(page, 'Hello there')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.unroute(/\/api\/fan\//);
  await buildFanMessage(desk, fan, { content: 'And once more' });
  await expect(shown(page, 'And once more')).toBeVisible();
  await expect(shown(page, 'From another phone')).toBeVisible();
});
