import type { Locator, Page } from '@playwright/test';
import { markRead } from '@stagedoor/contract/inbox/conversations';
import { listFanMessages } from '@stagedoor/contract/platform/platform';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { type Desk, expect } from './journey.ts';
import { type LiveWay, standBetween } from './network.ts';
import { bubble } from './screens.ts';

/** A conversation open in a browser whose live connection can be cut. */
export async function openConversation(
  desk: Desk,
  messages: readonly string[] = ['Hello there'],
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
) {
  const staff = await desk.hire();
  const conversation = await buildConversation(desk, { fan: { first_name: 'Ana' }, messages });
  // A long thread opens where the unread messages begin; a read one at its end.
  if (messages.length > 5) await staff.client.call(markRead, { params: { id: conversation.id } });
  const ways: LiveWay[] = [];
  const page = await desk.open(staff, {
    path: `/inbox/${conversation.id}`,
    prepare: async (opened) => {
      ways.push(await standBetween(opened.context()));
      await prepare(opened);
    },
  });
  await expect(bubble(page, messages.at(-1) ?? '').first()).toBeVisible();
  const [way] = ways;
  if (!way) throw new Error('the page was not prepared');
  await way.untilLive(page);
  return { staff, page, way, ...conversation };
}

/** A button beside a message. */
export const action = (page: Page, text: string, name: string): Locator =>
  bubble(page, text).getByRole('button', { name, exact: true });

/** What a fan sees, the newest first. */
export async function seenBy(desk: Desk, fan: string) {
  return (await desk.platform.call(listFanMessages, { params: { fan } })).body.data;
}

/** The texts that a fan sees, in their order. */
export async function contentsFor(desk: Desk, fan: string): Promise<string[]> {
  return (await seenBy(desk, fan)).map(({ content }) => content).toReversed();
}

/** Grants or revokes message privileges without a word to open browsers. */
export async function setPrivilege(desk: Desk, adminId: string, isGranted: boolean): Promise<void> {
  await desk.db.kysely
    .updateTable('admins')
    .set({ can_manage_messages: isGranted })
    .where('id', '=', adminId)
    .execute();
}
