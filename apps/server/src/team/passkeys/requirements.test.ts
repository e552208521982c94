import { updateAdminRole } from '@stagedoor/contract/team/admins';
import { currentAdmin, listSessions } from '@stagedoor/contract/team/auth';
import {
  finishPasskeyEnrolment,
  listPasskeyRequirements,
  listPasskeys,
  removePasskey,
  resetPasskeys,
  setPasskeyRequirement,
  startPasskeyAddition,
  startPasskeyEnrolment,
} from '@stagedoor/contract/team/passkeys';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { createAuthenticator } from '../../../test/authenticator.ts';
import { buildAdmin, buildStaff } from '../../../test/factories.ts';
import type { HttpClient } from '../../../test/http-client.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import {
  ageConfirmation,
  buildHolder,
  enterCode,
  originOf,
  signInByPasskey,
} from '../../../test/passkeys.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { openJobs } from '../../jobs/pg-boss-jobs.ts';
import { smtpMailer } from '../../mail/mailer.ts';
import { defineSecurityNotices } from '../admins/security-notices.ts';
import * as server from './server-passkeys.ts';

const app = await sharedApp();
beforeEach(() => sql`delete from passkey_roles`.execute(app.db.kysely));
const origin = originOf(app);

const require = (client: HttpClient, role: 'support' | 'moderator' | 'manager' | 'creator') =>
  client.call(setPasskeyRequirement, { body: { role, required: true } });
const refusedFor = (client: HttpClient, role: string, required = true) =>
  client.refused(setPasskeyRequirement, { body: { role, required } });
const lastAct = async () => {
  const { rows } = await sql`select admin_id, action, target_id, details from audit_log
    order by id desc limit 1`.execute(app.db.kysely);
  return rows[0];
};

test('a required passkey must be added at the next sign-in before anything else', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  await require(manager.client, 'support');
  const admin = await buildAdmin(app);
  const { pending, status, code } = await enterCode(app, admin.email);
  expect({ status, code }).toEqual({ status: 403, code: 'passkey_enrolment_required' });
  // The token gives no access, not even to the admin's own data.
  for (const endpoint of [currentAdmin, listPasskeys, startPasskeyAddition]) {
    expect((await app.staff(pending).refused(endpoint)).status).toBe(401);
  }
  await app.refusedHandshake(pending);
  const authenticator = createAuthenticator();
  const { body } = await app.anonymous.call(startPasskeyEnrolment, { body: { pending } });
  expect(body.data.user.name).toBe(admin.email);
  const response = authenticator.create(body.data, { origin });
  const enrolment = { pending, name: 'Laptop', response };
  const replies = await Promise.all(
    Array.from({ length: 6 }, () =>
      app.anonymous.raw('POST', finishPasskeyEnrolment.path, { body: enrolment }),
    ),
  );
  const done = replies.filter((reply) => reply.status === 200);
  expect(done).toHaveLength(1);
  const { token } = finishPasskeyEnrolment.replies[200].parse(JSON.parse(done[0]?.text ?? ''));
  const client = app.staff(token);
  expect((await client.call(currentAdmin)).body.data).toEqual(admin);
  expect((await client.call(listPasskeys)).body).toMatchObject({ required: true });
  // From now on the passkey is required.
  const again = await enterCode(app, admin.email);
  expect(again.code).toBe('passkey_required');
  await signInByPasskey(app, again.pending, authenticator);
});

test('of two enrolments with two codes, the second must use the passkey of the first', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  await require(manager.client, 'support');
  const admin = await buildAdmin(app);
  const pendings = [await enterCode(app, admin.email), await enterCode(app, admin.email)];
  const outcomes = [];
  for (const { pending } of pendings) {
    const { body } = await app.anonymous.call(startPasskeyEnrolment, { body: { pending } });
    const response = createAuthenticator().create(body.data, { origin });
    const enrolment = { pending, name: 'x', response };
    outcomes.push(
      (await app.anonymous.raw('POST', finishPasskeyEnrolment.path, { body: enrolment })).status,
    );
  }
  expect(outcomes).toEqual([200, 401]);
});

