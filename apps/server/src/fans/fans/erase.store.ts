import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { type ConversationTouched, queueEvent } from '../../db/outbox-events.ts';

/**
 * Deletes a fan with everything that is known of them: profile, notes, tags, conversation, messages, and the rows that
 * name their files, which a sweep then deletes. Offers and sales stay, as figures without a person.
 * @returns the conversation that is gone, with its event's id in the outbox; null where there is no such fan
 */
export async function eraseFan(
  db: Database,
  externalId: string,
): Promise<ConversationTouched | null> {
  return db.kysely.transaction().execute(async (tx) => {
    // The conversation's lock first: whoever writes to it at this moment is either done, or finds it gone.
    const found = await tx
      .selectFrom('conversations as c')
      .innerJoin('fans as f', 'f.id', 'c.fan_id')
      .select(['c.id', 'f.id as fan_id'])
      .where('f.external_id', '=', externalId)
      .forUpdate()
      .executeTakeFirst();
    if (found === undefined) return null;
    await tx.deleteFrom('outbox').where(sql`payload->>'conversation_id'`, '=', found.id).execute();
    // Before their uploads, as by who settles one. The fan's own row would take both with it, in the other order.
    await tx.deleteFrom('scheduled_messages').where('conversation_id', '=', found.id).execute();
    await tx.deleteFrom('owned_products').where('fan_id', '=', found.fan_id).execute();
    await tx.deleteFrom('fans').where('id', '=', found.fan_id).execute();
    const event = { conversation_id: found.id };
    const outboxId = await queueEvent(tx, 'conversation_removed', event);
    return { conversationId: found.id, outboxId };
  });
}
