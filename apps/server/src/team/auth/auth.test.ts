import { createHash } from 'node:crypto';
import { currentAdmin, requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildAdmin, unique } from '../../../test/factories.ts';
import { sharedApp, startTestApp, type TestApp } from '../../../test/test-app.ts';

const shared = await sharedApp();

/** Requests a code and reads it from the email. */
async function askForCode(app: TestApp, email: string): Promise<string> {
  const before = app.smtp.received.filter((mail) => mail.to.includes(email)).length;
  await app.anonymous.call(requestOtp, { body: { email } });
  return app.smtp.codeFor(email, before);
}

const anotherCode = (code: string, by = 1) =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0');

const verify = (app: TestApp, email: string, code: string) =>
  app.anonymous.raw('POST', verifyOtp.path, { body: { email, code } });

/** Backdates the codes of an address. */
const age = (app: TestApp, email: string, seconds: number) =>
  app.db.kysely
    .updateTable('login_codes')
    .set({ created_at: sql`created_at - make_interval(secs => ${seconds})` })
    .where('email', '=', email)
    .execute();

test('the emailed code opens a session for the admin who requested it', async () => {
  const admin = await buildAdmin(shared, { role: 'manager' });
  const code = await askForCode(shared, admin.email);
  const { body } = await shared.anonymous.call(verifyOtp, { body: { email: admin.email, code } });
  expect(body.admin).toEqual(admin);
  expect(body.admin.permissions).toEqual({ can_manage_admins: true, can_manage_messages: true });
  const me = await shared.staff(body.token).call(currentAdmin);
  expect(me.body.data).toEqual(admin);
});

test('an address is accepted in any case and with surrounding spaces', async () => {
  const admin = await buildAdmin(shared);
  const typed = `  ${admin.email.toUpperCase()} `;
  await shared.anonymous.call(requestOtp, { body: { email: typed } });
  const code = await shared.smtp.codeFor(admin.email);
  const { body } = await shared.anonymous.call(verifyOtp, {
    body: { email: typed, code: ` ${code} ` },
  });
  expect(body.admin.id).toBe(admin.id);
});

test('the email goes to one recipient and has the code in its subject and text', async () => {
  const admin = await buildAdmin(shared);
  const code = await askForCode(shared, admin.email);
  const received = await shared.smtp.mailTo(admin.email);
  expect(received.to).toEqual([admin.email]);
  expect(received.from).toBe('no-reply@stagedoor.test');
  expect(received.mail.subject).toContain(code);
  expect(received.mail.text).toContain('works once, for 5 minutes');
});

test.each([
  ['no address', {}],
  ['a blank address', { email: '   ' }],
  ['not an email address', { email: 'nobody' }],
  ['two addresses', { email: 'a@x.example,b@x.example' }],
  ['a line break', { email: 'a@x.example\r\nBcc: b@x.example' }],
  ['a NUL', { email: 'a\0@x.example' }],
  ['255 characters', { email: `${'a'.repeat(243)}@x.example.co` }],
  ['an unknown field', { email: 'a@x.example', admin: true }],
  ['a list', { email: ['a@x.example'] }],
])('a request for a code with %s is refused and sends no email', async (_what, body) => {
  const refusal = await shared.anonymous.refused(requestOtp, { body });
  expect(refusal.status).toBe(400);
  expect(refusal.code).toBe('invalid_request');
  expect(refusal.fields).not.toEqual({});
});

test.each(['', '12345', '1234567', 'abcdef', '12 456', '１２３４５６'])(
  'a code that is not six digits (%j) is refused as an invalid request and uses no try',
  async (code) => {
    const admin = await buildAdmin(shared);
    const right = await askForCode(shared, admin.email);
    const refusal = await shared.anonymous.refused(verifyOtp, {
      body: { email: admin.email, code },
    });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
    const stored = await shared.db.kysely
      .selectFrom('login_codes')
      .select('tries')
      .where('email', '=', admin.email)
      .executeTakeFirstOrThrow();
    expect(stored.tries).toBe(0);
    expect((await verify(shared, admin.email, right)).status).toBe(200);
  },
);

