import type { Locator, Page } from '@playwright/test';
import { markRead } from '@stagedoor/contract/inbox/conversations';
import { listFanMessages } from '@stagedoor/contract/platform/platform';
import { updateAdminPermissions } from '@stagedoor/contract/team/admins';
import { signOut } from '@stagedoor/contract/team/auth';
import { buildConversation, type Staff } from '../../apps/server/test/factories.ts';
import { type Desk, expect, type OpenOptions } from './journey.ts';
import { interceptLive, type LiveConnection } from './network.ts';
import { bubble } from './screens.ts';

/** Opens the console with a live connection that can be cut, and waits until it is live. */
export async function openLive(desk: Desk, staff: Staff, options: OpenOptions = {}) {
  const ways: LiveConnection[] = [];
  const page = await desk.open(staff, {
    ...options,
    prepare: async (opened) => {
      ways.push(await interceptLive(opened.context()));
      await options.prepare?.(opened);
    },
  });
  const [way] = ways;
  if (!way) throw new Error('the page was not prepared');
  await way.untilLive(page);
  return { page, way };
}

/** Opens a conversation as {@link openLive} does. */
export async function openConversation(
  desk: Desk,
  messages: readonly string[] = ['Hello there'],
  prepare?: OpenOptions['prepare'],
) {
  const staff = await desk.hire();
  const conversation = await buildConversation(desk, { fan: { first_name: 'Ana' }, messages });
  // A long thread opens at its first unread message, or at its end if every message is read.
  if (messages.length > 5) await staff.client.call(markRead, { params: { id: conversation.id } });
  const path = `/inbox/${conversation.id}`;
  const { page, way } = await openLive(desk, staff, { path, ...(prepare && { prepare }) });
  await expect(bubble(page, messages.at(-1) ?? '').first()).toBeVisible();
  return { staff, page, way, ...conversation };
}

/** Returns a button beside a message. */
export const action = (page: Page, text: string, name: string): Locator =>
  bubble(page, text).getByRole('button', { name, exact: true });

/** Returns the fan's view of the messages, newest first. */
export async function seenBy(desk: Desk, fan: string) {
  return (await desk.platform.call(listFanMessages, { params: { fan } })).body.data;
}

/** Returns the texts that a fan sees, oldest first. */
export async function contentsFor(desk: Desk, fan: string): Promise<string[]> {
  return (await seenBy(desk, fan)).map(({ content }) => content).toReversed();
}

/** Revokes message privileges. The page doesn't learn of it before a send is refused. */
export async function revokePrivilege(desk: Desk, page: Page, adminId: string): Promise<void> {
  await page.route('**/api/auth/admin/me', (route) => route.abort());
  await desk.db.kysely
    .updateTable('admins')
    .set({ can_manage_messages: false })
    .where('id', '=', adminId)
    .execute();
  // Any write makes the server check the permissions of all connected admins immediately.
  await (await desk.hire()).client.call(signOut);
}

/** Grants message privileges, as a manager does. */
export async function grantPrivilege(desk: Desk, adminId: string): Promise<void> {
  const { client } = await desk.hire({ role: 'manager' });
  await client.call(updateAdminPermissions, {
    params: { id: adminId },
    body: { can_manage_messages: true },
  });
}
