import { createHash, randomUUID } from 'node:crypto';
import type {
  AttachmentInput,
  FanVisibleMessage,
  Message,
  Reaction,
  SendMessageInput,
} from '@stagedoor/contract/messages';
import { type Database, isUuid } from '../../db/database.ts';
import {
  conversationNotFound,
  idempotencyConflict,
  invalidAttachment,
  invalidRequest,
  messageNotFound,
} from '../../errors.ts';
import type { AdminActor, AdminWith } from '../../http/route.ts';
import type { Outbox } from '../../realtime/outbox.ts';
import type { Publisher } from '../../realtime/publish.ts';
import { presentState } from '../conversations/conversations.store.ts';
import type { FanRef } from '../fans/fans.store.ts';
import type { MediaLinks } from '../media/media-links.ts';
import type { StoredAttachment } from '../media/stored-attachment.ts';
import { withPurchases } from '../media/uploads.store.ts';
import {
  findByClientId,
  findMessage,
  findMessages,
  findParticipants,
  findSeq,
  findState,
  type Participants,
  PREVIEW_CHARS,
} from './messages.store.ts';
import { previewOf, resolveAttachments } from './outgoing-attachments.ts';
import { type MessageRecord, presentForFan, presentForStaff, type QuoteRecord } from './present.ts';
import { toggleReaction } from './reactions.store.ts';
import { findLastRead, markMessagesRead } from './reads.store.ts';
import { insertMessage, type StoredMessage } from './send.store.ts';

interface MessagesDependencies {
  readonly db: Database;
  readonly publish: Publisher;
  readonly outbox: Pick<Outbox, 'emitted'>;
  readonly links: MediaLinks;
}

export type MessagesService = ReturnType<typeof createMessagesService>;

/** An admin who may do what fans see. */
type Writer = AdminWith<'can_manage_messages'>;

interface Draft {
  readonly conversationId: string;
  readonly content: string;
  readonly attachments: readonly AttachmentInput[];
  readonly replyToMessageId: string | null;
  readonly authorId: string;
  readonly clientMessageId: string;
  readonly author: Message['author'];
}

