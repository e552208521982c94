import { createInvites, listInvites, resendInvite } from '@stagedoor/contract/fans/invites';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildStaff, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { openInviteDesk, someone } from '../../../test/worlds/invites.ts';

const app = await sharedApp({ config: { publicUrl: 'https://inbox.example.com' } });
const { staff, invite, find, reaches, invited, mailedToken, accept, buildFan, age } =
  await openInviteDesk(app);

const auditOf = (id: string) =>
  app.db.kysely.selectFrom('audit_log').selectAll().where('target_id', '=', id).execute();

test('each address gets a separate email with one recipient, the benefit and a link', async () => {
  const emails = [someone(), someone(), someone()];
  const { success, errors } = await invite(emails, '3_months_free');
  expect(errors).toEqual([]);
  expect(success.map(({ email }) => email)).toEqual(emails);
  const tokens = await Promise.all(emails.map((email) => mailedToken(email)));
  expect(new Set(tokens).size).toBe(3);
  for (const [index, email] of emails.entries()) {
    const mails = app.smtp.received.filter(({ to }) => to.includes(email));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toEqual([email]);
    const { mail } = await app.smtp.mailTo(email);
    const { expires_at } = await reaches(email, 'sent');
    const day = new Date(expires_at).toLocaleDateString('en', {
      dateStyle: 'long',
      timeZone: 'UTC',
    });
    expect(mail.to?.map(({ address }) => address)).toEqual([email]);
    expect([mail.cc, mail.bcc]).toEqual([undefined, undefined]);
    expect(mail.subject).toBe('Aurora invites you: 3 months free');
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(`https://inbox.example.com/invite/${tokens[index]}`);
      expect(part).toContain('3 months free');
      expect(part).toContain(day);
      for (const other of emails) if (other !== email) expect(part).not.toContain(other);
    }
  }
});

test('addresses are trimmed, lowercased and deduplicated; blanks are dropped', async () => {
  const email = someone();
  const { success, errors } = await invite([`  ${email.toUpperCase()}\r\n`, '', '  ', email]);
  expect(success.map((one) => one.email)).toEqual([email]);
  expect(errors).toEqual([]);
  expect(await find(email)).toMatchObject({
    benefit_type: '1_month_free',
    invited_by: { id: staff.admin.id, codename: staff.admin.codename },
  });
});

test.each([
  'nobody',
  'a@b',
  '@fans.example',
  'a b@fans.example',
  'a@fans.example, b@fans.example',
  'Ana <a@fans.example>',
  'a@fans.example\r\nBcc: b@fans.example',
  'a@fans.example\nb@fans.example',
  'a@fans.example\0',
  '"a\r\nb"@fans.example',
  `${'a'.repeat(255 - '@fans.example'.length)}@fans.example`,
])('%j gets an error as an invalid address and doesn’t block the others', async (wrong) => {
  const right = someone();
  const { success, errors } = await invite([wrong, right]);
  expect(errors).toEqual([
    { email: wrong.trim().toLowerCase(), reason: 'Not a valid email address' },
  ]);
  expect(success.map(({ email }) => email)).toEqual([right]);
});

test.each([[undefined], [[]], [['', ' ', '\n']], ['a@fans.example']])(
  'a call without addresses (%j) is refused with the form’s error',
  async (emails) => {
    const refusal = await staff.client.refused(createInvites, { body: { emails } });
    expect(refusal).toMatchObject({
      status: 400,
      code: 'invalid_request',
      error: 'Please enter at least one email address',
    });
  },
);

test('an unknown benefit is refused', async () => {
  const body = { emails: [someone()], benefitType: 'forever' };
  expect(await staff.client.refused(createInvites, { body })).toMatchObject({ status: 400 });
});

test('a member or an already invited person is not invited again', async () => {
  const { email, token } = await invited();
  expect((await invite([email])).errors).toEqual([{ email, reason: 'Already invited' }]);
  const fan = await buildFan();
  await accept(token, fan.external_id);
  expect((await invite([email])).errors).toEqual([{ email, reason: 'Already a member' }]);
});

