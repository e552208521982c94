import { resendInvite } from '@stagedoor/contract/fans/invites';
import { openInvitation, showInvitation } from '@stagedoor/contract/platform/fan-app';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildConversation } from '../../../test/factories.ts';
import { CREATOR_NAME, sharedApp, startTestApp } from '../../../test/test-app.ts';
import { openInviteDesk } from '../../../test/worlds/invites.ts';

const app = await sharedApp();
const { staff, invite, invited, accept, buildFan, find, age, mailedToken } =
  await openInviteDesk(app);

const show = (token: string) => app.anonymous.call(showInvitation, { params: { token } });
const open = (token: string) => app.anonymous.call(openInvitation, { params: { token } });

test('the page gets the creator, the benefit and the expiry, and nothing about the staff or the recipient', async () => {
  const { email, token } = await invited('3_months_free');
  const { body, text } = await show(token);
  expect(body.data).toEqual({
    creator: { id: body.data.creator.id, display_name: CREATOR_NAME, avatar_url: null },
    benefit_type: '3_months_free',
    expires_at: (await find(email))?.expires_at,
    joined: false,
  });
  const { admin } = staff;
  for (const part of [email, admin.codename, admin.email, admin.id]) {
    expect(text).not.toContain(part);
  }
});

test('showing an invitation changes nothing, even if a program follows the link', async () => {
  const { email, token } = await invited();
  const before = await find(email);
  await show(token);
  await app.anonymous.raw('HEAD', `/api/fan/invitations/${token}`);
  expect(await find(email)).toEqual(before);
});

test('opening the page marks the invitation as opened once, and as sent', async () => {
  const { email, token } = await invited();
  await open(token);
  const opened = await find(email);
  expect(opened).toMatchObject({ state: 'opened', sent_at: expect.any(String) });
  await open(token);
  expect(await find(email)).toEqual(opened);
});

test('an invitation whose email failed can still be opened', async () => {
  const { email, token } = await invited();
  await sql`update invites set state = 'failed', error = 'Refused', sent_at = null where email = ${email}`.execute(
    app.db.kysely,
  );
  await open(token);
  const opened = await find(email);
  expect(opened).toMatchObject({ state: 'opened', error: null, sent_at: expect.any(String) });
});

test.each([
  ['nonsense', 404, 'invite_not_found'],
  ['sent again', 404, 'invite_not_found'],
  ['expired', 410, 'invite_expired'],
  ['accepted by a fan of the platform', 409, 'invite_used'],
] as const)('a link that is %s shows and opens nothing', async (what, status, code) => {
  const { email, token, id } = await invited();
  if (what === 'sent again') {
    await age(email, 'sent_at', sql`interval '25 hours'`);
    await staff.client.call(resendInvite, { params: { id } });
    const newer = await mailedToken(email, 1);
    expect((await show(newer)).status).toBe(200);
  }
  if (what === 'expired') await age(email, 'expires_at', sql`interval '1 millisecond'`);
  if (what === 'accepted by a fan of the platform') {
    await accept(token, (await buildFan()).external_id);
  }
  const before = await find(email);
  const params = { token: what === 'nonsense' ? what : token };
  for (const endpoint of [showInvitation, openInvitation]) {
    expect(await app.anonymous.refused(endpoint, { params })).toMatchObject({ status, code });
  }
  expect(await find(email)).toEqual(before);
});

test('calls are limited per IP address, and the error says how long to wait', async () => {
  const own = await startTestApp();
  const replies = [];
  for (let call = 0; call < 241; call++) {
    replies.push(await own.anonymous.raw('GET', '/api/fan/invitations/guess'));
  }
  expect(replies[239]?.status).toBe(404);
  expect(replies[240]?.status).toBe(429);
  expect(Number(replies[240]?.headers.get('retry-after'))).toBeGreaterThan(0);
  await own.close();
});

test('an invitation to the address of an existing fan shows nothing of their conversation', async () => {
  const { fan } = await buildConversation(app, { messages: ['A secret'] });
  const email = 'known@fans.example';
  await sql`update fans set email = ${email} where id = ${fan.id}`.execute(app.db.kysely);
  await invite([email]);
  const { text } = await show(await mailedToken(email));
  for (const part of ['A secret', fan.id, fan.external_id]) expect(text).not.toContain(part);
});