/** Messages, reads and reactions, of both sides. Each change is committed before anyone hears of it. */
export function createMessagesService({ db, publish, outbox, links }: MessagesDependencies) {
  async function send(draft: Draft): Promise<{ message: MessageRecord; created: boolean }> {
    const carries = draft.attachments.length > 0;
    if (draft.content.trim() === '' && !carries) {
      throw invalidRequest({ content: 'Please write a message or attach a file' });
    }
    if (!isUuid(draft.conversationId)) throw conversationNotFound();
    const payloadHash = hashPayload(draft);
    // What was attached the first time can't be attached again: a repetition must be known for one before that is checked.
    const earlier = carries ? await original(draft, payloadHash) : null;
    if (earlier !== null) return { message: earlier, created: false };
    const quote = await quoteOf(draft.conversationId, draft.replyToMessageId);
    const place = { conversationId: draft.conversationId, ownerId: draft.authorId };
    const attachments = carries ? await resolveAttachments(db, place, draft.attachments) : [];
    const id = randomUUID();
    const stored = await insertMessage(db, {
      id,
      conversationId: draft.conversationId,
      fromFan: draft.author === null,
      authorId: draft.authorId,
      clientMessageId: draft.clientMessageId,
      payloadHash,
      content: draft.content,
      replyToMessageId: quote?.id ?? null,
      attachments,
      preview: previewOf(draft.content, attachments),
    });
    if (stored === null) throw conversationNotFound();
    if (stored === 'repeated' || stored === 'taken') {
      const first = await original(draft, payloadHash);
      if (first !== null) return { message: first, created: false };
      throw invalidAttachment('There is no such upload');
    }
    const message = recordOfNew(id, draft, attachments, stored, quote);
    publishMessage(message, stored, draft.author === null ? null : draft.clientMessageId);
    outbox.emitted(stored.outbox_ids);
    return { message, created: true };
  }

  async function participantsOf(conversationId: string): Promise<Participants> {
    const people = isUuid(conversationId) ? await findParticipants(db, conversationId) : null;
    if (people === null) throw conversationNotFound();
    return people;
  }

  /** The message that is answered, which must be of the same conversation. */
  async function quoteOf(conversationId: string, messageId: string | null): Promise<QuoteRecord | null> {
    if (messageId === null) return null;
    const people = await participantsOf(conversationId);
    const quoted = isUuid(messageId) ? await findMessage(db, people, messageId) : null;
    if (quoted === null) throw messageNotFound();
    return quoteFrom(quoted, people);
  }

  /** The message that a repeated send gave before; null when this is the first. */
  async function original(draft: Draft, payloadHash: Buffer): Promise<MessageRecord | null> {
    const found = await findByClientId(db, draft.authorId, draft.clientMessageId);
    if (found === null) return null;
    if (!found.payload_hash.equals(payloadHash)) throw idempotencyConflict();
    const message = await findMessage(db, await participantsOf(found.conversation_id), found.id);
    if (message === null) throw messageNotFound();
    return message;
  }

  /** The read first: it is the older of the two versions. */
  function publishMessage(record: MessageRecord, stored: StoredMessage, tempId: string | null): void {
    const message = presentForStaff(record, 'staff', links);
    const { read_up_to_id, read_up_to_seq, read_at } = stored;
    if (read_up_to_id !== null && read_up_to_seq !== null && read_at !== null) {
      publish.messageRead({
        conversation_id: message.conversation_id,
        read_at: read_at.toISOString(),
        up_to_message_id: read_up_to_id,
        up_to_seq: read_up_to_seq,
        unread_count: stored.unread_count,
        version: stored.version - 1,
      });
    }
    publish.newMessage({
      conversation_id: message.conversation_id,
      message,
      seq: message.seq,
      version: stored.version,
      conversation: presentState(stored),
      tempId,
    });
  }

  async function list(conversationId: string, before: string | undefined, limit: number) {
    if (!isUuid(conversationId)) throw conversationNotFound();
    const beforeSeq = before === undefined ? null : await seqOf(conversationId, before);
    const page = await findMessages(db, conversationId, beforeSeq, limit + 1);
    if (page === null) throw conversationNotFound();
    return {
      messages: page.messages.slice(0, limit),
      hasMore: page.messages.length > limit,
      version: page.people.version,
    };
  }

  async function seqOf(conversationId: string, messageId: string): Promise<number> {
    const seq = isUuid(messageId) ? await findSeq(db, conversationId, messageId) : null;
    if (seq === null) throw messageNotFound();
    return seq;
  }

  async function react(
    conversationId: string,
    messageId: string,
    userId: string,
    emoji: Reaction['emoji'],
  ): Promise<{ action: 'added' | 'removed'; reaction: Reaction }> {
    const toggled = isUuid(messageId)
      ? await toggleReaction(db, { conversationId, messageId, userId, emoji })
      : null;
    if (toggled === null) throw messageNotFound();
    publish.reactionToggled(toggled.event);
    outbox.emitted([toggled.outboxId]);
    return { action: toggled.event.action, reaction: toggled.event.reaction };
  }

  return {
    /**
     * Writes to a fan as the creator.
     * @param idempotencyKey the caller's own id for the send; null: it can't be repeated safely
     * @throws AppError 404 for the conversation or the quoted message, 400 for blank text, 409 for a key used otherwise
     */
    async sendAsCreator(
      actor: Writer,
      input: SendMessageInput,
      idempotencyKey: string | null,
    ): Promise<{ message: Message; created: boolean }> {
      const { id, codename, display_color } = actor.admin;
      const text = input.content.trim();
      const { message, created } = await send({
        conversationId: input.conversation_id,
        // A blank is what goes with attachments alone.
        content: text === '' && input.content !== '' ? ' ' : text,
        attachments: input.attachments,
        replyToMessageId: input.reply_to_message_id ?? null,
        authorId: id,
        clientMessageId: idempotencyKey ?? randomUUID(),
        author: { id, codename, display_color },
      });
      return { message: presentForStaff(message, actor, links), created };
    },

    /** As {@link sendAsCreator}, from the fan; their text stays as it is. */
    async sendAsFan(
      fan: FanRef,
      input: {
        client_id: string;
        content: string;
        attachment_ids?: string[] | undefined;
        reply_to_message_id?: string | null | undefined;
      },
    ): Promise<{ message: FanVisibleMessage; created: boolean }> {
      const { message, created } = await send({
        conversationId: fan.conversation_id,
        content: input.content,
        attachments: (input.attachment_ids ?? []).map((id) => ({ id })),
        replyToMessageId: input.reply_to_message_id ?? null,
        authorId: fan.id,
        clientMessageId: input.client_id,
        author: null,
      });
      return { message: presentForFan(message, fan, links), created };
    },

    /**
     * The newest messages before a given one, newest first, and whether there are older ones.
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

    /** As {@link listForStaff}, as the fan may see it. */
    async listForFan(
      fan: FanRef,
      before: string | undefined,
      limit: number,
    ): Promise<FanVisibleMessage[]> {
      const { messages } = await list(fan.conversation_id, before, limit);
      return messages.map((message) => presentForFan(message, fan, links));
    },

    /**
     * Staff have read the fan's messages.
     * @param upTo the newest that they saw; undefined: the newest that there is
     * @throws AppError 404 for the conversation or the message
     */
    async readByStaff(_actor: Writer, conversationId: string, upTo: string | undefined) {
      await participantsOf(conversationId);
      const upToSeq = upTo === undefined ? null : await seqOf(conversationId, upTo);
      const marked = await markMessagesRead(db, 'staff', conversationId, upToSeq);
      if (marked === null) {
        const last = await findLastRead(db, conversationId, true, upToSeq);
        return { read_at: last?.read_at?.toISOString() ?? null, unread_count: last?.unread_count ?? 0 };
      }
      const read_at = marked.read_at.toISOString();
      publish.messageRead({
        conversation_id: conversationId,
        read_at,
        up_to_message_id: marked.up_to_id,
        up_to_seq: marked.up_to_seq,
        unread_count: marked.unread_count,
        version: marked.version,
      });
      outbox.emitted([marked.outbox_id]);
      return { read_at, unread_count: marked.unread_count };
    },

    /**
     * The fan has read the creator's messages, up to and with the given one.
     * @throws AppError 404 for the message
     */
    async readByFan(fan: FanRef, upTo: string): Promise<{ read_at: string; count: number }> {
      const upToSeq = await seqOf(fan.conversation_id, upTo);
      const marked = await markMessagesRead(db, 'fan', fan.conversation_id, upToSeq);
      if (marked === null) {
        const last = await findLastRead(db, fan.conversation_id, false, upToSeq);
        return { read_at: (last?.read_at ?? new Date()).toISOString(), count: 0 };
      }
      const read_at = marked.read_at.toISOString();
      publish.fanRead({
        conversation_id: fan.conversation_id,
        read_at,
        up_to_message_id: marked.up_to_id,
        up_to_seq: marked.up_to_seq,
        version: marked.version,
      });
      outbox.emitted([marked.outbox_id]);
      return { read_at, count: marked.count };
    },

    /** @throws AppError 404 for the message or a conversation that it is not in */
    async reactAsCreator(
      actor: Writer,
      target: { conversation_id: string; message_id: string; emoji: Reaction['emoji'] },
    ) {
      await participantsOf(target.conversation_id);
      return react(target.conversation_id, target.message_id, actor.admin.id, target.emoji);
    },

    /** @throws AppError 404 for the message */
    reactAsFan(fan: FanRef, messageId: string, emoji: Reaction['emoji']) {
      return react(fan.conversation_id, messageId, fan.id, emoji);
    },

    /** For events whose node did not get to them. */
    reemitters: {
      async new_message(ref: { conversation_id: string; message_id: string; tempId: string | null }) {
        const people = await findParticipants(db, ref.conversation_id);
        const state = await findState(db, ref.conversation_id);
        const message = people && (await findMessage(db, people, ref.message_id));
        if (!message || !state) return;
        publish.newMessage({
          conversation_id: ref.conversation_id,
          message: presentForStaff(message, 'staff', links),
          seq: message.seq,
          version: state.version,
          conversation: presentState(state),
          tempId: ref.tempId,
        });
      },
      message_read: publish.messageRead,
      fan_read: publish.fanRead,
      reaction_toggled: publish.reactionToggled,
    },
  };
}

