import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openInviteDesk } from '../../../test/invites.ts';
import { rawRequest } from '../../../test/raw-request.ts';
import { CREATOR_NAME, startTestApp } from '../../../test/test-app.ts';

const app = await startTestApp();
afterAll(() => app.close());
const { staff, invited, accept, buildFan, find, reaches, age } = await openInviteDesk(app);

const look = (token: string) => rawRequest(app.url, { path: `/invite/${token}` });
/** As a browser sends the form. */
const press = (token: string) =>
  rawRequest(app.url, {
    method: 'POST',
    path: `/invite/${token}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' },
  });

test('the link shows who invites, to what and until when, and nothing of the staff', async () => {
  const { email, token } = await invited('3_months_free');
  const { status, headers, text } = await look(token);
  expect(status).toBe(200);
  expect(headers['content-type']).toContain('text/html');
  for (const part of [CREATOR_NAME, '3 months free', 'Continue']) expect(text).toContain(part);
  const { admin } = staff;
  for (const part of [email, token, admin.codename, admin.email, admin.id]) {
    expect(text).not.toContain(part);
  }
});

test('the page runs no scripts, sends nothing elsewhere, is not indexed, framed or kept', async () => {
  const { token } = await invited();
  for (const { headers, text } of [await look(token), await press(token), await look('x')]) {
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers['x-robots-tag']).toBe('noindex, nofollow');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(text).not.toMatch(/<script|style=|https?:/);
  }
  const style = await rawRequest(app.url, { path: '/invite.css' });
  expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
});

test('looking at the link changes nothing, however often; pressing the button opens it once', async () => {
  const { email, token } = await invited();
  for (let index = 0; index < 3; index++) await look(token);
  await rawRequest(app.url, { method: 'HEAD', path: `/invite/${token}` });
  expect(await find(email)).toMatchObject({ state: 'sent', opened_at: null });
  const { status, text } = await press(token);
  expect(status).toBe(200);
  expect(text).toContain(token);
  const opened = await reaches(email, 'opened');
  await press(token);
  expect(await find(email)).toEqual(opened);
});

test('one that was opened is accepted like any other', async () => {
  const { email, token } = await invited();
  await press(token);
  await accept(token, (await buildFan()).external_id);
  await reaches(email, 'accepted');
  await press(token);
  expect((await find(email))?.state).toBe('accepted');
});

test('an expired, a used and an unknown invitation say so, and show no code', async () => {
  const expired = await invited();
  await age(expired.email, 'expires_at', sql`interval '1 second'`);
  const used = await invited();
  await accept(used.token, (await buildFan()).external_id);
  const cases = [
    [expired.token, 410, 'This invitation has expired'],
    [used.token, 410, 'This invitation was accepted already'],
    ['A'.repeat(43), 404, 'This invitation is not valid'],
    ['%3Cscript%3E', 404, 'This invitation is not valid'],
  ] as const;
  for (const [token, status, text] of cases) {
    for (const reply of [await look(token), await press(token)]) {
      expect(reply.status).toBe(status);
      expect(reply.text).toContain(text);
      expect(reply.text).not.toContain(token);
    }
  }
  expect((await find(expired.email))?.state).toBe('expired');
});

test('the creator’s name is text, whatever it holds', async () => {
  await app.db.kysely
    .updateTable('creators')
    .set({ display_name: '<img src=x onerror=alert(1)>"' })
    .execute();
  const { token } = await invited();
  for (const { text } of [await look(token), await press(token)]) {
    expect(text).not.toContain('<img');
    expect(text).toContain('&#60;img');
  }
});
