import { addAdmin, removeAdmin } from '@stagedoor/contract/team/admins';
import { listAudit } from '@stagedoor/contract/team/audit';
import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { finishPasskeySignIn, startPasskeySignIn } from '@stagedoor/contract/team/passkeys';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { buildAdmin, buildStaff, unique } from '../../../test/factories.ts';
import { buildHolder, enterCode, signInByPasskey } from '../../../test/passkeys.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import * as server from '../admins/server-admins.ts';

const app = await sharedApp({ config: { trustProxy: true } });
const manager = await buildStaff(app, { role: 'manager' });

let callers = 0;
/** A unique IP address, so that only the limits per email apply. */
const headers = () => ({ 'x-forwarded-for': `10.1.${(++callers >> 8) & 255}.${callers & 255}` });
const request = (email: string) =>
  app.anonymous.raw('POST', requestOtp.path, { body: { email }, headers: headers() });
const verify = (email: string, code: string) =>
  app.anonymous.raw('POST', verifyOtp.path, { body: { email, code }, headers: headers() });

/** Backdates the failures of an address. */
async function age(email: string, seconds: number): Promise<void> {
  await sql`update login_codes set created_at = created_at - make_interval(secs => ${seconds})
    where email = ${email}`.execute(app.db.kysely);
  await sql`update sign_in_failures set last_at = last_at - make_interval(secs => ${seconds})
    where email = ${email}`.execute(app.db.kysely);
}

/** Requests a code and returns it. */
async function askForCode(email: string): Promise<string> {
  const before = app.smtp.codesTo(email).length;
  expect((await request(email)).status).toBe(200);
  await expect.poll(() => app.smtp.codesTo(email).length).toBe(before + 1);
  return app.smtp.codesTo(email).at(-1) ?? '';
}
const wrong = (code: string, by: number) =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0');

/** Enters wrong codes until there are this many in a row. */
async function failUpTo(email: string, failures: number): Promise<void> {
  await sql`insert into sign_in_failures (email, failures, last_at)
    values (${email}, ${failures - 1}, clock_timestamp() - interval '29 days')
    on conflict (email) do update set failures = excluded.failures, last_at = excluded.last_at`.execute(
    app.db.kysely,
  );
  await age(email, 3_601);
  const code = await askForCode(email);
  expect((await verify(email, wrong(code, 1))).status).toBe(401);
}

const audited = async (id: string) => {
  const { body } = await manager.client.call(listAudit, { query: { target_id: id } });
  return body.data.map(({ action, details }) => ({ action, details }));
};

test('after ten wrong codes in a row, an address must wait and its admin is warned once', async () => {
  const { email } = await buildAdmin(app);
  for (let codes = 0; codes < 2; codes++) {
    const code = await askForCode(email);
    for (let by = 1; by <= 5; by++) expect((await verify(email, wrong(code, by))).status).toBe(401);
    if (codes === 0) await age(email, 61);
  }
  for (const reply of [await request(email), await verify(email, '000000')]) {
    expect(reply.status).toBe(429);
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'too_many_wrong_codes' });
    const wait = Number(reply.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  }
  const warnings = () =>
    app.smtp.received.filter(
      ({ to, mail }) => to.includes(email) && mail.subject?.startsWith('Wrong sign-in codes'),
    );
  await expect.poll(() => warnings().length).toBe(1);
  await age(email, 61);
  const code = await askForCode(email);
  expect((await verify(email, wrong(code, 1))).status).toBe(401);
  expect((await verify(email, code)).status).toBe(429);
  await age(email, 121);
  expect((await verify(email, code)).status).toBe(200);
  expect(warnings()).toHaveLength(1);
});

test('the warning arrives, even if the process stopped while the mail server was down', async () => {
  const database = await createTestDatabase();
  const before = await startTestApp({ databaseUrl: database.url });
  const { email } = await buildAdmin(before);
  await before.anonymous.call(requestOtp, { body: { email } });
  const code = wrong(await before.smtp.codeFor(email), 1);
  await sql`insert into sign_in_failures values (${email}, 9, now())`.execute(before.db.kysely);
  before.smtp.closed.set(email, 451);
  const refusal = await before.anonymous.refused(verifyOtp, { body: { email, code } });
  expect(refusal.code).toBe('invalid_code');
  await expect.poll(() => before.smtp.refused).toBeGreaterThan(0);
  await before.close();
  const after = await startTestApp({ databaseUrl: database.url });
  const warned = () => after.smtp.received.map(({ to, mail }) => [to, mail.subject]);
  const subject = 'Wrong sign-in codes for your Stagedoor account';
  await expect.poll(warned, { timeout: 30_000 }).toEqual([[[email], subject]]);
  await after.close();
  await database.drop();
}, 60_000);

