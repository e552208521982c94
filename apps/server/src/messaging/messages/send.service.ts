import { createHash } from 'node:crypto';
import {
  type AttachmentInput,
  type Message,
  namedAttachment,
} from '@stagedoor/contract/messaging/messages';
import { createConversationQueues } from '../../db/conversation-queues.ts';
import { isUuid } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import { presentState } from '../../inbox/conversations/conversations.store.ts';
import { withPurchases } from '../../media/uploads.store.ts';
import * as store from './messages.store.ts';
import { type OutgoingAttachments, previewOf, resolveAttachments } from './outgoing-attachments.ts';
import { type MessageRecord, presentForFan, presentForStaff, type QuoteRecord } from './present.ts';
import { insertMessage, NOTHING_SEEN, type StoredMessage, type Unattended } from './send.store.ts';

export interface MessagesDependencies extends Core {
  /** Returns why a guard rail refuses a staff message; null if none does. Runs no query. */
  readonly refusalOf: (message: Pick<Draft, 'content' | 'attachments'>) => errors.AppError | null;
  readonly stored: (from: 'fan' | 'staff', conversationId: string, messageId: string) => void;
}

/** A message to be sent. */
interface Draft {
  readonly conversationId: string;
  readonly content: string;
  readonly attachments: readonly AttachmentInput[];
  readonly replyToMessageId: string | null;
  readonly authorId: string;
  readonly clientMessageId: string;
  readonly author: Message['author'];
  /** Set for a message that a job sends. */
  readonly unattended?: Unattended;
  /** The newest message that the author had seen; null if there was none; undefined to skip the check. */
  readonly lastSeenMessageId?: string | null | undefined;
}

/**
 * Creates the function that sends a message from either side. It stores every message except mass messages.
 * @throws AppError 404 for the conversation or the quoted message, 400 for an empty message or an unusable attachment, 409 for an
 * offer of a product the fan owns, a client id used for another message, or a teammate's message that the author had not seen,
 * 422 for a guard rail
 */
export function createSender(dependencies: MessagesDependencies) {
  const { db, publish, outbox, links, webhooks } = dependencies;
  const queues = createConversationQueues(db);

  return async function send(draft: Draft): Promise<{ message: MessageRecord; created: boolean }> {
    const carries = draft.attachments.length > 0;
    if (draft.content.trim() === '' && !carries) {
      throw errors.invalidField('content', 'Write a message or attach a file');
    }
    if (!isUuid(draft.conversationId)) throw errors.conversationNotFound();
    const payloadHash = hashPayload(draft);
    const refusal = draft.author === null ? null : dependencies.refusalOf(draft);
    // A retry returns the stored message, even if its attachments were used by it, or a guard rail was set after it was sent.
    if (carries || refusal !== null) {
      const first = await original(draft, payloadHash);
      if (first !== null) return { message: first, created: false };
    }
    if (refusal !== null) throw refusal;
    const quote = await quoteOf(draft.conversationId, draft.replyToMessageId);
    const target = { conversationId: draft.conversationId, ownerId: draft.authorId };
    let carried: OutgoingAttachments = { attachments: [], owned: {} };
    if (carries) {
      try {
        carried = await resolveAttachments(dependencies, target, draft.attachments);
      } catch (error) {
        // A duplicate that was still running during the check above may have used the attachments since.
        const first = await original(draft, payloadHash);
        if (first !== null) return { message: first, created: false };
        // An unknown conversation has its own error, which takes precedence.
        await store.requireConversation(db, draft.conversationId);
        throw error;
      }
    }
    const { attachments } = carried;
    const id = newId();
    const stored = await insertMessage(db, queues, {
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
      unattended: draft.unattended ?? null,
      seenId: seenIdOf(draft),
    });
    if (stored === null) throw errors.conversationNotFound();
    if (typeof stored === 'string') {
      const first = await original(draft, payloadHash);
      if (first !== null) return { message: first, created: false };
      if (stored === 'teammate_replied') throw errors.teammateReplied();
      if (stored === 'misoffered') throw misoffered(attachments);
      throw stored === 'taken'
        ? errors.invalidAttachment('Upload not found')
        : errors.messageNotFound();
    }
    dependencies.stored(draft.author === null ? 'fan' : 'staff', stored.id, id);
    const message = recordOfNew(id, draft, carried, stored, quote);
    void outbox.emit(stored.outbox_ids, () => publishMessage(message, stored, draft));
    if (draft.author !== null) webhooks.wake();
    const { id: conversationId, claim_outbox_id: outboxId } = stored;
    if (outboxId !== null) void dependencies.conversationChanged([{ conversationId, outboxId }]);
    return { message, created: true };
  };

  /** Returns the quoted message, which must be in the same conversation. */
  async function quoteOf(
    conversationId: string,
    messageId: string | null,
  ): Promise<QuoteRecord | null> {
    if (messageId === null) return null;
    const quoted = await store.requireMessage(db, conversationId, messageId);
    // It may have been unsent while the reply was written.
    return quoted.message.unsent === null ? quoteFrom(quoted) : null;
  }

  /** Returns the message that an earlier try of this send stored; null when this is the first. */
  async function original(draft: Draft, payloadHash: Buffer): Promise<MessageRecord | null> {
    const found = await store.findByClientId(db, draft.authorId, draft.clientMessageId);
    if (found === null) return null;
    if (!found.payload_hash.equals(payloadHash)) throw errors.idempotencyConflict();
    return (await store.requireMessage(db, found.conversation_id, found.id)).message;
  }

  /** Emits the event for the read first, because it has the lower version. */
  function publishMessage(
    record: MessageRecord,
    stored: StoredMessage,
    { author, clientMessageId }: Draft,
  ): void {
    const fromFan = author === null;
    const message = presentForStaff(record, 'staff', links);
    const { last_read_id, last_read_seq, last_read_at } = stored;
    // If the message also claimed the conversation, `stored.version` is the version of the claim's event, one above the message's.
    const version = stored.version - (stored.claim_outbox_id === null ? 0 : 1);
    if (last_read_id !== null && last_read_seq !== null && last_read_at !== null) {
      publish.messageRead({
        conversation_id: message.conversation_id,
        read_at: last_read_at.toISOString(),
        up_to_message_id: last_read_id,
        up_to_seq: last_read_seq,
        unread_count: stored.unread_count,
        version: version - 1,
      });
    }
    const { fan_id, creator_id } = stored;
    const fan = { id: fan_id, conversation_id: message.conversation_id, creator_id };
    publish.newMessage(
      {
        conversation_id: message.conversation_id,
        message,
        seq: message.seq,
        version,
        conversation: presentState({ ...stored, version }),
        tempId: fromFan ? null : clientMessageId,
      },
      () => ({
        message: presentForFan(record, fan, links),
        version,
        client_id: fromFan ? clientMessageId : null,
      }),
    );
  }
}

