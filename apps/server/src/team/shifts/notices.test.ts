import {
  subscribeToPush,
  updateNotificationSettings,
} from '@stagedoor/contract/team/notifications';
import * as api from '@stagedoor/contract/team/shifts';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildStaff, type Staff } from '../../../test/factories.ts';
import { startPushService } from '../../../test/servers/push-service.ts';
import { sharedApp } from '../../../test/test-app.ts';

const service = await startPushService();
afterAll(() => service.close());
const app = await sharedApp({
  push: { rules: { allowLoopback: true }, retries: [0, 0], readFirstMs: 0 },
});
const boss = await buildStaff(app, { role: 'manager' });

/** An admin with a subscribed browser, their language and their time zone. */
async function subscribed(role: 'support' | 'manager', language: string, time_zone: string) {
  const staff = await buildStaff(app, { role });
  const browser = service.browser();
  await staff.client.call(subscribeToPush, { body: browser.subscription });
  await staff.client.call(updateNotificationSettings, {
    body: {
      fan_messages: 'none',
      sales: false,
      mentions: false,
      shows_text: false,
      quiet: null,
      time_zone,
    },
  });
  await sql`update admins set language = ${language} where id = ${staff.admin.id}`.execute(
    app.db.kysely,
  );
  return { ...staff, browser };
}

const plan = async (by: Staff, of: Staff, starts_at: string, ends_at: string, more: object = {}) =>
  (
    await by.client.call(api.createShift, {
      body: { admin_id: of.admin.id, starts_at, ends_at, ...more },
    })
  ).body.data;

test('a planned, moved or deleted shift notifies its admin, in their language and time zone', async () => {
  const mango = await subscribed('support', 'de', 'Europe/Berlin');
  const kiwi = await subscribed('support', 'en', 'America/New_York');
  const next = (of: typeof mango, title: string) =>
    of.browser.next(title, (push) => push.title === title);

  const { id } = await plan(boss, mango, '2038-01-04T09:00:00Z', '2038-01-04T17:00:00Z');
  const planned = await next(mango, 'Du hast eine neue Schicht');
  expect(planned).toMatchObject({ kind: 'shift' });
  expect(planned.body).toContain('10:00');
  expect(planned.body).toContain('18:00');

  const params = { id };
  await boss.client.call(api.updateShift, { params, body: { note: 'Train Kiwi' } });
  await boss.client.call(api.updateShift, { params, body: { ends_at: '2038-01-04T16:00:00Z' } });
  expect((await next(mango, 'Deine Schicht wurde verschoben')).body).toContain('17:00');
  await boss.client.call(api.updateShift, { params, body: { admin_id: kiwi.admin.id } });
  await next(mango, 'Deine Schicht wurde gelöscht');
  expect((await next(kiwi, 'You have a new shift')).body).toContain('04:00');

  const repeat = { rule: 'FREQ=DAILY;COUNT=3' };
  const first = await plan(boss, kiwi, '2038-02-01T09:00:00Z', '2038-02-01T17:00:00Z', { repeat });
  await next(kiwi, 'You have 3 new shifts');
  await boss.client.call(api.deleteShift, { params: { id: first.id }, query: { scope: 'all' } });
  await next(kiwi, '3 of your shifts were deleted');
  expect(mango.browser.received.map(({ payload }) => payload.title)).toEqual([
    'Du hast eine neue Schicht',
    'Deine Schicht wurde verschoben',
    'Deine Schicht wurde gelöscht',
  ]);
});

test('nobody is notified of shifts that they plan for themselves, or of shifts that are over', async () => {
  const lime = await subscribed('manager', 'en', 'UTC');
  await plan(lime, lime, '2038-01-04T09:00:00Z', '2038-01-04T17:00:00Z');
  await plan(boss, lime, '2026-01-04T09:00:00Z', '2026-01-04T17:00:00Z');
  await plan(boss, lime, '2038-01-05T09:00:00Z', '2038-01-05T17:00:00Z');
  const { body } = await lime.browser.next('a notification', () => true);
  expect(body).toContain('5');
  expect(lime.browser.received).toHaveLength(1);
});

test('a change to a series notifies of its shifts that are not over, even if its first one is', async () => {
  const kiwi = await subscribed('support', 'en', 'UTC');
  const lime = await subscribed('support', 'en', 'UTC');
  const next = (of: typeof kiwi, title: string) =>
    of.browser.next(title, (push) => push.title === title);
  const HOUR_MS = 3_600_000;
  // Three of the five shifts are over, even if the clocks change within these days.
  const at = (hours: number) => new Date(Date.now() + (hours - 52) * HOUR_MS).toISOString();
  const repeat = { rule: 'FREQ=DAILY;COUNT=5' };
  const { id, ends_at } = await plan(boss, kiwi, at(0), at(1), { repeat });
  await next(kiwi, 'You have 2 new shifts');

  const params = { id };
  const scope = 'all';
  const later = new Date(Date.parse(ends_at) + HOUR_MS).toISOString();
  await boss.client.call(api.updateShift, { params, body: { scope, ends_at: later } });
  await next(kiwi, '2 of your shifts were moved');
  await boss.client.call(api.updateShift, { params, body: { scope, admin_id: lime.admin.id } });
  await next(kiwi, '2 of your shifts were deleted');
  await next(lime, 'You have 2 new shifts');
  await boss.client.call(api.deleteShift, { params, query: { scope } });
  await next(lime, '2 of your shifts were deleted');
});

test('notifications of two shifts don’t replace each other while a device is offline', async () => {
  const kiwi = await subscribed('support', 'en', 'UTC');
  await plan(boss, kiwi, '2038-03-01T09:00:00Z', '2038-03-01T10:00:00Z');
  await plan(boss, kiwi, '2038-03-01T11:00:00Z', '2038-03-01T12:00:00Z');
  for (const start of ['09:00', '11:00']) {
    await kiwi.browser.next(start, ({ body }) => body.includes(start));
  }
  const [first, second] = kiwi.browser.received.map(({ headers }) => headers.topic);
  expect(first).not.toBe(second);
});

test('a granted request notifies the admin who asked, once', async () => {
  const mango = await subscribed('support', 'es', 'Europe/Madrid');
  const lime = await subscribed('manager', 'en', 'UTC');
  await sql`update team_settings set access_only_on_shift = true`.execute(app.db.kysely);
  const { body: asked } = await mango.client.call(api.askForTime);
  await lime.browser.next(
    'the request',
    ({ title }) => title === `${mango.admin.codename} asks for more time`,
  );
  const params = { id: asked.data.id };
  await boss.client.call(api.grantTime, { params });
  await boss.client.call(api.grantTime, { params });
  expect(await mango.browser.next('the grant', ({ kind }) => kind === 'granted')).toMatchObject({
    title: 'Tienes más tiempo',
    body: expect.stringMatching(/^Puedes trabajar hasta las \d\d:\d\d /),
  });
});
