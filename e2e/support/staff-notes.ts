import type { Page } from '@playwright/test';
import { mentionOf } from '@stagedoor/contract/messaging/mention-text';
import { createStaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { type Staff, unique } from '../../apps/server/test/factories.ts';
import { thread } from './screens.ts';

/** Locates a staff note in the thread by part of its text. */
export const note = (page: Page, text: string) =>
  thread(page)
    .getByRole('article', { name: /^Staff note by/ })
    .filter({ hasText: text });

/** Adds a staff note to a conversation. */
export async function leaveNote(staff: Staff, id: string, content: string) {
  const body = { client_id: unique('note'), content };
  return (await staff.client.call(createStaffNote, { params: { id }, body })).body.data;
}

/** Adds a staff note that begins with a mention of an admin. */
export const mention = (author: Staff, named: Staff, id: string, text: string) =>
  leaveNote(author, id, `${mentionOf(named.admin.id)} ${text}`);
