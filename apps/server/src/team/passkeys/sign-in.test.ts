import { currentAdmin, listSessions, verifyOtp } from '@stagedoor/contract/team/auth';
import {
  finishPasskeyEnrolment,
  finishPasskeySignIn,
  listPasskeys,
  startPasskeyEnrolment,
  startPasskeySignIn,
} from '@stagedoor/contract/team/passkeys';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createAuthenticator } from '../../../test/authenticator.ts';
import { buildAdmin } from '../../../test/factories.ts';
import {
  buildHolder,
  enterCode,
  originOf,
  type PasskeyHolder,
  signInByPasskey,
} from '../../../test/passkeys.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { releaseWork } from '../../release-work.ts';
import { removeAdmin } from '../admins/server-admins.ts';

const app = await sharedApp();
const origin = originOf(app);

async function start(holder: PasskeyHolder) {
  const { pending } = await enterCode(app, holder.admin.email);
  const { body } = await app.anonymous.call(startPasskeySignIn, { body: { pending } });
  return { pending, options: body.data };
}

const finish = (pending: string, response: unknown) =>
  app.anonymous.raw('POST', finishPasskeySignIn.path, { body: { pending, response } });

const sessionsOf = async (adminId: string) =>
  (
    await app.db.kysely
      .selectFrom('sessions')
      .select('id')
      .where('admin_id', '=', adminId)
      .execute()
  ).length;

test('the code of an admin with a passkey opens no session but leads to the passkey step', async () => {
  const holder = await buildHolder(app);
  const refusal = await enterCode(app, holder.admin.email);
  expect(refusal).toMatchObject({ status: 403, code: 'passkey_required' });
  expect(refusal.headers.getSetCookie()).toEqual([]);
  expect(await sessionsOf(holder.admin.id)).toBe(1);
  expect((await app.staff(refusal.pending).refused(currentAdmin)).status).toBe(401);
  const stored = await sql<{ row: string }>`
    select p::text as row from pending_sign_ins p`.execute(app.db.kysely);
  expect(JSON.stringify(stored.rows)).not.toContain(refusal.pending);
});

test('a code and a passkey open a session that shows both factors', async () => {
  const holder = await buildHolder(app);
  const { pending } = await enterCode(app, holder.admin.email);
  const client = app.staff(await signInByPasskey(app, pending, holder.authenticator));
  expect((await client.call(currentAdmin)).body.data).toEqual(holder.admin);
  const { body } = await client.call(listSessions);
  expect(body.data.find(({ current }) => current)?.factors).toEqual(['code', 'passkey']);
  const [passkey] = (await client.call(listPasskeys)).body.data;
  expect(passkey?.last_used_at).not.toBeNull();
});

test('an admin without a passkey signs in with the code alone, and the session shows that', async () => {
  const admin = await buildAdmin(app);
  const client = app.staff(await app.signIn(admin.email));
  const { body } = await client.call(listSessions);
  expect(body.data.map(({ factors }) => factors)).toEqual([['code']]);
});

test('the reply to a wrong code doesn’t reveal passkeys', async () => {
  const holder = await buildHolder(app);
  const plain = await buildAdmin(app);
  const codes = [];
  for (const { email } of [holder.admin, plain]) {
    const body = { email, code: '000000' };
    codes.push((await app.anonymous.refused(verifyOtp, { body })).text);
  }
  expect(codes[0]).toBe(codes[1]);
});

