import { createPlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { addAdmin, removeAdmin, updateAdminRole } from '@stagedoor/contract/team/admins';
import { resetPasskeys } from '@stagedoor/contract/team/passkeys';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildAdmin, buildStaff, unique } from '../../../test/factories.ts';
import { ageConfirmation, buildHolder, confirmBy } from '../../../test/passkeys.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';

const app = await sharedApp();

const address = () => `${unique('new')}@staff.example`;

test('an admin with a passkey must confirm before adding, restoring or promoting staff or creating a key', async () => {
  const manager = await buildHolder(app, { role: 'manager' });
  const member = await buildAdmin(app);
  const removed = await buildAdmin(app, { is_active: false });
  await ageConfirmation(app, manager.admin.id, 11);
  const promotion = { params: { id: member.id }, body: { role: 'moderator' } } as const;
  const { client } = manager;
  const refusals = [
    await client.refused(addAdmin, { body: { email: address() } }),
    await client.refused(addAdmin, { body: { email: removed.email } }),
    await client.refused(updateAdminRole, promotion),
    await client.refused(createPlatformKey, { body: { name: 'Bot' } }),
  ];
  expect(refusals.map(({ status, code }) => [status, code])).toEqual(
    Array.from({ length: 4 }, () => [403, 'confirmation_required']),
  );
  await confirmBy(app, client, manager.authenticator);
  await client.call(addAdmin, { body: { email: address() } });
  await client.call(addAdmin, { body: { email: removed.email } });
  await client.call(updateAdminRole, promotion);
  await client.call(createPlatformKey, { body: { name: 'Bot' } });
});

test('revoking rights needs no confirmation, and neither does an admin without a passkey', async () => {
  const manager = await buildHolder(app, { role: 'manager' });
  await ageConfirmation(app, manager.admin.id, 11);
  const member = await buildAdmin(app, { role: 'moderator' });
  const params = { id: member.id };
  await manager.client.call(updateAdminRole, { params, body: { role: 'moderator' } });
  await manager.client.call(updateAdminRole, { params, body: { role: 'support' } });
  await manager.client.call(removeAdmin, { params });
  const without = await buildStaff(app, { role: 'manager' });
  const { body } = await without.client.call(addAdmin, { body: { email: address() } });
  const promotion = { params: { id: body.data.id }, body: { role: 'manager' } } as const;
  await without.client.call(updateAdminRole, promotion);
  await without.client.call(createPlatformKey, { body: { name: 'Bot' } });
});

test('a manager without a passkey can’t reset any', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const holder = await buildHolder(app);
  const params = { id: holder.admin.id };
  const refusal = await manager.client.refused(resetPasskeys, { params });
  expect(refusal).toMatchObject({ status: 409, code: 'passkey_needed' });
  const other = await buildHolder(app, { role: 'manager' });
  await other.client.call(resetPasskeys, { params });
});

test('active managers are emailed when an admin is added, restored or promoted', async () => {
  const own = await startTestApp();
  const actor = await buildStaff(own, { role: 'manager' });
  const creator = await buildAdmin(own, { role: 'creator' });
  const member = await buildAdmin(own, { role: 'moderator' });
  await buildAdmin(own, { role: 'manager', is_active: false });
  const received = (to: string) =>
    own.smtp.received.filter((mail) => mail.to.includes(to)).map(({ mail }) => mail);
  const email = address();
  const { body } = await actor.client.call(addAdmin, { body: { email } });
  // Wait for the welcome email: once removed, the admin no longer gets it.
  await expect.poll(() => received(email)).toHaveLength(1);
  const params = { id: body.data.id };
  const setRole = (role: 'support' | 'manager') =>
    actor.client.call(updateAdminRole, { params, body: { role } });
  await setRole('manager');
  await setRole('support');
  await actor.client.call(removeAdmin, { params });
  await actor.client.call(addAdmin, { body: { email } });
  const added = 'An admin was added to Stagedoor';
  const all = [added, added, 'An admin was promoted in Stagedoor'];
  for (const to of [actor.admin.email, creator.email]) {
    await expect.poll(() => received(to).length).toBe(all.length);
    expect(new Set(received(to).map(({ subject }) => subject))).toEqual(new Set(all));
  }
  const promotion = received(creator.email).find(({ subject }) => subject?.includes('promoted'));
  expect(promotion?.text).toContain(`${actor.admin.email} promoted ${email} to manager.`);
  const welcome = 'You can now sign in to Stagedoor';
  await expect
    .poll(() => received(email).filter(({ subject }) => subject === welcome).length)
    .toBe(2);
  const [invitation] = received(email);
  expect(invitation?.text).toContain(`${actor.admin.email} added you to the staff as support.`);
  // Passkeys work at a host name, not at an IP address.
  const url = own.url.replace('127.0.0.1', 'localhost');
  expect(invitation?.text).toContain(`Sign in at ${url} with this email address.`);
  await own.close();
  expect(own.smtp.received).toHaveLength(2 * all.length + 2);
  expect(received(member.email)).toEqual([]);
});

test('a delayed email is not sent to an admin who was removed or demoted since', async () => {
  const own = await startTestApp();
  const actor = await buildStaff(own, { role: 'creator' });
  const demoted = await buildAdmin(own, { role: 'manager' });
  const email = address();
  for (const closed of [demoted.email, email]) own.smtp.closed.set(closed, 451);
  const { body } = await actor.client.call(addAdmin, { body: { email } });
  await expect.poll(() => own.smtp.refused).toBeGreaterThanOrEqual(2);
  await actor.client.call(removeAdmin, { params: { id: body.data.id } });
  const demotion = { params: { id: demoted.id }, body: { role: 'support' } } as const;
  await actor.client.call(updateAdminRole, demotion);
  own.smtp.closed.clear();
  await until('no email is waiting', async () => {
    const { rows } = await sql`select from jobs.job
      where name = 'passkey-notices' and state <> 'completed'`.execute(own.db.kysely);
    return rows.length === 0;
  });
  expect(own.smtp.received.map(({ to }) => to)).toEqual([[actor.admin.email]]);
  await own.close();
});