test('sessions opened by a code alone end immediately; those with a passkey stay open', async () => {
  const manager = await buildHolder(app, { role: 'manager' });
  const teammate = await buildStaff(app, { role: 'manager' });
  const ready = await buildHolder(app, { role: 'manager' });
  const support = await buildStaff(app);
  const socket = await app.connectSocket(teammate.token);
  const old = await app.insertSession(manager.admin.id);
  await require(manager.client, 'manager');
  await socket.closed;
  expect((await teammate.client.refused(currentAdmin)).status).toBe(401);
  expect((await app.staff(old).refused(currentAdmin)).status).toBe(401);
  for (const { client } of [manager, ready, support]) await client.call(currentAdmin);
  expect((await manager.client.call(listSessions)).body.data).toHaveLength(1);
});

test('a session whose admin removed their last passkey ends, too', async () => {
  const manager = await buildHolder(app, { role: 'manager' });
  const leaver = await buildHolder(app, { role: 'moderator' });
  await leaver.client.call(removePasskey, { params: { id: leaver.passkey.id } });
  await leaver.client.call(currentAdmin);
  await require(manager.client, 'moderator');
  expect((await leaver.client.refused(currentAdmin)).status).toBe(401);
});

test('a requirement applies to sessions opened at the same moment and to a changed role', async () => {
  const creator = await buildHolder(app, { role: 'creator' });
  await require(creator.client, 'moderator');
  // As if a concurrent sign-in had not seen the requirement.
  const late = await buildStaff(app, { role: 'moderator' });
  expect((await late.client.refused(currentAdmin)).status).toBe(401);
  const promoted = await buildStaff(app);
  await promoted.client.call(currentAdmin);
  const socket = await app.connectSocket(promoted.token);
  const params = { id: promoted.admin.id };
  await creator.client.call(updateAdminRole, { params, body: { role: 'moderator' } });
  await socket.closed;
  expect((await promoted.client.refused(currentAdmin)).status).toBe(401);
});

test('a manager without a passkey can’t require one of their own role, and nobody of a role above theirs', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  expect((await refusedFor(manager.client, 'manager')).code).toBe('passkey_needed');
  expect((await refusedFor(manager.client, 'creator')).code).toBe('role_ceiling');
  expect((await refusedFor(manager.client, 'creator', false)).code).toBe('role_ceiling');
  expect((await refusedFor(manager.client, 'owner')).code).toBe('invalid_request');
  const { body } = await manager.client.call(listPasskeyRequirements);
  expect(body.data.map(({ role, required }) => [role, required])).toEqual([
    ['support', false],
    ['moderator', false],
    ['manager', false],
    ['creator', false],
  ]);
});

test('a manager with a passkey must confirm before requiring, lifting or resetting', async () => {
  const manager = await buildHolder(app, { role: 'manager' });
  await ageConfirmation(app, manager.admin.id, 11);
  const target = await buildHolder(app);
  const params = { id: target.admin.id };
  expect((await refusedFor(manager.client, 'support')).code).toBe('confirmation_required');
  expect((await refusedFor(manager.client, 'support', false)).code).toBe('confirmation_required');
  expect((await manager.client.refused(resetPasskeys, { params })).code).toBe(
    'confirmation_required',
  );
});

test('each change of a requirement is audited once', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const { id } = manager.admin;
  await require(manager.client, 'support');
  await require(manager.client, 'support');
  const { rows } = await sql`select 1 from audit_log where admin_id = ${id}`.execute(app.db.kysely);
  expect(rows).toHaveLength(1);
  expect(await lastAct()).toMatchObject({
    action: 'passkey.require',
    details: { role: 'support' },
  });
  const lifting = { body: { role: 'support', required: false } } as const;
  const { body } = await manager.client.call(setPasskeyRequirement, lifting);
  expect(body.data[0]).toMatchObject({ role: 'support', required: false });
  expect(await lastAct()).toMatchObject({ action: 'passkey.lift', admin_id: id });
});

test('the last passkey can’t be removed if the role requires one', async () => {
  const manager = await buildHolder(app, { role: 'manager' });
  await require(manager.client, 'manager');
  const params = { id: manager.passkey.id };
  expect((await manager.client.refused(removePasskey, { params })).code).toBe('last_passkey');
});

