import { randomUUID } from 'node:crypto';
import type {
  FanVisibleMessage,
  Message,
  Reaction,
  SendMessageInput,
} from '@stagedoor/contract/messaging/messages';
import type { ServerEvent } from '@stagedoor/contract/realtime';
import { isUuid } from '../../db/database.ts';
import { AppError, conversationNotFound, messageNotFound, notMessageAuthor } from '../../errors.ts';
import type { FanRef } from '../../fans/fans/fans.store.ts';
import type { AdminActor, Writer } from '../../http/route.ts';
import { unmarkUnread } from '../../inbox/conversations/actions.store.ts';
import { findConversation, presentState } from '../../inbox/conversations/conversations.store.ts';
import type { FanUpdates } from './fan-updates.ts';
import * as store from './messages.store.ts';
import { type Presentation, presentForFan, presentForStaff } from './present.ts';
import { toggleReaction } from './reactions.store.ts';
import {
  countUnreadByFan,
  findLastRead,
  type MarkedRead,
  markMessagesRead,
} from './reads.store.ts';
import { createSender, type MessagesDependencies } from './send.service.ts';
import type { Unattended } from './send.store.ts';
import { type UnsendRefusal, unsendMessage } from './unsend.store.ts';

export type MessagesService = ReturnType<typeof createMessagesService>;