test('a request for a code gets the same reply for a known, unknown and inactive address, and only the known one gets an email', async () => {
  const app = await startTestApp();
  const inactive = await buildAdmin(app, { is_active: false });
  const unknown = `${unique('nobody')}@staff.example`;
  const known = await buildAdmin(app);
  const answers = [];
  for (const email of [inactive.email, unknown, known.email]) {
    const asked = await app.anonymous.raw('POST', requestOtp.path, { body: { email } });
    const again = await app.anonymous.refused(requestOtp, { body: { email } });
    const wrong = await verify(app, email, '000000');
    const headers = [...asked.headers.keys()].toSorted();
    answers.push({
      asked: [asked.status, asked.text, headers, asked.headers.get('content-length')],
      again: [again.status, again.code],
      wrong: [wrong.status, wrong.text, [...wrong.headers.keys()].toSorted()],
    });
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect(answers[0]?.asked[0]).toBe(200);
  expect(answers[0]?.wrong[0]).toBe(401);
  await app.smtp.mailTo(known.email);
  // Closing waits for emails that are still being sent.
  await app.close();
  expect(app.smtp.received.map((mail) => mail.to)).toEqual([[known.email]]);
});

test('an admin deactivated between the code and its use gets no session', async () => {
  const admin = await buildAdmin(shared);
  const code = await askForCode(shared, admin.email);
  await shared.db.kysely
    .updateTable('admins')
    .set({ is_active: false })
    .where('id', '=', admin.id)
    .execute();
  expect((await verify(shared, admin.email, code)).status).toBe(401);
});

test('a code can be tried five times: a correct fifth try succeeds, a sixth never does', async () => {
  for (const [wrongTries, status] of [
    [4, 200],
    [5, 401],
  ] as const) {
    const admin = await buildAdmin(shared);
    const code = await askForCode(shared, admin.email);
    for (let by = 1; by <= wrongTries; by++) {
      expect((await verify(shared, admin.email, anotherCode(code, by))).status).toBe(401);
    }
    expect((await verify(shared, admin.email, code)).status).toBe(status);
  }
});

test('of 40 simultaneous wrong codes, exactly 5 are compared', async () => {
  const app = await startTestApp();
  const admin = await buildAdmin(app);
  const code = await askForCode(app, admin.email);
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      verify(app, admin.email, anotherCode(code, index + 1)),
    ),
  );
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]));
  expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
  const stored = await app.db.kysely
    .selectFrom('login_codes')
    .select('tries')
    .executeTakeFirstOrThrow();
  expect(stored.tries).toBe(5);
  expect((await verify(app, admin.email, code)).status).toBe(401);
  await app.close();
});

test('of 40 simultaneous correct codes, exactly one opens a session', async () => {
  const app = await startTestApp();
  const admin = await buildAdmin(app);
  const code = await askForCode(app, admin.email);
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => verify(app, admin.email, code)),
  );
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  expect(replies.filter((reply) => reply.status === 401)).toHaveLength(39);
  expect(await app.db.kysely.selectFrom('sessions').select('id').execute()).toHaveLength(1);
  await app.close();
});

test('a code works only once', async () => {
  const admin = await buildAdmin(shared);
  const code = await askForCode(shared, admin.email);
  expect((await verify(shared, admin.email, code)).status).toBe(200);
  const again = await shared.anonymous.refused(verifyOtp, { body: { email: admin.email, code } });
  expect(again).toMatchObject({ status: 401, code: 'invalid_code' });
  expect(again.headers.get('set-cookie')).toBeNull();
});

test('a code doesn’t work for another address', async () => {
  const [one, other] = [await buildAdmin(shared), await buildAdmin(shared)];
  const code = await askForCode(shared, one.email);
  const theirs = await askForCode(shared, other.email);
  if (code !== theirs) expect((await verify(shared, other.email, code)).status).toBe(401);
  expect((await verify(shared, other.email, theirs)).status).toBe(200);
});

test('a code expires after five minutes by the database’s clock', async () => {
  // Three seconds less, because the call itself takes time on a busy machine.
  for (const [seconds, status] of [
    [297, 200],
    [301, 401],
  ] as const) {
    const admin = await buildAdmin(shared);
    const code = await askForCode(shared, admin.email);
    await age(shared, admin.email, seconds);
    expect((await verify(shared, admin.email, code)).status).toBe(status);
  }
});

