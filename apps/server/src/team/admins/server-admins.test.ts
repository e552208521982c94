import { type AdminRecord, listAdmins, removeAdmin } from '@stagedoor/contract/team/admins';
import { listAudit } from '@stagedoor/contract/team/audit';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff, unique } from '../../../test/factories.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { releaseWork } from '../../release-work.ts';
import * as server from './server-admins.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });

const address = () => `${unique('server')}@staff.example`;
const find = async (email: string): Promise<AdminRecord | undefined> =>
  (await manager.client.call(listAdmins)).body.data.find((admin) => admin.email === email);
const acts = async (id: string) => {
  const { body } = await manager.client.call(listAudit, { query: { target_id: id } });
  return body.data.map(({ admin, action }) => [admin, action]);
};

test('the command line adds, removes and restores admins, and the audit log has no actor for it', async () => {
  const email = address();
  expect(await server.addAdmin(app.db, email, 'moderator')).toBe('added');
  const added = await find(email);
  expect(added).toMatchObject({ role: 'moderator', is_active: true });
  expect(await server.addAdmin(app.db, email, 'support')).toBe('active already');
  expect(await server.removeAdmin(app.db, email, releaseWork)).toBe('removed');
  expect(await server.removeAdmin(app.db, email, releaseWork)).toBe('unknown');
  expect(await server.removeAdmin(app.db, address(), releaseWork)).toBe('unknown');
  expect(await server.addAdmin(app.db, email, 'support')).toBe('restored');
  expect(await find(email)).toMatchObject({ codename: added?.codename, role: 'support' });
  expect(await acts(added?.id ?? '')).toEqual([
    [null, 'admin.restore'],
    [null, 'admin.remove'],
    [null, 'admin.add'],
  ]);
});

test('a running server closes the removed admin’s sockets and notifies the others', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app, { claimedBy: staff.admin });
  const [own, managing] = [
    await app.connectSocket(staff.token),
    await app.connectSocket(manager.token),
  ];
  await server.removeAdmin(app.db, staff.admin.email, releaseWork);
  await until('its socket closed', () => !own.socket.connected);
  const received = await managing.nextEvent(
    'admin_updated',
    ({ admin_id }) => admin_id === staff.admin.id,
  );
  expect(received.is_active).toBe(false);
  const freed = await managing.nextEvent(
    'conversation_updated',
    ({ conversation }) => conversation.id === id,
  );
  expect(freed.conversation.claimed_by).toBeNull();
});

test('the last manager can’t be removed', async () => {
  const own = await startTestApp();
  const [email, other] = [address(), address()];
  await server.addAdmin(own.db, email, 'manager');
  await server.addAdmin(own.db, other, 'support');
  expect(await server.removeAdmin(own.db, email, releaseWork)).toBe('last manager');
  expect(await server.removeAdmin(own.db, other, releaseWork)).toBe('removed');
  await own.close();
});

test('a removed owner stays removed when the server restarts', async () => {
  const email = address();
  await server.ensureOwner(app.db, email);
  const owner = await find(email);
  expect(owner).toMatchObject({ role: 'creator', is_active: true });
  const creator = await buildStaff(app, { role: 'creator' });
  await creator.client.call(removeAdmin, { params: { id: owner?.id ?? '' } });
  await server.ensureOwner(app.db, email);
  expect(await find(email)).toMatchObject({ is_active: false });
});