/** The same for the same send, however it was written. */
function hashPayload(draft: Draft): Buffer {
  const attachments = draft.attachments.map((input) =>
    'id' in input ? input.id : { product_id: input.product_id, price: input.price },
  );
  const payload = [draft.conversationId, draft.content, attachments, draft.replyToMessageId];
  return createHash('sha256').update(JSON.stringify(payload)).digest();
}

/** A message that was stored a moment ago, without reading it back. */
function recordOfNew(
  id: string,
  draft: Draft,
  attachments: readonly StoredAttachment[],
  stored: StoredMessage,
  quote: QuoteRecord | null,
): MessageRecord {
  const fromFan = draft.author === null;
  return {
    id,
    conversation_id: stored.id,
    seq: stored.last_seq,
    sender_id: fromFan ? stored.fan_id : stored.creator_id,
    recipient_id: fromFan ? stored.creator_id : stored.fan_id,
    content: draft.content,
    attachments: withPurchases(attachments, null),
    created_at: stored.created_at.toISOString(),
    read_at: null,
    reply_to_message_id: quote?.id ?? null,
    reply_to: quote,
    reactions: [],
    author: draft.author,
  };
}

function quoteFrom(quoted: MessageRecord, people: Participants): QuoteRecord {
  const fromFan = quoted.sender_id === people.fan_id;
  return {
    id: quoted.id,
    // By characters, as the database cuts it where a page is fetched.
    content: [...quoted.content].slice(0, PREVIEW_CHARS).join(''),
    created_at: quoted.created_at,
    attachments: quoted.attachments,
    sender: {
      id: quoted.sender_id,
      username: fromFan ? people.fan_name : people.creator_name,
    },
  };
}
