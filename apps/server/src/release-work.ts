import type { ConversationTouched } from './db/outbox-events.ts';
import type { Tx } from './db/tables.ts';
import { releaseClaimsOf } from './inbox/conversations/actions.store.ts';
import { deletePinsOf } from './inbox/queue/pins.store.ts';
import { deleteViewsOf } from './inbox/views/views.store.ts';
import { deleteDraftsOf } from './messaging/drafts/drafts.store.ts';
import { endShiftsOf } from './team/shifts/clocks.store.ts';

/**
 * Deletes a removed admin's pins, views and drafts, ends their clock, deletes their future shifts and open request for more time,
 * and releases their claims.
 * @returns the released conversations
 */
export async function releaseWork(tx: Tx, adminId: string): Promise<ConversationTouched[]> {
  // First, because conversations are locked before the rows that belong to them.
  const released = await releaseClaimsOf(tx, adminId);
  await deletePinsOf(tx, adminId);
  await deleteViewsOf(tx, adminId);
  await deleteDraftsOf(tx, adminId);
  await endShiftsOf(tx, adminId);
  return released;
}
