import {
  removeAdmin,
  updateAdminCodename,
  updateAdminPermissions,
} from '@stagedoor/contract/team/admins';
import { buildConversation, buildReply } from '../../apps/server/test/factories.ts';
import { expect, test } from '../support/journey.ts';
import { composer, thread } from '../support/screens.ts';

test('revoking and granting message privileges shows in an open browser at once', async ({
  desk,
}) => {
  const [member, manager] = [await desk.hire(), await desk.hire({ role: 'manager' })];
  const { id } = await buildConversation(desk);
  const page = await desk.open(member, { path: `/inbox/${id}` });
  await expect(composer(page)).toBeEditable();
  const params = { id: member.admin.id };
  await manager.client.call(updateAdminPermissions, {
    params,
    body: { can_manage_messages: false },
  });
  const why = page.getByText('You do not have message privileges').filter({ visible: true });
  await expect(why).toHaveCount(1);
  await expect(composer(page)).toBeHidden();
  await manager.client.call(updateAdminPermissions, {
    params,
    body: { can_manage_messages: true },
  });
  await expect(composer(page)).toBeEditable();
});

test('a renamed teammate shows in open browsers, on their claims and messages', async ({
  desk,
}) => {
  const mango = await desk.hire({ codename: 'Mango' });
  const [teammate, manager] = [await desk.hire(), await desk.hire({ role: 'manager' })];
  const { id } = await buildConversation(desk, { claimedBy: mango.admin });
  await buildReply(mango, id, { content: 'Good morning' });
  const page = await desk.open(teammate, { path: `/inbox/${id}` });
  await expect(page.getByText('Claimed by Mango')).toBeAttached();
  await manager.client.call(updateAdminCodename, {
    params: { id: mango.admin.id },
    body: { codename: 'Nightshift' },
  });
  await expect(page.getByText('Claimed by Nightshift')).toBeAttached();
  await expect(thread(page)).not.toContainText('Mango');
});

test('a removed admin is signed out in every tab', async ({ desk }) => {
  const [member, manager] = [await desk.hire(), await desk.hire({ role: 'manager' })];
  const { id } = await buildConversation(desk);
  const tabs = [await desk.open(member), await desk.open(member, { path: `/inbox/${id}` })];
  await expect(composer(tabs[1] ?? failed())).toBeEditable();
  await manager.client.call(removeAdmin, { params: { id: member.admin.id } });
  for (const page of tabs) await expect(page).toHaveURL(/\/login$/);
});

function failed(): never {
  throw new Error('no such tab');
}
