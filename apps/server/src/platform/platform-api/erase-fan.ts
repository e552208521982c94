import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { type ConversationTouched, deleteEventsOf, queueEvent } from '../../db/outbox-events.ts';
import { deleteFan } from '../../fans/fans/fans.store.ts';
import { deleteScheduledOf } from '../../messaging/scheduled/scheduled.store.ts';
import { keepResults } from '../../selling/campaigns/results.store.ts';
import { deleteOwnedOf } from '../../selling/purchases/purchases.store.ts';
import { deleteTipTextsOf } from '../../selling/tips/tips.store.ts';

/**
 * Deletes a fan with all personal data: profile, notes, tags, conversation, messages, and the rows that refer to the fan's
 * files, which a sweep then deletes. Offers and sales stay as anonymous figures.
 * @returns the deleted conversation with its event's outbox id; null if there is no such fan
 */
export async function eraseFan(
  db: Database,
  externalId: string,
): Promise<ConversationTouched | null> {
  return db.kysely.transaction().execute(async (tx) => {
    // Lock the conversation first: a concurrent write has either finished or finds it deleted.
    const found = await tx
      .selectFrom('conversations as c')
      .innerJoin('fans as f', 'f.id', 'c.fan_id')
      .select(['c.id', 'f.id as fan_id'])
      .where('f.external_id', '=', externalId)
      .forUpdate()
      .executeTakeFirst();
    if (found === undefined) return null;
    await deleteEventsOf(tx, found.id);
    // Delete scheduled messages before their uploads: settling a message locks them in this order. The cascade would reverse it.
    await deleteScheduledOf(tx, found.id);
    await deleteOwnedOf(tx, found.fan_id);
    await deleteTipTextsOf(tx, found.fan_id);
    await keepResults(tx, sql`m.conversation_id = ${found.id}`);
    await deleteFan(tx, found.fan_id);
    const outboxId = await queueEvent(tx, 'conversation_removed', { conversation_id: found.id });
    return { conversationId: found.id, outboxId };
  });
}