test('a fan with a benefit counts as a member under the platform’s email address', async () => {
  const { token } = await invited();
  const fan = await buildFan();
  const email = someone();
  await app.db.kysely.updateTable('fans').set({ email }).where('id', '=', fan.id).execute();
  expect((await invite([email])).success).toHaveLength(1);
  await accept(token, fan.external_id);
  await app.db.kysely.deleteFrom('invites').where('email', '=', email).execute();
  expect((await invite([email])).errors).toEqual([{ email, reason: 'Already a member' }]);
});

test('of sixteen simultaneous invitations of one person, one succeeds', async () => {
  const email = someone();
  const outcomes = await Promise.all(Array.from({ length: 16 }, () => invite([email])));
  expect(outcomes.flatMap(({ success }) => success)).toHaveLength(1);
  await reaches(email, 'sent');
  expect(app.smtp.received.filter(({ to }) => to.includes(email))).toHaveLength(1);
});

test('every invitation is audited without its email address', async () => {
  const email = someone();
  const { success } = await invite([email], 'full_subscription');
  expect(await auditOf(success[0]?.id ?? '')).toMatchObject([
    {
      admin_id: staff.admin.id,
      action: 'invite.create',
      details: { benefit_type: 'full_subscription' },
    },
  ]);
  const dump = await app.db.kysely.selectFrom('audit_log').selectAll().execute();
  expect(JSON.stringify(dump)).not.toContain(email);
});

test('tokens are not stored in the database', async () => {
  const { token } = await invited();
  const { rows } = await sql<{ dump: string }>`
    select (select string_agg(i::text, '') from invites i)
      || (select string_agg(j::text, '') from jobs.job j) as dump`.execute(app.db.kysely);
  expect(rows[0]?.dump).not.toContain(token);
  expect(rows[0]?.dump).not.toContain(Buffer.from(token).toString('hex'));
});

test('the list is paged, newest first, and can be filtered by state', async () => {
  const emails = [someone(), someone(), someone()];
  for (const email of emails) await invite([email]);
  for (const email of emails) await reaches(email, 'sent');
  const first = await staff.client.call(listInvites, { query: { limit: 2, state: 'sent' } });
  expect(first.body.data.map(({ email }) => email)).toEqual([emails[2], emails[1]]);
  const cursor = first.body.next_cursor ?? '';
  const next = await staff.client.call(listInvites, { query: { limit: 2, cursor, state: 'sent' } });
  expect(next.body.data[0]?.email).toBe(emails[0]);
  await age(emails[0] ?? '', 'expires_at', sql`interval '1 second'`);
  const states = ['queued', 'sent', 'failed', 'opened', 'accepted', 'expired'] as const;
  for (const state of states) {
    const { body } = await staff.client.call(listInvites, { query: { state, limit: 200 } });
    expect(new Set(body.data.map((one) => one.state)).size).toBeLessThanOrEqual(1);
    expect(body.data.some(({ email }) => email === emails[0])).toBe(state === 'expired');
  }
  for (const wrong of ['x', '-1', '1e3', '9'.repeat(30)]) {
    const refusal = await staff.client.refused(listInvites, { query: { cursor: wrong } });
    expect(refusal.status).toBe(400);
  }
});

test('an expired invitation can be sent again with a new link; the old link stops working', async () => {
  const { email, token, id } = await invited();
  await age(email, 'expires_at', sql`interval '1 second'`);
  expect(await find(email)).toMatchObject({ state: 'expired', can_resend: true });
  const other = await buildStaff(app);
  const { body } = await other.client.call(resendInvite, { params: { id } });
  expect(Date.parse(body.data.expires_at)).toBeGreaterThan(Date.now() + 13 * 86_400_000);
  const again = await mailedToken(email, 1);
  expect(again).not.toBe(token);
  expect((await reaches(email, 'sent')).can_resend).toBe(false);
  const fan = await buildFan();
  const dead = await app.platform.raw('POST', `/api/platform/invites/${token}/accept`, {
    body: { fan: fan.external_id },
  });
  expect(dead.status).toBe(404);
  expect((await accept(again, fan.external_id)).status).toBe(200);
  expect((await auditOf(id)).map(({ action, admin_id }) => [action, admin_id])).toEqual([
    ['invite.create', staff.admin.id],
    ['invite.resend', other.admin.id],
  ]);
});

