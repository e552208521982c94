import { currentAdmin } from '@stagedoor/contract/team/auth';
import {
  addPasskey,
  confirmByPasskey,
  listPasskeys,
  PASSKEYS_MAX,
  removePasskey,
  renamePasskey,
  startPasskeyAddition,
  startPasskeyConfirmation,
} from '@stagedoor/contract/team/passkeys';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createAuthenticator } from '../../../test/authenticator.ts';
import { buildStaff } from '../../../test/factories.ts';
import {
  addTo,
  ageConfirmation,
  buildHolder,
  confirmBy,
  enterCode,
  originOf,
  signInByPasskey,
} from '../../../test/passkeys.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';

const app = await sharedApp();
const origin = originOf(app);

const acts = async (adminId: string) => {
  const { rows } = await sql<{ action: string; admin_id: string; details: object }>`
    select action, admin_id, details from audit_log where target_id = ${adminId} order by id`.execute(
    app.db.kysely,
  );
  return rows;
};
/** Waits for this many notices to an admin and returns their subjects. */
const notices = (email: string, count: number) =>
  until(`${count} notices`, () => {
    const mails = app.smtp.received.filter(({ to }) => to.includes(email));
    const subjects = mails.flatMap(({ mail }) => mail.subject ?? []);
    const notices = subjects.filter((subject) => /passkey/i.test(subject));
    return notices.length >= count ? notices : undefined;
  });

test('adding a named passkey is audited and emailed to the admin', async () => {
  const staff = await buildStaff(app);
  const passkey = await addTo(app, staff.client, createAuthenticator(), { name: ' Blue key ' });
  expect(passkey).toMatchObject({ name: 'Blue key', last_used_at: null, synced: false });
  const { body } = await staff.client.call(listPasskeys);
  expect(body).toEqual({ data: [passkey], origin, required: false });
  expect(await acts(staff.admin.id)).toMatchObject([
    { action: 'passkey.add', admin_id: staff.admin.id, details: { name: 'Blue key' } },
  ]);
  const { mail } = await app.smtp.mailTo(staff.admin.email);
  expect(mail.subject).toBe('A passkey was added to your Stagedoor account');
  expect(mail.text).toContain('“Blue key”');
});

test('an admin can list, rename and remove only their own passkeys', async () => {
  const [holder, other] = [await buildHolder(app), await buildHolder(app)];
  const params = { id: other.passkey.id };
  const renaming = { params, body: { name: 'x' } };
  expect((await holder.client.refused(renamePasskey, renaming)).code).toBe('passkey_not_found');
  expect((await holder.client.refused(removePasskey, { params })).code).toBe('passkey_not_found');
  expect((await other.client.call(listPasskeys)).body.data).toEqual([other.passkey]);
});

test('a passkey can be renamed, but not to an empty name', async () => {
  const { admin, client, passkey } = await buildHolder(app);
  const params = { id: passkey.id };
  await client.call(renamePasskey, { params, body: { name: 'Phone' } });
  expect((await client.call(listPasskeys)).body.data[0]?.name).toBe('Phone');
  for (const name of ['  ', 'a\u202Eb', 'x'.repeat(61)]) {
    const refusal = await client.refused(renamePasskey, { params, body: { name } });
    expect(refusal.fields).toHaveProperty('name');
  }
  expect((await acts(admin.id)).at(-1)).toMatchObject({
    action: 'passkey.rename',
    details: { name: 'Phone', was: 'Laptop' },
  });
});

test('an admin who has a passkey must have used it within ten minutes to add or remove one', async () => {
  const { admin, client, authenticator, passkey } = await buildHolder(app);
  await ageConfirmation(app, admin.id, 11);
  const params = { id: passkey.id };
  expect((await client.refused(startPasskeyAddition)).code).toBe('confirmation_required');
  expect((await client.refused(removePasskey, { params })).code).toBe('confirmation_required');
  await confirmBy(app, client, authenticator);
  await addTo(app, client, createAuthenticator(), { name: 'Second' });
  await client.call(removePasskey, { params });
  expect((await client.call(listPasskeys)).body.data.map(({ name }) => name)).toEqual(['Second']);
  expect(await notices(admin.email, 3)).toEqual([
    'A passkey was added to your Stagedoor account',
    'A passkey was added to your Stagedoor account',
    'A passkey was removed from your Stagedoor account',
  ]);
});