test('a reset and a request of the same admin don’t deadlock', async () => {
  const manager = await buildHolder(app, { role: 'manager' });
  const lost = await buildHolder(app);
  // Old enough that the request records the use of its session.
  await sql`update sessions set last_used_at = now() - interval '1 hour' where admin_id = ${lost.admin.id}`.execute(
    app.db.kysely,
  );
  await app.insertSession(lost.admin.id);
  const { rows } = await sql<{ id: string }>`update sessions set passkey_id = ${lost.passkey.id}
    where admin_id = ${lost.admin.id} and passkey_id is null returning id`.execute(app.db.kysely);
  // The locked session stops the reset halfway, so that the request begins during it.
  const lock = `select from sessions where id = '${rows[0]?.id}' for update`;
  const replies = await whileLocked(app.databaseUrl, lock, async () => {
    const path = resetPasskeys.path.replace('{id}', lost.admin.id);
    const resetting = manager.client.raw(resetPasskeys.method, path);
    await untilWaiting(app, 1);
    const asking = lost.client.raw(currentAdmin.method, currentAdmin.path);
    await Promise.race([asking, untilWaiting(app, 2)]);
    return [resetting, asking];
  });
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200]);
});

test('a manager resets an admin’s lost passkeys, which signs the admin out, emails them and is audited', async () => {
  const manager = await buildHolder(app, { role: 'manager' });
  const lost = await buildHolder(app, { role: 'moderator' });
  const { pending } = await enterCode(app, lost.admin.email);
  const params = { id: lost.admin.id };
  const { body } = await manager.client.call(resetPasskeys, { params });
  expect(body.data).toMatchObject({ id: lost.admin.id, passkeys: 0 });
  expect((await lost.client.refused(currentAdmin)).status).toBe(401);
  await expect(signInByPasskey(app, pending, lost.authenticator)).rejects.toThrow(
    /sign_in_expired/,
  );
  expect(await lastAct()).toMatchObject({
    admin_id: manager.admin.id,
    action: 'passkey.reset',
    target_id: lost.admin.id,
    details: { removed: 1 },
  });
  const mails = () => app.smtp.received.filter(({ to }) => to.includes(lost.admin.email));
  await expect.poll(() => mails().at(-1)?.mail.subject).toBe('Your Stagedoor passkeys were reset');
});

test('admins can’t reset their own passkeys or those of a higher role', async () => {
  const manager = await buildHolder(app, { role: 'manager' });
  const creator = await buildHolder(app, { role: 'creator' });
  const own = { params: { id: manager.admin.id.toUpperCase() } };
  expect((await manager.client.refused(resetPasskeys, own)).code).toBe('cannot_reset_self');
  const above = { params: { id: creator.admin.id } };
  expect((await manager.client.refused(resetPasskeys, above)).code).toBe('role_ceiling');
});

test('the command line resets the last manager’s passkeys and lifts a requirement', async () => {
  const last = await buildHolder(app, { role: 'creator' });
  await require(last.client, 'creator');
  const log = { warn: () => undefined };
  const jobs = await openJobs(app.db, log);
  const mailer = smtpMailer('smtp://127.0.0.1:1', 'nobody@staff.example');
  const notices = await defineSecurityNotices({
    db: app.db,
    jobs,
    mailer,
    base: () => app.url,
    log,
  });
  expect(await server.resetPasskeys(app.db, notices, last.admin.email)).toBe('reset');
  expect(await server.resetPasskeys(app.db, notices, 'nobody@staff.example')).toBe('unknown');
  await jobs.stop();
  mailer.close();
  expect(await lastAct()).toMatchObject({ admin_id: null, action: 'passkey.reset' });
  // The running server emails them.
  const subjects = () =>
    app.smtp.received.flatMap(({ to, mail }) =>
      to.includes(last.admin.email) ? (mail.subject ?? []) : [],
    );
  await expect.poll(subjects).toContain('Your Stagedoor passkeys were reset');
  expect((await enterCode(app, last.admin.email)).code).toBe('passkey_enrolment_required');
  expect(await server.liftRequirement(app.db, 'creator')).toBe(true);
  expect(await server.liftRequirement(app.db, 'creator')).toBe(false);
  expect(await lastAct()).toMatchObject({ admin_id: null, action: 'passkey.lift' });
  await sql`delete from login_codes`.execute(app.db.kysely);
  await app.signIn(last.admin.email);
});
