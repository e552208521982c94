import type { Subscription } from '@stagedoor/contract/fans/subscriptions';
import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { eraseFan, putSubscription } from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildConversation, buildFan, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { openInviteDesk } from '../../../test/worlds/invites.ts';

const app = await sharedApp();
const { staff, invited, accept } = await openInviteDesk(app);

const put = (fan: string, body: Record<string, unknown>) =>
  app.platform.call(putSubscription, { params: { fan }, body: body as { status: null } });
const shown = async (id: string) =>
  (await staff.client.call(getConversation, { params: { id } })).body.data;

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

test('the platform’s subscription of a fan is returned, stored and immediately shown to staff', async () => {
  const { id, fan } = await buildConversation(app);
  const socket = await app.connectSocket(staff.token);
  expect((await shown(id)).fan.subscription).toBeNull();
  const said: (Subscription | null)[] = [
    { status: 'trial', ends_at: inHours(5) },
    { status: 'subscribed', ends_at: inHours(700) },
    { status: 'subscribed', ends_at: null },
    null,
  ];
  for (const subscription of said) {
    const before = (await shown(id)).version;
    const { body } = await put(fan.external_id, subscription ?? { status: null });
    expect(body.data).toEqual({ subscription });
    const { conversation } = await socket.nextEvent('conversation_updated');
    expect(conversation.version).toBe(before + 1);
    expect(conversation.fan.subscription).toEqual(subscription);
    expect(await shown(id)).toEqual(conversation);
  }
});

test('setting the same subscription again changes and emits nothing', async () => {
  const { id, fan } = await buildConversation(app);
  const subscription = { status: 'trial', ends_at: inHours(5) };
  await put(fan.external_id, subscription);
  const before = await shown(id);
  const { body } = await put(fan.external_id, subscription);
  expect(body.data).toEqual({ subscription });
  expect(await shown(id)).toEqual(before);
  await put(fan.external_id, { status: null });
  const cleared = await shown(id);
  await put(fan.external_id, { status: null });
  expect(await shown(id)).toEqual(cleared);
});

test('the end can be any instant, even in the past, with any offset', async () => {
  const { id, fan } = await buildConversation(app);
  await put(fan.external_id, { status: 'subscribed', ends_at: inHours(24) });
  const { body } = await put(fan.external_id, {
    status: 'trial',
    ends_at: '2024-02-29T23:30:00.1239+05:30',
  });
  const expected = { status: 'trial', ends_at: '2024-02-29T18:00:00.123Z' };
  expect(body.data.subscription).toEqual(expected);
  expect((await shown(id)).fan.subscription).toEqual(expected);
});

test.each([
  [{ status: 'gold' }],
  [{}],
  [{ status: 'trial', ends_at: 'tomorrow' }],
  [{ status: 'trial', ends_at: '2026-02-30T00:00:00Z' }],
  [{ status: 'trial', ends_at: '1970-01-01T00:00:00Z' }],
  [{ status: null, ends_at: '2030-01-01T00:00:00Z' }],
  [{ status: 'trial', since: '2030-01-01T00:00:00Z' }],
])('%j is refused and changes nothing', async (body) => {
  const { id, fan } = await buildConversation(app);
  await put(fan.external_id, { status: 'subscribed' });
  const before = await shown(id);
  const params = { fan: fan.external_id };
  const refusal = await app.platform.refused(putSubscription, { params, body });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await shown(id)).toEqual(before);
});

test('setting the subscription of an unknown or erased fan is refused', async () => {
  const fan = await buildFan(app);
  await put(fan.external_id, { status: 'trial', ends_at: inHours(1) });
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  for (const name of [unique('nobody'), fan.external_id]) {
    const input = { params: { fan: name }, body: { status: 'trial' } };
    const refusal = await app.platform.refused(putSubscription, input);
    expect(refusal).toMatchObject({ status: 404, code: 'fan_not_found' });
  }
  const { rows } = await sql`select from fan_benefits where fan_id = ${fan.id}`.execute(
    app.db.kysely,
  );
  expect(rows).toEqual([]);
});

test('an accepted invitation shows immediately and extends the platform’s subscription', async () => {
  const { id, fan } = await buildConversation(app);
  const ends = inHours(10);
  await put(fan.external_id, { status: 'trial', ends_at: ends });
  const socket = await app.connectSocket(staff.token);
  const { token } = await invited('24_hours_free');
  const { data } = (await accept(token, fan.external_id)).body;
  expect(Date.parse(data.benefit_ends_at ?? '') - Date.parse(ends)).toBe(24 * HOUR_MS);
  const { conversation } = await socket.nextEvent('conversation_updated');
  const subscription = { status: 'trial', ends_at: data.benefit_ends_at };
  expect(conversation).toMatchObject({ id, fan: { subscription } });
  await accept(token, fan.external_id);
  expect(await shown(id)).toEqual(conversation);
});

test('a trial extends a running subscription, which stays a subscription, and replaces an expired one', async () => {
  const running = await buildConversation(app);
  const over = await buildConversation(app);
  await put(running.fan.external_id, { status: 'subscribed', ends_at: inHours(1) });
  await put(over.fan.external_id, { status: 'subscribed', ends_at: inHours(-1) });
  for (const { fan } of [running, over]) {
    await accept((await invited('24_hours_free')).token, fan.external_id);
  }
  const { subscription } = (await shown(running.id)).fan;
  expect(subscription?.status).toBe('subscribed');
  expect(Date.parse(subscription?.ends_at ?? '')).toBeGreaterThan(Date.now() + 24 * HOUR_MS);
  expect((await shown(over.id)).fan.subscription?.status).toBe('trial');
});

test('an end in the year 9999 is not extended', async () => {
  const { id, fan } = await buildConversation(app);
  const ends_at = '9999-12-31T23:59:59.999Z';
  await put(fan.external_id, { status: 'subscribed', ends_at });
  const { data } = (await accept((await invited('3_months_free')).token, fan.external_id)).body;
  expect(data.benefit_ends_at).toBe(ends_at);
  expect((await shown(id)).fan.subscription).toEqual({ status: 'subscribed', ends_at });
});

test('an invitation to a full subscription turns a trial into a subscription without an end', async () => {
  const { id, fan } = await buildConversation(app);
  await put(fan.external_id, { status: 'trial', ends_at: inHours(1) });
  await accept((await invited('full_subscription')).token, fan.external_id);
  expect((await shown(id)).fan.subscription).toEqual({ status: 'subscribed', ends_at: null });
});

test('sixteen simultaneous calls leave one of their subscriptions, emit each change, and none fails', async () => {
  const { id, fan } = await buildConversation(app);
  const socket = await app.connectSocket(staff.token);
  const before = (await shown(id)).version;
  const ends = Array.from({ length: 16 }, (_, index) => inHours(index + 1));
  await Promise.all(ends.map((ends_at) => put(fan.external_id, { status: 'trial', ends_at })));
  const after = await shown(id);
  expect(after.version).toBe(before + 16);
  expect(ends).toContain(after.fan.subscription?.ends_at);
  const last = await socket.nextEvent(
    'conversation_updated',
    ({ conversation }) => conversation.version === after.version,
  );
  expect(last.conversation).toEqual(after);
});