test('a session opened by code alone must confirm with a passkey that was added in the meantime', async () => {
  const staff = await buildStaff(app);
  const left = app.staff(await app.insertSession(staff.admin.id));
  const begun = await left.call(startPasskeyAddition);
  await addTo(app, staff.client, createAuthenticator());
  const response = createAuthenticator().create(begun.body.data, { origin });
  const refusal = await left.refused(addPasskey, { body: { name: 'Theirs', response } });
  expect(refusal.code).toBe('confirmation_required');
});

test('a confirmation applies only to its own session and needs a signature requested there', async () => {
  const { admin, client, authenticator } = await buildHolder(app);
  const other = app.staff(await app.insertSession(admin.id));
  const { body } = await client.call(startPasskeyConfirmation);
  const response = authenticator.get(body.data, { origin });
  expect((await other.refused(confirmByPasskey, { body: { response } })).code).toBe(
    'invalid_passkey',
  );
  await client.call(confirmByPasskey, { body: { response } });
  const replayed = await client.refused(confirmByPasskey, { body: { response } });
  expect(replayed.code).toBe('invalid_passkey');
  expect((await other.refused(startPasskeyAddition)).code).toBe('confirmation_required');
});

test('an admin without a passkey can’t confirm', async () => {
  const { client } = await buildStaff(app);
  expect((await client.refused(startPasskeyConfirmation)).code).toBe('passkey_needed');
});

test('removing a passkey ends the other sessions that it opened', async () => {
  const { admin, client, authenticator, passkey } = await buildHolder(app);
  const { pending } = await enterCode(app, admin.email);
  const token = await signInByPasskey(app, pending, authenticator);
  const socket = await app.connectSocket(token);
  await client.call(removePasskey, { params: { id: passkey.id } });
  await socket.closed;
  expect((await app.staff(token).refused(currentAdmin)).status).toBe(401);
  await client.call(currentAdmin);
  // Without passkeys, the code is enough again.
  await sql`delete from login_codes`.execute(app.db.kysely);
  await app.signIn(admin.email);
});

test('the same authenticator can’t be added twice, not even to another admin', async () => {
  const [one, two] = [await buildStaff(app), await buildStaff(app)];
  const begun = await one.client.call(startPasskeyAddition);
  const response = createAuthenticator().create(begun.body.data, { origin });
  await one.client.call(addPasskey, { body: { name: 'Mine', response } });
  const other = await two.client.call(startPasskeyAddition);
  const clientDataJSON = Buffer.from(
    JSON.stringify({
      type: 'webauthn.create',
      challenge: other.body.data.challenge,
      origin,
      crossOrigin: false,
    }),
  ).toString('base64url');
  const copied = { ...response, response: { ...response.response, clientDataJSON } };
  const refusal = await two.client.refused(addPasskey, {
    body: { name: 'Mine', response: copied },
  });
  expect(refusal.code).toBe('invalid_passkey');
});

test.each([
  ['another origin', { origin: 'http://localhost:1' }],
  ['another name', { origin, rpId: 'evil.example' }],
  ['nobody checked', { origin, userVerified: false }],
  ['a challenge of its own', { origin, challenge: 'B'.repeat(43) }],
])('a new passkey created with %s is refused', async (_what, how) => {
  const { client } = await buildStaff(app);
  const { body } = await client.call(startPasskeyAddition);
  const response = createAuthenticator().create(body.data, how);
  const refusal = await client.refused(addPasskey, { body: { name: 'x', response } });
  expect(refusal).toMatchObject({ status: 403, code: 'invalid_passkey' });
});

test('of many simultaneous additions with one ceremony, one succeeds', async () => {
  const { admin, client } = await buildStaff(app);
  const { body } = await client.call(startPasskeyAddition);
  const response = createAuthenticator().create(body.data, { origin });
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      client.raw('POST', addPasskey.path, { body: { name: 'Laptop', response } }),
    ),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  const { rows } = await sql<{ kept: number; counted: number }>`select passkeys as kept,
    (select count(*)::int from passkeys p where p.admin_id = a.id) as counted
    from admins a where id = ${admin.id}`.execute(app.db.kysely);
  expect(rows).toEqual([{ kept: 1, counted: 1 }]);
});

test(`an admin has at most ${PASSKEYS_MAX} passkeys`, async () => {
  const { admin, client } = await buildHolder(app);
  await sql`insert into passkeys (admin_id, name, credential_id, public_key, counter, transports, synced)
    select ${admin.id}, 'x', gen_random_uuid()::text, '', 0, '{}', false
    from generate_series(2, ${PASSKEYS_MAX}::int)`.execute(app.db.kysely);
  expect((await client.refused(startPasskeyAddition)).code).toBe('too_many_passkeys');
});