test('a delivered invitation can be sent again only after a day; an accepted one never', async () => {
  const { email, token, id } = await invited();
  const params = { id };
  const early = await staff.client.refused(resendInvite, { params });
  expect(early).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(86_000);
  await age(email, 'sent_at', sql`interval '25 hours'`);
  expect((await find(email))?.can_resend).toBe(true);
  await staff.client.call(resendInvite, { params });
  const again = await mailedToken(email, 1);
  expect(again).not.toBe(token);
  await accept(again, (await buildFan()).external_id);
  const refusal = await staff.client.refused(resendInvite, { params });
  expect(refusal).toMatchObject({ status: 409, code: 'invite_used' });
  for (const unknown of [crypto.randomUUID(), 'nonsense']) {
    const missing = await staff.client.refused(resendInvite, { params: { id: unknown } });
    expect(missing).toMatchObject({ status: 404, code: 'invite_not_found' });
  }
});

test('an invitation is not sent again if its address got a newer one', async () => {
  const { email, id } = await invited();
  await age(email, 'expires_at', sql`interval '1 second'`);
  expect((await invite([email])).success).toHaveLength(1);
  const refusal = await staff.client.refused(resendInvite, { params: { id } });
  expect(refusal).toMatchObject({ status: 409, error: 'Already invited' });
});

test('erasing a fan also deletes their invitations', async () => {
  const { email, token, id } = await invited();
  const fan = await buildFan();
  await accept(token, fan.external_id);
  await app.platform.raw('DELETE', `/api/platform/fans/${fan.external_id}`);
  const { body } = await staff.client.call(listInvites, { query: { limit: 200 } });
  expect(JSON.stringify(body)).not.toContain(email);
  expect(body.data.find((listed) => listed.id === id)).toMatchObject({
    email: 'erased',
    state: 'accepted',
  });
});

test('an admin can invite 200 people a day, and all admins together 1,000', async () => {
  const eager = await buildStaff(app);
  const mailed = async (adminId: string, count: number) => {
    const { id } = await invited();
    await sql`insert into invite_mails (invite_id, admin_id)
      select ${id}, ${adminId} from generate_series(1, ${count})`.execute(app.db.kysely);
  };
  await mailed(eager.admin.id, 198);
  const emails = [someone(), someone(), someone()];
  const outcomes = await Promise.all(emails.map((email) => invite([email], undefined, eager)));
  expect(outcomes.flatMap(({ success }) => success)).toHaveLength(2);
  const refused = outcomes.flatMap(({ errors }) => errors);
  expect(refused.map(({ reason }) => reason)).toEqual(['Daily limit reached']);
  expect((await invite([someone()])).success).toHaveLength(1);

  const resent = await invited();
  await age(resent.email, 'expires_at', sql`interval '1 second'`);
  const limited = await eager.client.refused(resendInvite, { params: { id: resent.id } });
  expect(limited).toMatchObject({ status: 429, error: 'Daily limit reached' });

  await mailed((await buildStaff(app)).admin.id, 1_000);
  const email = someone();
  expect((await invite([email])).errors).toEqual([{ email, reason: 'Daily limit reached' }]);
  await sql`update invite_mails set at = at - interval '24 hours'`.execute(app.db.kysely);
  expect((await invite([email], undefined, eager)).success).toHaveLength(1);
});

test('one call accepts a thousand addresses; more are refused', async () => {
  const emails = Array.from({ length: 1_001 }, () => `${unique('n')}@invalid`);
  const { errors } = await invite(emails.slice(1));
  expect(errors).toHaveLength(1_000);
  const refusal = await staff.client.refused(createInvites, { body: { emails } });
  expect(refusal).toMatchObject({
    status: 400,
    error: 'Please enter at most 1,000 email addresses',
  });
});
