import type { Reaction } from '@stagedoor/contract/messaging/messages';
import { sql } from 'kysely';
import {
  changeConversation,
  lockConversations,
  type QueuedEvent,
} from '../../db/change-conversation.ts';
import type { Database } from '../../db/database.ts';
import { queueWebhook } from '../../db/webhook-events.ts';

/**
 * Toggles a user's reaction: the same emoji again removes it, another replaces it. A staff reaction also queues webhooks.
 * @returns the event and its id in the outbox; null when the conversation has no such message
 */
export async function toggleReaction(
  db: Database,
  {
    conversationId,
    messageId,
    userId,
    fromFan,
    emoji,
  }: {
    readonly conversationId: string;
    readonly messageId: string;
    readonly userId: string;
    readonly fromFan: boolean;
    readonly emoji: Reaction['emoji'];
  },
): Promise<QueuedEvent<'reaction_toggled'> | null> {
  return db.kysely.transaction().execute(async (tx) => {
    // Lock the conversation first, so that later statements see the result of concurrent toggles, unsends and purges.
    const [conversation] = await lockConversations(tx, sql`id = ${conversationId}`);
    const message = await tx
      .selectFrom('messages')
      .select('id')
      .where('id', '=', messageId)
      .where('conversation_id', '=', conversationId)
      .where('unsent_at', 'is', null)
      .executeTakeFirst();
    if (conversation === undefined || message === undefined) return null;
    const earlier = await tx
      .deleteFrom('reactions')
      .where('message_id', '=', messageId)
      .where('user_id', '=', userId)
      .returning(['id', 'emoji'])
      .executeTakeFirst();
    const removed = earlier?.emoji === emoji;
    const { id } = removed
      ? earlier
      : await tx
          .insertInto('reactions')
          .values({ message_id: messageId, user_id: userId, emoji })
          .returning('id')
          .executeTakeFirstOrThrow();
    const action = removed ? 'removed' : 'added';
    const reaction = { id, user_id: userId, emoji, message_id: messageId };
    const fields = { action, message_id: messageId, user_id: userId, reaction };
    const queued = await changeConversation(tx, conversationId, 'reaction_toggled', fields);
    if (!fromFan) {
      // The platform sees all admins as the creator, whose reaction stays until the last admin removes it.
      const others = await tx
        .selectFrom('reactions')
        .select('emoji')
        .where('message_id', '=', messageId)
        .where('user_id', 'not in', [userId, conversation.fan_id])
        .execute();
      const changes = [
        ...(earlier ? [{ action: 'removed', emoji: earlier.emoji } as const] : []),
        ...(removed ? [] : [{ action, emoji } as const]),
      ].filter((change) => !others.some((other) => other.emoji === change.emoji));
      for (const change of changes) {
        const ref = { message_id: messageId, ...change };
        await queueWebhook(tx, { type: 'reaction.toggled', conversationId, ref });
      }
    }
    return queued;
  });
}
