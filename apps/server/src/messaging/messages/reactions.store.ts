import type { Reaction } from '@stagedoor/contract/messaging/messages';
import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { Database } from '../../db/database.ts';
import { queueEvent } from '../../db/outbox-events.ts';
import { queueWebhook } from '../../db/webhook-events.ts';

type Toggled = ServerEvent<'reaction_toggled'>;

/**
 * Toggles a user's reaction: the same emoji again removes it, another replaces it. A staff reaction also queues a webhook.
 * @returns the event and its id in the outbox; null when the conversation has no such message
 */
export async function toggleReaction(
  db: Database,
  target: {
    conversationId: string;
    messageId: string;
    userId: string;
    fromFan: boolean;
    emoji: Reaction['emoji'];
  },
): Promise<{ event: Toggled; outboxId: number } | null> {
  return db.kysely.transaction().execute(async (tx) => {
    // Lock the conversation first, so that later statements see the result of concurrent toggles.
    const conversation = await tx
      .updateTable('conversations')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('id', '=', target.conversationId)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('messages')
            .select('messages.id')
            .where('messages.id', '=', target.messageId)
            .where('messages.conversation_id', '=', target.conversationId),
        ),
      )
      .returning('version')
      .executeTakeFirst();
    if (conversation === undefined) return null;
    const earlier = await tx
      .deleteFrom('reactions')
      .where('message_id', '=', target.messageId)
      .where('user_id', '=', target.userId)
      .returning(['id', 'emoji'])
      .executeTakeFirst();
    const removed = earlier?.emoji === target.emoji;
    const id = removed
      ? earlier.id
      : (
          await tx
            .insertInto('reactions')
            .values({ message_id: target.messageId, user_id: target.userId, emoji: target.emoji })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id;
    const event: Toggled = {
      action: removed ? 'removed' : 'added',
      message_id: target.messageId,
      conversation_id: target.conversationId,
      user_id: target.userId,
      reaction: { id, user_id: target.userId, emoji: target.emoji, message_id: target.messageId },
      version: conversation.version,
    };
    const outboxId = await queueEvent(tx, 'reaction_toggled', event);
    if (!target.fromFan) {
      await queueWebhook(tx, {
        type: 'reaction.toggled',
        conversationId: target.conversationId,
        ref: { message_id: target.messageId, action: event.action, emoji: target.emoji },
      });
    }
    return { event, outboxId };
  });
}
