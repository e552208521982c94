import { createHash, randomUUID } from 'node:crypto';
import type {
  Message,
  QuotedMessage,
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
import type { AdminWith } from '../../http/route.ts';
import type { Outbox } from '../../realtime/outbox.ts';
import type { Publisher } from '../../realtime/publish.ts';
import { presentState } from '../conversations/conversations.store.ts';
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
import { toggleReaction } from './reactions.store.ts';
import { findLastRead, markMessagesRead } from './reads.store.ts';
import { insertMessage, type StoredMessage } from './send.store.ts';

interface MessagesDependencies {
  readonly db: Database;
  readonly publish: Publisher;
  readonly outbox: Pick<Outbox, 'emitted'>;
}

export type MessagesService = ReturnType<typeof createMessagesService>;

/** An admin who may do what fans see. */
type Writer = AdminWith<'can_manage_messages'>;

/** The fan's side of a conversation. */
interface FanSide {
  readonly id: string;
  readonly conversation_id: string;
}

interface Draft {
  readonly conversationId: string;
  readonly content: string;
  readonly attachmentIds: readonly string[];
  readonly replyToMessageId: string | null;
  readonly authorId: string;
  readonly clientMessageId: string;
  readonly author: Message['author'];
}

/** Messages, reads and reactions, of both sides. Each change is committed before anyone hears of it. */
export function createMessagesService({ db, publish, outbox }: MessagesDependencies) {
  async function send(draft: Draft): Promise<{ message: Message; created: boolean }> {
    if (draft.content.trim() === '' && draft.attachmentIds.length === 0) {
      throw invalidRequest({ content: 'Please write a message or attach a file' });
    }
    if (!isUuid(draft.conversationId)) throw conversationNotFound();
    const payloadHash = hashPayload(draft);
    const quote = await quoteOf(draft.conversationId, draft.replyToMessageId);
    if (draft.attachmentIds.length > 0) throw invalidAttachment('There is no such upload');
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
    });
    if (stored === null) throw conversationNotFound();
    if (stored === 'repeated') {
      return { message: await original(draft, payloadHash), created: false };
    }
    const message = presentNew(id, draft, stored, quote);
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
  async function quoteOf(
    conversationId: string,
    messageId: string | null,
  ): Promise<QuotedMessage | null> {
    if (messageId === null) return null;
    const people = await participantsOf(conversationId);
    const quoted = isUuid(messageId) ? await findMessage(db, people, messageId) : null;
    if (quoted === null) throw messageNotFound();
    return presentQuoted(quoted, people);
  }

  /** The message that a repeated send gave before. */
  async function original(draft: Draft, payloadHash: Buffer): Promise<Message> {
    const found = await findByClientId(db, draft.authorId, draft.clientMessageId);
    if (found === null || !found.payload_hash.equals(payloadHash)) throw idempotencyConflict();
    const message = await findMessage(db, await participantsOf(found.conversation_id), found.id);
    if (message === null) throw messageNotFound();
    return message;
  }

  /** The read first: it is the older of the two versions. */
  function publishMessage(message: Message, stored: StoredMessage, tempId: string | null): void {
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
    sendAsCreator(actor: Writer, input: SendMessageInput, idempotencyKey: string | null) {
      const { id, codename, display_color } = actor.admin;
      return send({
        conversationId: input.conversation_id,
        content: input.content.trim(),
        attachmentIds: input.attachments.map((attachment) => attachment.id),
        replyToMessageId: input.reply_to_message_id ?? null,
        authorId: id,
        clientMessageId: idempotencyKey ?? randomUUID(),
        author: { id, codename, display_color },
      });
    },

    /** As {@link sendAsCreator}, from the fan; their text stays as it is. */
    sendAsFan(
      fan: FanSide,
      input: {
        client_id: string;
        content: string;
        attachment_ids?: string[] | undefined;
        reply_to_message_id?: string | null | undefined;
      },
    ) {
      return send({
        conversationId: fan.conversation_id,
        content: input.content,
        attachmentIds: input.attachment_ids ?? [],
        replyToMessageId: input.reply_to_message_id ?? null,
        authorId: fan.id,
        clientMessageId: input.client_id,
        author: null,
      });
    },

    /**
     * The newest messages before a given one, newest first, and whether there are older ones.
     * @throws AppError 404 for the conversation or the message
     */
    async list(conversationId: string, before: string | undefined, limit: number) {
      if (!isUuid(conversationId)) throw conversationNotFound();
      const beforeSeq = before === undefined ? null : await seqOf(conversationId, before);
      const page = await findMessages(db, conversationId, beforeSeq, limit + 1);
      if (page === null) throw conversationNotFound();
      return {
        messages: page.messages.slice(0, limit),
        hasMore: page.messages.length > limit,
        version: page.people.version,
      };
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
        return {
          read_at: last?.read_at?.toISOString() ?? null,
          unread_count: last?.unread_count ?? 0,
        };
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
    async readByFan(fan: FanSide, upTo: string): Promise<{ read_at: string; count: number }> {
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
    reactAsFan(fan: FanSide, messageId: string, emoji: Reaction['emoji']) {
      return react(fan.conversation_id, messageId, fan.id, emoji);
    },

    /** For events whose node did not get to them. */
    reemitters: {
      async new_message(ref: {
        conversation_id: string;
        message_id: string;
        tempId: string | null;
      }) {
        const people = await findParticipants(db, ref.conversation_id);
        const state = await findState(db, ref.conversation_id);
        const message = people && (await findMessage(db, people, ref.message_id));
        if (!message || !state) return;
        publish.newMessage({
          conversation_id: ref.conversation_id,
          message,
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
  const payload = [
    draft.conversationId,
    draft.content,
    draft.attachmentIds,
    draft.replyToMessageId,
  ];
  return createHash('sha256').update(JSON.stringify(payload)).digest();
}

/** A message that was stored a moment ago, without reading it back. */
function presentNew(
  id: string,
  draft: Draft,
  stored: StoredMessage,
  quote: QuotedMessage | null,
): Message {
  const fromFan = draft.author === null;
  return {
    id,
    conversation_id: stored.id,
    seq: stored.last_seq,
    sender_id: fromFan ? stored.fan_id : stored.creator_id,
    recipient_id: fromFan ? stored.creator_id : stored.fan_id,
    content: draft.content,
    attachments: [],
    created_at: stored.created_at.toISOString(),
    read_at: null,
    reply_to_message_id: quote?.id ?? null,
    reply_to: quote,
    reactions: [],
    author: draft.author,
  };
}

function presentQuoted(quoted: Message, people: Participants): QuotedMessage {
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