/** Manages messages, reads and reactions of both sides. Every change is committed before its event is emitted. */
export function createMessagesService(dependencies: MessagesDependencies, fanUpdates: FanUpdates) {
  const { db, publish, outbox, links, webhooks } = dependencies;
  const send = createSender(dependencies);

  async function list(
    conversationId: string,
    before: string | undefined,
    limit: number,
    withUnsent = true,
  ) {
    if (!isUuid(conversationId)) throw conversationNotFound();
    const beforeSeq =
      before === undefined ? null : await store.requireSeq(db, conversationId, before);
    const page = await store.findMessages(db, conversationId, beforeSeq, limit + 1, withUnsent);
    if (page === null) throw conversationNotFound();
    return {
      messages: page.messages.slice(0, limit),
      hasMore: page.messages.length > limit,
      version: page.people.version,
    };
  }

  /** Removes staff's unread mark from a conversation without unread messages. @returns the new unread count */
  async function unmark(conversationId: string): Promise<number> {
    const touched = await unmarkUnread(db, [conversationId]);
    const conversation = await findConversation(db, conversationId);
    if (conversation === null) throw conversationNotFound();
    await dependencies.conversationChanged(touched);
    return conversation.unread_count;
  }

  /** Emits that staff read conversations, and sends the webhooks. */
  async function emitReads(marked: readonly MarkedRead[]): Promise<void> {
    if (marked.length === 0) return;
    await outbox.emit(
      marked.map(({ outbox_id }) => outbox_id),
      () => {
        for (const one of marked) {
          publish.messageRead({
            conversation_id: one.conversation_id,
            read_at: one.read_at.toISOString(),
            up_to_message_id: one.up_to_id,
            up_to_seq: one.up_to_seq,
            unread_count: one.unread_count,
            version: one.version,
          });
        }
      },
    );
    webhooks.wake();
  }

  /** Emits to staff first, because the fan's event contains the whole message, which has to be read from the database. */
  async function emitReaction(event: ServerEvent<'reaction_toggled'>): Promise<void> {
    publish.reactionToggled(event);
    await fanUpdates.showMessage(event);
  }

  async function react(
    conversationId: string,
    messageId: string,
    user: { id: string; fromFan: boolean },
    emoji: Reaction['emoji'],
  ): Promise<{ action: 'added' | 'removed'; reaction: Reaction }> {
    const toggled = isUuid(messageId)
      ? await toggleReaction(db, {
          conversationId,
          messageId,
          userId: user.id,
          fromFan: user.fromFan,
          emoji,
        })
      : null;
    if (toggled === null) throw messageNotFound();
    void outbox.emit([toggled.outboxId], () => emitReaction(toggled.event));
    if (!user.fromFan) webhooks.wake();
    return { action: toggled.event.action, reaction: toggled.event.reaction };
  }

  return {
    /**
     * Sends a message to a fan as the creator.
     * @param idempotencyKey chosen by the caller; null if the call can't be retried safely
     * @param unattended set for a message that a job sends. If there is a message after its `afterSeq`, the send fails with 404
     * @throws AppError like {@link createSender}; with `send_anyway`, a teammate's message that the actor had not seen is no error
     */
    async sendAsCreator(
      actor: Writer,
      input: SendMessageInput,
      idempotencyKey: string | null,
      unattended?: Unattended,
    ): Promise<{ message: Message; created: boolean }> {
      const { id, codename, display_color } = actor.admin;
      const text = input.content.trim();
      const { message, created } = await send({
        conversationId: input.conversation_id,
        // A text of only white space becomes a single space. An empty one stays empty: such a message has only attachments.
        content: text === '' && input.content !== '' ? ' ' : text,
        attachments: input.attachments,
        replyToMessageId: input.reply_to_message_id ?? null,
        authorId: id,
        clientMessageId: idempotencyKey ?? randomUUID(),
        author: { id, codename, display_color },
        ...(unattended && { unattended }),
        lastSeenMessageId: input.send_anyway === true ? undefined : input.last_seen_message_id,
      });
      return { message: presentForStaff(message, actor, links), created };
    },

    /** Sends a message as the fan, with the errors of {@link createSender}. The fan's text isn't trimmed. */
    async sendAsFan<M>(
      present: Presentation<M>,
      fan: FanRef,
      input: {
        client_id: string;
        content: string;
        attachment_ids?: string[] | undefined;
        reply_to_message_id?: string | null | undefined;
      },
    ): Promise<{ message: M; created: boolean }> {
      const { message, created } = await send({
        conversationId: fan.conversation_id,
        content: input.content,
        attachments: (input.attachment_ids ?? []).map((id) => ({ id })),
        replyToMessageId: input.reply_to_message_id ?? null,
        authorId: fan.id,
        clientMessageId: input.client_id,
        author: null,
      });
      return { message: present(message, fan, links), created };
    },

    /**
     * Returns the newest messages before a given one, newest first, and whether there are older ones.
     * @throws AppError 404 for the conversation or the message
     */
    async listForStaff(
      actor: AdminActor,
      conversationId: string,
      before: string | undefined,
      limit: number,
    ): Promise<{ messages: Message[]; hasMore: boolean; version: number }> {
      const { messages, ...page } = await list(conversationId, before, limit);
      return {
        ...page,
        messages: messages.map((message) => presentForStaff(message, actor, links)),
      };
    },

    /**
     * Returns the same page as {@link listForStaff}, with the messages as the fan's side sees them.
     * @param withUnsent counts unsent messages toward the limit and returns their ids, for clients that need every `seq`
     */
    async listForFan<M>(
      present: Presentation<M>,
      fan: FanRef,
      before: string | undefined,
      limit: number,
      withUnsent: boolean,
    ): Promise<{
      messages: M[];
      unsent: { id: string; seq: number }[];
      hasMore: boolean;
      version: number;
    }> {
      const { messages, ...page } = await list(fan.conversation_id, before, limit, withUnsent);
      return {
        ...page,
        messages: messages
          .filter(({ unsent }) => unsent === null)
          .map((message) => present(message, fan, links)),
        unsent: messages
          .filter(({ unsent }) => unsent !== null)
          .map(({ id, seq }) => ({ id, seq })),
      };
    },

    /** Counts the creator's messages that the fan has not read. */
    unreadByFan: (fan: FanRef): Promise<number> => countUnreadByFan(db, fan.conversation_id),

    /** Returns a message as the fan sees it. @throws AppError 404 for the message */
    async getForFan(fan: FanRef, messageId: string): Promise<FanVisibleMessage> {
      const found = isUuid(messageId)
        ? await store.findMessageNow(db, fan.conversation_id, messageId)
        : null;
      if (found === null || found.message.unsent !== null) throw messageNotFound();
      return presentForFan(found.message, fan, links);
    },

    /**
     * Marks the fan's messages as read by staff.
     * @param upTo the newest message that staff saw; undefined for the newest in the conversation
     * @throws AppError 404 for the conversation or the message
     */
    async readByStaff(_actor: Writer, conversationId: string, upTo: string | undefined) {
      await store.requireConversation(db, conversationId);
      const upToSeq = upTo === undefined ? null : await store.requireSeq(db, conversationId, upTo);
      const [marked] = await markMessagesRead(db, 'staff', [conversationId], upToSeq);
      if (marked === undefined) {
        const last = await findLastRead(db, conversationId, true, upToSeq);
        const read_at = last?.read_at?.toISOString() ?? null;
        if (last?.marked_unread) return { read_at, unread_count: await unmark(conversationId) };
        return { read_at, unread_count: last?.unread_count ?? 0 };
      }
      await emitReads([marked]);
      return { read_at: marked.read_at.toISOString(), unread_count: marked.unread_count };
    },

    /**
     * Marks all fan messages in the conversations as read by staff.
     * @param conversationIds UUIDs
     * @returns the ids of the conversations that had unread messages
     */
    async readAllByStaff(conversationIds: readonly string[]): Promise<ReadonlySet<string>> {
      const marked = await markMessagesRead(db, 'staff', conversationIds, null);
      await emitReads(marked);
      return new Set(marked.map(({ conversation_id }) => conversation_id));
    },

    /**
     * Marks the creator's messages as read by the fan, up to and including the given one.
     * @throws AppError 404 for the message
     */
    async readByFan(fan: FanRef, upTo: string): Promise<{ read_at: string; count: number }> {
      const upToSeq = await store.requireSeq(db, fan.conversation_id, upTo);
      const [marked] = await markMessagesRead(db, 'fan', [fan.conversation_id], upToSeq);
      if (marked === undefined) {
        const last = await findLastRead(db, fan.conversation_id, false, upToSeq);
        return { read_at: (last?.read_at ?? new Date()).toISOString(), count: 0 };
      }
      const read_at = marked.read_at.toISOString();
      const event = {
        conversation_id: fan.conversation_id,
        read_at,
        up_to_message_id: marked.up_to_id,
        up_to_seq: marked.up_to_seq,
        version: marked.version,
      };
      await outbox.emit([marked.outbox_id], () => publish.fanRead(event));
      return { read_at, count: marked.count };
    },

    /**
     * Unsends a message that the fan has neither read nor bought.
     * @throws AppError 403 unless the actor wrote it or manages admins, 404 for the message, 409 `already_read`,
     * `already_purchased` or `already_unsent`
     */
    async unsend(actor: AdminActor, messageId: string): Promise<Message> {
      const { id, codename, display_color, permissions } = actor.admin;
      const done = isUuid(messageId)
        ? await unsendMessage(
            db,
            { id, codename, display_color },
            permissions.can_manage_admins,
            messageId,
          )
        : 'not_found';
      if (typeof done === 'string') throw refused(done);
      const { event, outboxId } = done;
      await outbox.emit([outboxId], () => publish.messageUnsent(event));
      webhooks.wake();
      const found = await store.findMessageNow(db, event.conversation_id, messageId);
      if (found === null) throw messageNotFound();
      return presentForStaff(found.message, actor, links);
    },

    /** @throws AppError 404 for the conversation, or a message that is not in it */
    async reactAsCreator(
      actor: Writer,
      target: { conversation_id: string; message_id: string; emoji: Reaction['emoji'] },
    ) {
      await store.requireConversation(db, target.conversation_id);
      const user = { id: actor.admin.id, fromFan: false };
      return react(target.conversation_id, target.message_id, user, target.emoji);
    },

    /** @throws AppError 404 for the message */
    reactAsFan(fan: FanRef, messageId: string, emoji: Reaction['emoji']) {
      return react(fan.conversation_id, messageId, { id: fan.id, fromFan: true }, emoji);
    },

    /** Re-emits events that the originating node failed to emit. */
    reemitters: {
      async new_message(ref: {
        conversation_id: string;
        message_id: string;
        tempId: string | null;
        client_id?: string | null;
      }) {
        const state = await store.findState(db, ref.conversation_id);
        const found = await store.findMessageNow(db, ref.conversation_id, ref.message_id);
        if (!found || !state) return;
        const { message, people } = found;
        const { conversation_id } = ref;
        const fan = { id: people.fan_id, conversation_id, creator_id: people.creator_id };
        publish.newMessage(
          {
            conversation_id,
            message: presentForStaff(message, 'staff', links),
            seq: message.seq,
            version: state.version,
            conversation: presentState(state),
            tempId: ref.tempId,
          },
          message.unsent === null
            ? () => ({
                message: presentForFan(message, fan, links),
                version: state.version,
                client_id: ref.client_id ?? null,
              })
            : null,
        );
      },
      message_unsent: publish.messageUnsent,
      message_read: publish.messageRead,
      fan_read: publish.fanRead,
      reaction_toggled: emitReaction,
    },
  };
}

function refused(why: UnsendRefusal): AppError {
  switch (why) {
    case 'not_found':
      return messageNotFound();
    case 'not_author':
      return notMessageAuthor();
    default:
      return new AppError(`already_${why}`);
  }
}
