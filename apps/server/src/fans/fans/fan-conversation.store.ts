import { sql, type Transaction } from 'kysely';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import type { Row, Tables } from '../../db/tables.ts';

/**
 * Records a change of a fan as a change of their conversation: raises its version and queues the event. Takes the
 * conversation's lock, which every change of a fan must take first to avoid deadlocks.
 * @returns null if there is no such fan
 */
export async function touchConversation(
  tx: Transaction<Tables>,
  fanId: string,
): Promise<ConversationTouched | null> {
  const [touched] = await touchConversations(tx, [fanId]);
  return touched ?? null;
}

/** Like {@link touchConversation}, for several fans. The caller must have locked their conversations. */
export async function touchConversations(
  tx: Transaction<Tables>,
  fanIds: readonly string[],
): Promise<ConversationTouched[]> {
  const { rows } = await sql<ConversationTouched>`
    with touched as (
      update conversations set version = version + 1 where fan_id = any(${fanIds}::uuid[]) returning id
    ), queued as (
      insert into outbox (event, payload)
      select 'conversation_updated', jsonb_build_object('conversation_id', id) from touched returning id, payload
    )
    select id as "outboxId", payload->>'conversation_id' as "conversationId" from queued`.execute(
    tx,
  );
  return rows;
}

/** Locks conversations in a fixed order. @param ids UUIDs @returns those that exist, with their fans */
export async function lockConversations(
  tx: Transaction<Tables>,
  ids: readonly string[],
): Promise<Row<'conversations', 'id' | 'fan_id'>[]> {
  const { rows } = await sql<Row<'conversations', 'id' | 'fan_id'>>`
    select id, fan_id from conversations where id = any(${ids}::uuid[]) order by id for update`.execute(
    tx,
  );
  return rows;
}

/** Locks a fan's conversation before it is known whether anything will change. @returns whether the fan exists */
export async function lockConversation(tx: Transaction<Tables>, fanId: string): Promise<boolean> {
  const conversation = await tx
    .selectFrom('conversations')
    .select('id')
    .where('fan_id', '=', fanId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return conversation !== undefined;
}