/** Returns the error for a purchase or refund that changed the fan's products after the attachments were looked up. */
function misoffered(attachments: OutgoingAttachments['attachments']): errors.AppError {
  return attachments.some(({ product }) => product?.price_cents != null)
    ? new errors.AppError('already_owned')
    : errors.invalidAttachment('The fan does not own this product');
}

/** Returns the `seenId` for a draft. An id that isn't a UUID counts as having seen no message. */
function seenIdOf({ lastSeenMessageId: id }: Draft): string | undefined {
  if (id === undefined) return undefined;
  return id !== null && isUuid(id) ? id : NOTHING_SEEN;
}

/** Returns the parts that identify each attachment, however the client wrote it. They go into the payload hash. */
export const identitiesOf = (attachments: readonly AttachmentInput[]) =>
  attachments.map((input) => {
    const named = namedAttachment(input);
    if ('id' in named) return named.id;
    const { product_id, is_paid } = named;
    return is_paid ? { product_id, price: named.price } : { product_id, is_paid };
  });

/** Returns a hash that is the same for the same message, regardless of how the client wrote it. */
function hashPayload(draft: Draft): Buffer {
  const attachments = identitiesOf(draft.attachments);
  const payload = [draft.conversationId, draft.content, attachments, draft.replyToMessageId];
  return createHash('sha256').update(JSON.stringify(payload)).digest();
}

/** Builds the record of a message just stored, without reading it back. */
function recordOfNew(
  id: string,
  draft: Draft,
  { attachments, owned }: OutgoingAttachments,
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
    attachments: withPurchases(attachments, owned),
    created_at: stored.last_message_at.toISOString(),
    read_at: null,
    reply_to_message_id: quote?.id ?? null,
    reply_to: quote,
    reactions: [],
    author: draft.author,
    campaign_id: null,
    unsent: null,
  };
}

function quoteFrom({ people, message: quoted }: store.MessageNow): QuoteRecord {
  const fromFan = quoted.sender_id === people.fan_id;
  return {
    id: quoted.id,
    // Cut by code points, as the database does for pages.
    content: [...quoted.content].slice(0, store.PREVIEW_CHARS).join(''),
    created_at: quoted.created_at,
    attachments: quoted.attachments,
    sender: {
      id: quoted.sender_id,
      username: fromFan ? people.fan_name : people.creator_name,
    },
    is_unsent: false,
  };
}