test('a new code invalidates the previous one', async () => {
  const admin = await buildAdmin(shared);
  const old = await askForCode(shared, admin.email);
  await age(shared, admin.email, 61);
  const fresh = await askForCode(shared, admin.email);
  if (old !== fresh) expect((await verify(shared, admin.email, old)).status).toBe(401);
  expect((await verify(shared, admin.email, fresh)).status).toBe(200);
});

test('an old code stays invalid after the new one was used', async () => {
  const admin = await buildAdmin(shared);
  const old = await askForCode(shared, admin.email);
  await age(shared, admin.email, 61);
  const fresh = await askForCode(shared, admin.email);
  expect((await verify(shared, admin.email, fresh)).status).toBe(200);
  expect((await verify(shared, admin.email, old)).status).toBe(401);
});

test('an address gets one code per minute, and the error says how long to wait', async () => {
  const admin = await buildAdmin(shared);
  await askForCode(shared, admin.email);
  const refusal = await shared.anonymous.refused(requestOtp, { body: { email: admin.email } });
  expect(refusal).toMatchObject({ status: 429, code: 'rate_limited' });
  const wait = Number(refusal.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(refusal.error).toContain(`${wait} seconds`);
  await age(shared, admin.email, 61);
  await askForCode(shared, admin.email);
});

test('an address gets five codes per hour', async () => {
  const admin = await buildAdmin(shared);
  for (let sent = 0; sent < 5; sent++) {
    await askForCode(shared, admin.email);
    await age(shared, admin.email, 61);
  }
  const refusal = await shared.anonymous.refused(requestOtp, { body: { email: admin.email } });
  expect(refusal).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(refusal.error).toMatch(/Please wait \d\d minutes before/);
  await age(shared, admin.email, 3_600 - 5 * 61 + 1);
  await askForCode(shared, admin.email);
});

test('of many simultaneous requests for one address, only one sends an email', async () => {
  const admin = await buildAdmin(shared);
  const replies = await Promise.all(
    Array.from({ length: 10 }, () =>
      shared.anonymous.raw('POST', requestOtp.path, { body: { email: admin.email } }),
    ),
  );
  expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array<number>(9).fill(429),
  ]);
});

test('sign-in calls are limited per IP address and minute', async () => {
  const app = await startTestApp();
  const replies = await Promise.all(
    Array.from({ length: 70 }, () => verify(app, `${unique('x')}@staff.example`, '123456')),
  );
  const limited = replies.filter((reply) => reply.status === 429);
  expect(limited).toHaveLength(10);
  expect(JSON.parse(limited[0]?.text ?? '')).toMatchObject({ code: 'rate_limited' });
  expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  await app.close();
});

test('the database contains no token, cookie or code in plain text, and no unkeyed hash of a code', async () => {
  const app = await startTestApp();
  const admin = await buildAdmin(app);
  const code = await askForCode(app, admin.email);
  const reply = await app.anonymous.call(verifyOtp, { body: { email: admin.email, code } });
  const cookie = /=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '')?.[1] ?? '';
  const dump = await dumpOf(app);
  expect(dump).toContain(admin.email);
  const sha256 = (value: string) => createHash('sha256').update(value).digest('hex');
  for (const secret of [
    reply.body.token,
    cookie,
    sha256(code),
    sha256(`${admin.email}\n${code}`),
  ]) {
    expect(secret).not.toBe('');
    expect(dump).not.toContain(secret);
  }
  // Looks for the code as a whole value, because its digits can be part of any time or id.
  expect(dump).not.toMatch(new RegExp(`[(,"]${code}[),"]`));
  expect(dump).toContain(sha256(reply.body.token));
  await app.close();
});

/** Returns every row of every table as text. */
async function dumpOf(app: TestApp): Promise<string> {
  const tables = await app.db.kysely.introspection.getTables();
  const rows = await Promise.all(
    tables.map((table) =>
      sql<{
        row: string;
      }>`select t::text as row from ${sql.table(`${table.schema}.${table.name}`)} t`.execute(
        app.db.kysely,
      ),
    ),
  );
  return rows.flatMap((result) => result.rows.map((row) => row.row)).join('\n');
}
