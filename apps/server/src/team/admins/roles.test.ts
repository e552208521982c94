import type { Endpoint } from '@stagedoor/contract/endpoint';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import {
  addAdmin,
  listAdmins,
  removeAdmin,
  updateAdminCodename,
  updateAdminColor,
  updateAdminPermissions,
  updateAdminRole,
} from '@stagedoor/contract/team/admins';
import { AdminRole, currentAdmin } from '@stagedoor/contract/team/auth';
import { expect, test } from 'vitest';
import {
  buildAdmin,
  buildConversation,
  buildFan,
  buildStaff,
  type Staff,
  unique,
} from '../../../test/factories.ts';
import { pathOf } from '../../../test/http-client.ts';
import { sharedApp, startTestApp, type TestApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
await buildAdmin(app, { role: 'creator' });

const ROLES = AdminRole.options;
const PAIRS = (['manager', 'creator'] as const).flatMap((own) =>
  ROLES.map((other) => ({ own, other, may: ROLES.indexOf(other) <= ROLES.indexOf(own) })),
);

/** A valid request for every kind of change to an admin. */
const changes = (): [Endpoint, unknown][] => [
  [updateAdminPermissions, { can_manage_messages: false }],
  [updateAdminCodename, { codename: unique('Name') }],
  [updateAdminColor, { display_color: '#112233' }],
  [updateAdminRole, { role: 'support' }],
  [removeAdmin, undefined],
];

async function attempt(staff: Staff, endpoint: Endpoint, id: string, body: unknown) {
  const reply = await staff.client.raw(endpoint.method, pathOf(endpoint, { id }), { body });
  const { code = null } = JSON.parse(reply.text) as { code?: string };
  return { status: reply.status, code };
}
const setRole = (staff: Staff, id: string, role: AdminRole) =>
  attempt(staff, updateAdminRole, id, { role });
const remove = (staff: Staff, id: string) => attempt(staff, removeAdmin, id, undefined);

const REFUSED = { status: 403, code: 'role_ceiling' };
const stored = async ({ id }: { id: string }) =>
  app.db.kysely.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test.each(PAIRS)('a $own grants the role $other: $may', async ({ own, other, may }) => {
  const staff = await buildStaff(app, { role: own });
  const member = await buildAdmin(app);
  const granted = await setRole(staff, member.id, other);
  expect(granted).toEqual(may ? { status: 200, code: null } : REFUSED);
  expect((await stored(member)).role).toBe(may ? other : 'support');
  const email = `${unique('granted')}@staff.example`;
  const added = await staff.client.raw('POST', addAdmin.path, { body: { email, role: other } });
  expect(added.status).toBe(may ? 201 : 403);
});

test.each(PAIRS)('a $own changes or removes a $other: $may', async ({ own, other, may }) => {
  const staff = await buildStaff(app, { role: own });
  const member = await buildAdmin(app, { role: other });
  const before = await stored(member);
  for (const [endpoint, body] of changes()) {
    const result = await attempt(staff, endpoint, member.id, body);
    expect(result, endpoint.path).toEqual(may ? { status: 200, code: null } : REFUSED);
  }
  if (!may) expect(await stored(member)).toEqual(before);
});

test('an admin can’t restore a removed admin in a role above their own', async () => {
  const removed = await buildAdmin(app, { is_active: false });
  const body = { email: removed.email, role: 'creator' };
  expect(await manager.client.refused(addAdmin, { body })).toMatchObject(REFUSED);
  expect((await stored(removed)).is_active).toBe(false);
});

test('admins can’t promote themselves', async () => {
  expect(await setRole(manager, manager.admin.id, 'creator')).toEqual(REFUSED);
});

test('admins can’t remove themselves', async () => {
  for (const id of [manager.admin.id, manager.admin.id.toUpperCase()]) {
    const refusal = await manager.client.refused(removeAdmin, { params: { id } });
    expect(refusal).toMatchObject({
      status: 403,
      code: 'cannot_remove_self',
      error: 'You can’t remove yourself',
    });
  }
  expect((await stored(manager.admin)).is_active).toBe(true);
});

test('unknown admins can’t be changed', async () => {
  for (const id of ['nonsense', crypto.randomUUID()]) {
    for (const [endpoint, body] of changes()) {
      const result = await attempt(manager, endpoint, id, body);
      expect(result).toEqual({ status: 404, code: 'admin_not_found' });
    }
  }
});

test('a removed admin’s privileges and role can’t be changed, and they can’t be removed again', async () => {
  const { id } = await buildAdmin(app, { is_active: false });
  for (const [endpoint, body] of changes()) {
    if (endpoint === updateAdminCodename || endpoint === updateAdminColor) continue;
    const result = await attempt(manager, endpoint, id, body);
    expect(result).toEqual({ status: 409, code: 'admin_inactive' });
  }
});

/** Starts a server with only these managers. */
async function withManagers<T>(
  count: number,
  use: (own: TestApp, managers: Staff[]) => Promise<T>,
): Promise<T> {
  const own = await startTestApp();
  try {
    const managers: Staff[] = [];
    for (let n = 0; n < count; n++) managers.push(await buildStaff(own, { role: 'manager' }));
    return await use(own, managers);
  } finally {
    await own.close();
  }
}

const managersLeft = async (own: TestApp) =>
  (
    await own.db.kysely
      .selectFrom('admins')
      .select('id')
      .where('role', 'in', ['manager', 'creator'])
      .where('is_active', '=', true)
      .execute()
  ).length;

test('the last manager can’t demote themselves', () =>
  withManagers(1, async (own, [last]) => {
    await buildAdmin(own, { role: 'creator', is_active: false });
    if (last === undefined) throw new Error('no manager');
    for (const role of ['support', 'moderator'] as const) {
      expect(await setRole(last, last.admin.id, role)).toEqual({
        status: 409,
        code: 'last_manager',
      });
    }
    expect(await setRole(last, last.admin.id, 'manager')).toEqual({ status: 200, code: null });
    await buildAdmin(own, { role: 'manager' });
    expect(await setRole(last, last.admin.id, 'support')).toEqual({ status: 200, code: null });
  }));

test.each<[string, (one: Staff, other: Staff) => Promise<{ status: number }>]>([
  ['remove each other', (one, other) => remove(one, other.admin.id)],
  ['demote each other', (one, other) => setRole(one, other.admin.id, 'support')],
  ['give it up', (one) => setRole(one, one.admin.id, 'support')],
])('when two managers %s at once, one manager remains', (_what, act) =>
  withManagers(2, async (own, managers) => {
    const [one, two] = managers;
    if (one === undefined || two === undefined) throw new Error('no managers');
    for (let round = 0; round < 5; round++) {
      const statuses = (await Promise.all([act(one, two), act(two, one)])).map(
        ({ status }) => status,
      );
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(await managersLeft(own)).toBe(1);
      // Restore the initial state for the next run, including sessions that a removal ended.
      for (const { admin } of managers) {
        await own.db.kysely
          .updateTable('admins')
          .set({ role: 'manager', is_active: true })
          .where('id', '=', admin.id)
          .execute();
      }
      const again = managers.map(async (staff) => {
        const token = await own.insertSession(staff.admin.id);
        Object.assign(staff, { token, client: own.staff(token) });
      });
      await Promise.all(again);
    }
  }),
);

test('when five managers all remove one another, one remains', () =>
  withManagers(5, async (own, managers) => {
    await Promise.all(
      managers.flatMap((one) =>
        managers.filter((other) => other !== one).map((other) => remove(one, other.admin.id)),
      ),
    );
    expect(await managersLeft(own)).toBe(1);
  }));

test('message privilege changes apply immediately: over HTTP, on open sockets, in both tabs', async () => {
  const member = await buildStaff(app);
  const sockets = [await app.connectSocket(member.token), await app.connectSocket(member.token)];
  const { id } = await buildConversation(app);
  for (const granted of [false, true]) {
    const { body } = await manager.client.call(updateAdminPermissions, {
      params: { id: member.admin.id },
      body: { can_manage_messages: granted },
    });
    expect(body.data.permissions.can_manage_messages).toBe(granted);
    const sent = await member.client.raw('POST', sendMessage.path, {
      body: { conversation_id: id, content: 'x' },
      headers: { 'idempotency-key': unique('temp') },
    });
    expect(sent.status).toBe(granted ? 201 : 403);
    for (const { socket, nextEvent } of sockets) {
      const received = await nextEvent('admin_updated');
      expect(received).toMatchObject({
        admin_id: member.admin.id,
        permissions: { can_manage_admins: false, can_manage_messages: granted },
      });
      const tempId = unique('temp');
      socket.emit('send_message', { conversation_id: id, content: 'x', tempId });
      if (granted) await nextEvent('message_sent', (event) => event.tempId === tempId);
      else {
        const error = await nextEvent('message_error', (event) => event.tempId === tempId);
        expect(error.code).toBe('message_privilege_required');
      }
    }
  }
});

test('a change is emitted only to its admin and to managers', async () => {
  const [member, teammate] = [await buildStaff(app), await buildStaff(app, { role: 'moderator' })];
  const [own, other, managing] = await Promise.all(
    [member, teammate, manager].map(({ token }) => app.connectSocket(token)),
  );
  const ofMember = (event: { admin_id: string }) => event.admin_id === member.admin.id;
  await setRole(manager, member.admin.id, 'moderator');
  const expected = {
    admin_id: member.admin.id,
    role: 'moderator',
    codename: member.admin.codename,
    display_color: member.admin.display_color,
    permissions: { can_manage_admins: false, can_manage_messages: true },
    is_active: true,
  };
  expect(await own?.nextEvent('admin_updated', ofMember)).toMatchObject(expected);
  expect(await managing?.nextEvent('admin_updated', ofMember)).toMatchObject(expected);
  const fan = await buildFan(app);
  await other?.nextEvent('conversation_updated', (e) => e.conversation.fan_id === fan.id);
  expect(other?.received('admin_updated')).toEqual([]);
});

test('a new manager receives changes of other admins, and a demoted one no longer does', async () => {
  const [member, other] = [await buildStaff(app), await buildAdmin(app)];
  const socket = await app.connectSocket(member.token);
  const toggle = (granted: boolean) =>
    attempt(manager, updateAdminPermissions, other.id, { can_manage_messages: granted });
  const ofOther = (event: { admin_id: string }) => event.admin_id === other.id;

  await toggle(false);
  await setRole(manager, member.admin.id, 'manager');
  await toggle(true);
  const received = await socket.nextEvent('admin_updated', ofOther);
  expect(received.permissions.can_manage_messages).toBe(true);
  expect((await member.client.call(currentAdmin)).body.data.role).toBe('manager');
  await member.client.call(listAdmins);

  await setRole(manager, member.admin.id, 'support');
  await socket.nextEvent('admin_updated', ({ role }) => role === 'support');
  await toggle(false);
  const fan = await buildFan(app);
  await socket.nextEvent('conversation_updated', (e) => e.conversation.fan_id === fan.id);
  expect(socket.received('admin_updated').filter(ofOther)).toHaveLength(1);
  expect(await member.client.refused(listAdmins)).toMatchObject({ code: 'permission_required' });
});

test('each change raises the version', async () => {
  const member = await buildAdmin(app);
  const socket = await app.connectSocket(manager.token);
  for (const [endpoint, body] of changes()) await attempt(manager, endpoint, member.id, body);
  const versions = [];
  for (let n = 0; n < changes().length; n++) {
    const { version } = await socket.nextEvent('admin_updated', (e) => e.admin_id === member.id);
    versions.push(version);
  }
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect(new Set(versions).size).toBe(versions.length);
  const { body } = await manager.client.call(listAdmins);
  expect(body.data.find(({ id }) => id === member.id)?.version).toBe(versions.at(-1));
});