test('each further wrong code doubles the wait, up to a day, and the hundredth blocks the address', async () => {
  const { email } = await buildAdmin(app);
  const waits: number[] = [];
  for (const failures of [10, 11, 12, 20, 21, 99, 100]) {
    await failUpTo(email, failures);
    const { headers: replied } = await verify(email, '000000');
    waits.push(Number(replied.get('retry-after')));
  }
  const expected = [60, 120, 240, 61_440, 86_400, 86_400, 30 * 86_400];
  // The calls themselves take time.
  for (const [index, seconds] of expected.entries()) {
    expect(waits[index]).toBeLessThanOrEqual(seconds);
    expect(waits[index]).toBeGreaterThan(seconds - 50);
  }
  await age(email, 29 * 86_400);
  expect((await request(email)).status).toBe(429);
  await age(email, 86_400);
  const code = await askForCode(email);
  expect((await verify(email, code)).status).toBe(200);
});

test('simultaneous wrong codes can’t exceed the limit', async () => {
  const { email } = await buildAdmin(app);
  await failUpTo(email, 8);
  const code = app.smtp.codesTo(email).at(-1) ?? '';
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, by) => verify(email, wrong(code, by + 2))),
  );
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(2);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(18);
});

test('a correct code clears the count', async () => {
  const { email } = await buildAdmin(app);
  await failUpTo(email, 9);
  expect((await verify(email, app.smtp.codesTo(email).at(-1) ?? '')).status).toBe(200);
  await age(email, 61);
  const code = await askForCode(email);
  for (let by = 1; by <= 4; by++) expect((await verify(email, wrong(code, by))).status).toBe(401);
  expect((await verify(email, code)).status).toBe(200);
});

test('known, unknown and removed addresses wait equally', async () => {
  const known = await buildAdmin(app);
  const removed = await buildAdmin(app, { is_active: false });
  const unknown = `${unique('nobody')}@staff.example`;
  const answers = [];
  for (const email of [known.email, removed.email, unknown]) {
    const tried = [];
    for (let codes = 0; codes < 2; codes++) {
      await age(email, 61);
      // Only a known address has a code, which the wrong codes must not equal.
      const code = email === known.email ? await askForCode(email) : '000000';
      if (email !== known.email) await request(email);
      for (let by = 1; by <= 5; by++) tried.push((await verify(email, wrong(code, by))).status);
    }
    const refusals = [await verify(email, '000000'), await request(email)];
    const shown = refusals.map((reply) => [
      reply.status,
      reply.text,
      [...reply.headers.keys()].toSorted(),
    ]);
    answers.push({ tried, shown });
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect(answers[0]?.shown[0]?.[0]).toBe(429);
});

test('an admin who is restored, or unlocked on the server, no longer waits', async () => {
  const admin = await buildAdmin(app);
  await failUpTo(admin.email, 100);
  expect((await request(admin.email)).status).toBe(429);
  await manager.client.call(removeAdmin, { params: { id: admin.id } });
  await manager.client.call(addAdmin, { body: { email: admin.email } });
  await age(admin.email, 61);
  await askForCode(admin.email);
  await failUpTo(admin.email, 100);
  expect(await server.unlockAdmin(app.db, admin.email)).toBe('unlocked');
  expect(await server.unlockAdmin(app.db, admin.email)).toBe('free');
  expect(await server.unlockAdmin(app.db, `${unique('nobody')}@staff.example`)).toBe('unknown');
  await age(admin.email, 61);
  await askForCode(admin.email);
});

test('sign-ins and failed sign-ins are audited', async () => {
  const admin = await buildAdmin(app);
  const code = await askForCode(admin.email);
  expect((await verify(admin.email, wrong(code, 1))).status).toBe(401);
  expect((await verify(admin.email, code)).status).toBe(200);
  await expect
    .poll(async () => new Set((await audited(admin.id)).map(({ action }) => action)))
    .toEqual(new Set(['sign_in.fail', 'sign_in.complete']));
  expect(await audited(admin.id)).toEqual(
    expect.arrayContaining([
      { action: 'sign_in.fail', details: { factor: 'code', in_a_row: 1 } },
      { action: 'sign_in.complete', details: { factors: ['code'] } },
    ]),
  );
});

test('passkey sign-ins and refused passkeys are audited', async () => {
  const holder = await buildHolder(app);
  const { pending } = await enterCode(app, holder.admin.email);
  const { body } = await app.anonymous.call(startPasskeySignIn, { body: { pending } });
  const response = holder.authenticator.get(body.data, { origin: 'https://other.example' });
  const refusal = await app.anonymous.refused(finishPasskeySignIn, { body: { pending, response } });
  expect(refusal.code).toBe('invalid_passkey');
  await signInByPasskey(app, pending, holder.authenticator);
  const log = await audited(holder.admin.id);
  expect(log.slice(0, 2)).toEqual([
    { action: 'sign_in.complete', details: { factors: ['code', 'passkey'] } },
    { action: 'sign_in.fail', details: { factor: 'passkey' } },
  ]);
});