test('of many simultaneous uses of one signature, one gets a session', async () => {
  const holder = await buildHolder(app);
  const { pending, options } = await start(holder);
  const response = holder.authenticator.get(options, { origin });
  const before = await sessionsOf(holder.admin.id);
  const replies = await Promise.all(Array.from({ length: 12 }, () => finish(pending, response)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await sessionsOf(holder.admin.id)).toBe(before + 1);
  expect((await finish(pending, response)).status).toBe(401);
});

test('of several challenges of one sign-in, only the newest works, and only once', async () => {
  const holder = await buildHolder(app);
  const { pending, options } = await start(holder);
  const newer = await app.anonymous.call(startPasskeySignIn, { body: { pending } });
  const old = holder.authenticator.get(options, { origin });
  expect((await finish(pending, old)).status).toBe(403);
  const right = holder.authenticator.get(newer.body.data, { origin });
  expect((await finish(pending, right)).status).toBe(200);
});

test('a signature for one sign-in doesn’t work in another', async () => {
  const holder = await buildHolder(app);
  const first = await start(holder);
  const response = holder.authenticator.get(first.options, { origin });
  const second = await start(holder);
  expect((await finish(second.pending, response)).status).toBe(403);
  // The failed try didn't consume the challenge.
  expect((await finish(first.pending, response)).status).toBe(200);
});

test.each([
  ['another origin', { origin: 'http://localhost:1' }],
  ['an origin that only begins alike', { origin: `${origin}.evil.example` }],
  ['another name', { origin, rpId: 'evil.example' }],
  ['a challenge of its own', { origin, challenge: 'A'.repeat(43) }],
  ['nobody checked', { origin, userVerified: false }],
])('a signature with %s is refused', async (_what, how) => {
  const holder = await buildHolder(app);
  const { pending, options } = await start(holder);
  const before = await sessionsOf(holder.admin.id);
  const refused = await finish(pending, holder.authenticator.get(options, how));
  expect(refused.status, refused.text).toBe(403);
  expect(refused.text).toContain('invalid_passkey');
  expect(await sessionsOf(holder.admin.id)).toBe(before);
});

test('another admin’s passkey is refused, as is a signature by another key', async () => {
  const [holder, other] = [await buildHolder(app), await buildHolder(app)];
  const { pending, options } = await start(holder);
  const foreign = other.authenticator.get(options, { origin });
  expect((await finish(pending, foreign)).status).toBe(403);
  const again = await app.anonymous.call(startPasskeySignIn, { body: { pending } });
  const forged = other.authenticator.get(again.body.data, { origin });
  const claimed = { ...forged, id: holder.authenticator.get(options, { origin }).id };
  expect((await finish(pending, { ...claimed, rawId: claimed.id })).status).toBe(403);
});

test('after five wrong responses, a sign-in ends, even for a correct one', async () => {
  const holder = await buildHolder(app);
  const { pending } = await start(holder);
  for (let tries = 0; tries < 5; tries++) {
    const { body } = await app.anonymous.call(startPasskeySignIn, { body: { pending } });
    const wrong = holder.authenticator.get(body.data, { origin: 'http://localhost:1' });
    expect((await finish(pending, wrong)).status).toBe(403);
  }
  const refusal = await app.anonymous.refused(startPasskeySignIn, { body: { pending } });
  expect(refusal.code).toBe('sign_in_expired');
});

test.each([
  ['pending_sign_ins', 299, 301],
  ['passkey_challenges', 299, 301],
])(
  'an entry in %s expires after five minutes by the database’s clock',
  async (table, good, late) => {
    const holder = await buildHolder(app);
    for (const [seconds, status] of [
      [good - 5, 200],
      [late, table === 'pending_sign_ins' ? 401 : 403],
    ] as const) {
      const { pending, options } = await start(holder);
      await sql`update ${sql.table(table)} set created_at = created_at - make_interval(secs => ${seconds})`.execute(
        app.db.kysely,
      );
      const reply = await finish(pending, holder.authenticator.get(options, { origin }));
      expect(reply.status, `${seconds} seconds`).toBe(status);
    }
  },
);

test('a passkey’s counter must rise; otherwise it may be a copy, which is audited', async () => {
  const holder = await buildHolder(app, {}, 5);
  const { pending, options } = await start(holder);
  const back = await finish(pending, holder.authenticator.get(options, { origin, counter: 5 }));
  expect(back.status).toBe(403);
  expect(back.text).toContain('may have been copied');
  const { rows } = await sql`select 1 from audit_log where action = 'passkey.suspect'
    and target_id = ${holder.admin.id}`.execute(app.db.kysely);
  expect(rows).toHaveLength(1);
  const on = await signInByPasskey(app, pending, holder.authenticator, 6);
  await app.staff(on).call(currentAdmin);
});

test('a removed admin’s pending sign-in ends, and stays ended after they are restored', async () => {
  const holder = await buildHolder(app);
  const { pending, options } = await start(holder);
  await removeAdmin(app.db, holder.admin.email, releaseWork);
  const response = holder.authenticator.get(options, { origin });
  expect((await finish(pending, response)).status).toBe(401);
  await sql`update admins set is_active = true where id = ${holder.admin.id}`.execute(
    app.db.kysely,
  );
  expect((await finish(pending, response)).status).toBe(401);
});

test('a pending sign-in is valid only for its own step', async () => {
  const holder = await buildHolder(app);
  const { pending } = await enterCode(app, holder.admin.email);
  const enrolling = await app.anonymous.refused(startPasskeyEnrolment, { body: { pending } });
  expect(enrolling.code).toBe('sign_in_expired');
  const creation = createAuthenticator().create(
    {
      rp: { id: 'localhost', name: '' },
      user: { id: 'x', name: '', displayName: '' },
      challenge: 'x',
      pubKeyCredParams: [],
      timeout: 1,
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    },
    { origin },
  );
  const body = { pending, name: 'Mine', response: creation };
  expect((await app.anonymous.refused(finishPasskeyEnrolment, { body })).code).toBe(
    'sign_in_expired',
  );
});
