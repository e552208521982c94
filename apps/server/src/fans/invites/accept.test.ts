import { acceptInvite } from '@stagedoor/contract/fans/invites';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sharedApp } from '../../../test/test-app.ts';
import { openInviteDesk } from '../../../test/worlds/invites.ts';

const app = await sharedApp();
const { invited, accept, buildFan, find, age } = await openInviteDesk(app);

const benefitOf = (fanId: string) =>
  app.db.kysely
    .selectFrom('fan_benefits')
    .selectAll()
    .where('fan_id', '=', fanId)
    .executeTakeFirst();

/** Returns the instant that is a PostgreSQL interval after another. */
async function after(instant: string, interval: string): Promise<string> {
  const { rows } = await sql<{ at: Date }>`
    select ${instant}::timestamptz + ${interval}::interval as at`.execute(app.db.kysely);
  return rows[0]?.at.toISOString() ?? '';
}

test.each([
  ['24_hours_free', '24 hours'],
  ['1_month_free', '1 month'],
  ['3_months_free', '3 months'],
] as const)('accepting %s grants it for %s', async (benefit, interval) => {
  const { email, token, id } = await invited(benefit);
  const fan = await buildFan();
  const { data } = (await accept(token, fan.external_id)).body;
  expect(data).toMatchObject({
    invite_id: id,
    fan: fan.external_id,
    benefit_type: benefit,
    benefit_ends_at: await after(data.accepted_at, interval),
  });
  expect(await benefitOf(fan.id)).toMatchObject({ benefit_type: benefit });
  expect(await find(email)).toMatchObject({ state: 'accepted', accepted_at: data.accepted_at });
});

test('a full subscription has no end', async () => {
  const { token } = await invited('full_subscription');
  const fan = await buildFan();
  expect((await accept(token, fan.external_id)).body.data.benefit_ends_at).toBeNull();
  expect((await benefitOf(fan.id))?.ends_at).toBeNull();
});

test('a second benefit extends the first; one without an end keeps none', async () => {
  const fan = await buildFan();
  const accepted = async (benefit: Parameters<typeof invited>[0]) =>
    (await accept((await invited(benefit)).token, fan.external_id)).body.data.benefit_ends_at;
  const month = await accepted('1_month_free');
  expect(await accepted('24_hours_free')).toBe(await after(month ?? '', '24 hours'));
  expect(await accepted('full_subscription')).toBeNull();
  expect(await accepted('1_month_free')).toBeNull();
  expect(await benefitOf(fan.id)).toMatchObject({ benefit_type: 'full_subscription' });
});

test('an expired benefit starts again', async () => {
  const fan = await buildFan();
  await accept((await invited('1_month_free')).token, fan.external_id);
  await sql`update fan_benefits set started_at = now() - interval '1 year', ends_at = now() - interval '1 month'
    where fan_id = ${fan.id}`.execute(app.db.kysely);
  const { data } = (await accept((await invited('24_hours_free')).token, fan.external_id)).body;
  expect(data.benefit_ends_at).toBe(await after(data.accepted_at, '24 hours'));
});

test('a retry by the same fan gets the same result, even after expiry; another fan is refused', async () => {
  const { email, token } = await invited();
  const [fan, other] = [await buildFan(), await buildFan()];
  const first = await accept(token, fan.external_id);
  await age(email, 'expires_at', sql`interval '1 second'`);
  expect((await accept(token, fan.external_id)).text).toBe(first.text);
  const refusal = await app.platform.refused(acceptInvite, {
    params: { token },
    body: { fan: other.external_id },
  });
  expect(refusal).toMatchObject({ status: 409, code: 'invite_used' });
  expect(await benefitOf(other.id)).toBeUndefined();
});

test('an expired invitation can’t be accepted', async () => {
  const { email, token } = await invited();
  await age(email, 'expires_at', sql`interval '1 millisecond'`);
  const fan = await buildFan();
  const refusal = await app.platform.refused(acceptInvite, {
    params: { token },
    body: { fan: fan.external_id },
  });
  expect(refusal).toMatchObject({ status: 410, code: 'invite_expired' });
  expect(await benefitOf(fan.id)).toBeUndefined();
});

test('of sixteen fans at once, one accepts, and only that fan gets the benefit', async () => {
  const { token } = await invited();
  const fans = await Promise.all(Array.from({ length: 16 }, () => buildFan()));
  const replies = await Promise.all(
    fans.map(({ external_id }) =>
      app.platform.raw('POST', `/api/platform/invites/${token}/accept`, {
        body: { fan: external_id },
      }),
    ),
  );
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 409));
  const granted = await Promise.all(fans.map(({ id }) => benefitOf(id)));
  expect(granted.filter((benefit) => benefit !== undefined)).toHaveLength(1);
});

test('one fan who accepts sixteen times at once gets the benefit once', async () => {
  const { token } = await invited('24_hours_free');
  const fan = await buildFan();
  const replies = await Promise.all(
    Array.from({ length: 16 }, () => accept(token, fan.external_id)),
  );
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  const ends = (await benefitOf(fan.id))?.ends_at;
  expect(ends?.toISOString()).toBe(replies[0]?.body.data.benefit_ends_at);
});

test('a fan who accepts several at once gets them all', async () => {
  const fan = await buildFan();
  const tokens = await Promise.all(
    Array.from({ length: 4 }, async () => (await invited('24_hours_free')).token),
  );
  const replies = await Promise.all(tokens.map((token) => accept(token, fan.external_id)));
  const ends = replies.map(({ body }) => Date.parse(body.data.benefit_ends_at ?? ''));
  const starts = replies.map(({ body }) => Date.parse(body.data.accepted_at));
  const longest = Math.max(...ends) - Math.min(...starts);
  expect(Math.round(longest / 86_400_000)).toBe(4);
});

test('an unknown token, or fan, is not found', async () => {
  const { token } = await invited();
  const fan = await buildFan();
  const cases = [
    [token, 'nobody', 'fan_not_found'],
    ['nonsense', fan.external_id, 'invite_not_found'],
    [token.slice(1), fan.external_id, 'invite_not_found'],
  ] as const;
  for (const [tried, body, code] of cases) {
    const refusal = await app.platform.refused(acceptInvite, {
      params: { token: tried },
      body: { fan: body },
    });
    expect(refusal).toMatchObject({ status: 404, code });
  }
});
