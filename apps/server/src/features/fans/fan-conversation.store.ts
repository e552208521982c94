import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';

/** The event of a change that shows in a fan's conversation, and its place in the outbox. */
export interface ConversationTouched {
  readonly conversationId: string;
  readonly outboxId: number;
}

/**
 * Makes a change of a fan one of their conversation: raises its version and queues the event. Takes the conversation's lock,
 * which whatever changes a fan takes first, so that no two wait for each other.
 * @returns null where there is no such fan
 */
export async function touchConversation(
  tx: Transaction<Tables>,
  fanId: string,
): Promise<ConversationTouched | null> {
  const { rows } = await sql<ConversationTouched>`
    with touched as (
      update conversations set version = version + 1 where fan_id = ${fanId} returning id
    ), queued as (
      insert into outbox (event, payload)
      select 'conversation_updated', jsonb_build_object('conversation_id', id) from touched returning id
    )
    select touched.id as "conversationId", queued.id as "outboxId" from touched, queued`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** As {@link touchConversation}, for who does not know yet whether anything will change. @returns whether there is such a fan */
export async function lockConversation(tx: Transaction<Tables>, fanId: string): Promise<boolean> {
  const conversation = await tx
    .selectFrom('conversations')
    .select('id')
    .where('fan_id', '=', fanId)
    .forUpdate()
    .executeTakeFirst();
  return conversation !== undefined;
}
