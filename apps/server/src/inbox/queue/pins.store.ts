import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { PINS_MAX } from '@stagedoor/contract/inbox/queue';
import type { Database, Statement } from '../../db/database.ts';
import { queueEvent } from '../../db/outbox-events.ts';
import type { Tx } from '../../db/tables.ts';
import {
  type ConversationRow,
  presentConversation,
  selectConversations,
} from '../conversations/conversations.store.ts';

const pinsStatement: Statement = {
  name: 'queue_pins',
  text: `${selectConversations(
    `(select c.*, p.pinned_at from pins p join conversations c on c.id = p.conversation_id where p.admin_id = $1)`,
  )} order by c.pinned_at desc, c.id desc`,
};

/** Returns an admin's pinned conversations, newest pin first. */
export async function findPins(db: Database, adminId: string): Promise<Conversation[]> {
  const rows = await db.run<ConversationRow>(pinsStatement, [adminId]);
  return rows.map(presentConversation);
}

/** The result of a pin change: the event's outbox id, or the reason why nothing changed. */
type PinChange = number | 'unchanged' | 'too many';

/** Pins a conversation. Duplicates and the limit are checked even against concurrent pins. */
export function insertPin(
  db: Database,
  adminId: string,
  conversationId: string,
): Promise<PinChange> {
  return db.kysely.transaction().execute(async (tx) => {
    // Locking the admin's row serializes their pins and blocks their removal, but not writes that reference the admin.
    const admin = await tx
      .selectFrom('admins')
      .select('id')
      .where('id', '=', adminId)
      .where('is_active', '=', true)
      .forNoKeyUpdate()
      .executeTakeFirst();
    const held = await tx
      .selectFrom('pins')
      .select('conversation_id')
      .where('admin_id', '=', adminId)
      .execute();
    if (!admin || held.some((row) => row.conversation_id === conversationId)) return 'unchanged';
    if (held.length >= PINS_MAX) return 'too many';
    // The conversation may have been erased in the meantime.
    const found = await tx
      .selectFrom('conversations')
      .select('id')
      .where('id', '=', conversationId)
      .forKeyShare()
      .executeTakeFirst();
    if (!found) return 'unchanged';
    await tx
      .insertInto('pins')
      .values({ admin_id: adminId, conversation_id: conversationId })
      .execute();
    return queueEvent(tx, 'pins_updated', { admin_id: adminId });
  });
}

/** Unpins a conversation. @returns the same as {@link insertPin} */
export function deletePin(
  db: Database,
  adminId: string,
  conversationId: string,
): Promise<PinChange> {
  return db.kysely.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('pins')
      .where('admin_id', '=', adminId)
      .where('conversation_id', '=', conversationId)
      .executeTakeFirst();
    return numDeletedRows > 0n
      ? queueEvent(tx, 'pins_updated', { admin_id: adminId })
      : 'unchanged';
  });
}

export async function deletePinsOf(tx: Tx, adminId: string): Promise<void> {
  await tx.deleteFrom('pins').where('admin_id', '=', adminId).execute();
}
