import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { ATTACHMENTS_MAX, Attachment, FanVisibleAttachment } from '../media.ts';
import { lookupId, priceUsd, text, timestamp } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';

/** What a client puts before its own id for a message that is not confirmed yet. */
export const TEMP_ID_PREFIX = 'temp-';

/** Longest text of a message, in UTF-16 units. */
export const MESSAGE_MAX_CHARS = 10_000;

export const MESSAGE_PAGE_SIZE = 50;
export const MESSAGE_PAGE_MAX = 200;

/** The content of a message that is nothing but its attachments; it is not shown. */
export const ATTACHMENT_PLACEHOLDER = '[Attachment]';

export const REACTION_EMOJI = [
  '❤️', '😂', '👍', '🙏', '😍', '🔥', '😊',
  '😢', '😮', '😡', '🤔', '💯', '✨', '🎉',
] as const; // biome-ignore format: two rows of seven, as the picker shows them

export const ReactionEmoji = z.enum(REACTION_EMOJI);
export type ReactionEmoji = z.infer<typeof ReactionEmoji>;

export const Reaction = z
  .object({
    id: z.string(),
    /** The admin's id, or the fan's. One reaction a message and user. */
    user_id: z.string(),
    emoji: ReactionEmoji,
    message_id: z.string(),
  })
  .check(z.meta({ id: 'Reaction' }));
export type Reaction = z.infer<typeof Reaction>;

const quotedFields = {
  id: z.string(),
  content: z.string(),
  created_at: timestamp,
  attachments: z.array(Attachment),
  sender: z.object({ id: z.string(), username: z.string() }),
};

/** The message that another one answers, as far as its quote shows it. */
export const QuotedMessage = z.object(quotedFields).check(z.meta({ id: 'QuotedMessage' }));
export type QuotedMessage = z.infer<typeof QuotedMessage>;

const messageFields = {
  id: z.string(),
  conversation_id: z.string(),
  /** 1, 2, 3, … within the conversation, without a gap; the order of `created_at` too. */
  seq: z.int(),
  /** The fan's id, or the creator's. */
  sender_id: z.string(),
  recipient_id: z.string(),
  content: z.string(),
  attachments: z.array(Attachment),
  created_at: timestamp,
  /** When the recipient read it. */
  read_at: z.nullable(timestamp),
  reply_to_message_id: z.nullable(z.string()),
  reply_to: z.nullable(QuotedMessage),
  reactions: z.array(Reaction),
};

/** A message as a fan may see it: nothing in it tells who of the staff wrote, and nothing opens what was not bought. */
export const FanVisibleMessage = z
  .object({
    ...messageFields,
    attachments: z.array(FanVisibleAttachment),
    reply_to: z.nullable(z.object({ ...quotedFields, attachments: z.array(FanVisibleAttachment) })),
  })
  .check(z.meta({ id: 'FanVisibleMessage' }));
export type FanVisibleMessage = z.infer<typeof FanVisibleMessage>;

/** A message as staff see it. */
export const Message = z
  .object({
    ...messageFields,
    /** Which of the staff wrote it as the creator; null when the fan did. */
    author: z.nullable(StaffMember),
  })
  .check(z.meta({ id: 'Message' }));
export type Message = z.infer<typeof Message>;

/** What a request may repeat of what the server knows of an attachment; what differs is refused as forged. */
const known = z.partial(z.object(Attachment.shape)).shape;

/**
 * An attachment in a request: an uploaded file by its id, a product by its id at this message's price, or one that the fan owns,
 * free. The whole {@link Attachment} is taken too.
 */
export const AttachmentInput = z.union([
  z.strictObject({ ...known, id: lookupId, product_id: z.optional(z.null()) }),
  z.strictObject({
    ...known,
    product_id: lookupId,
    is_paid: z.literal(true),
    price: priceUsd,
  }),
  z.strictObject({ ...known, product_id: lookupId, is_paid: z.literal(false) }),
]);
export type AttachmentInput = z.infer<typeof AttachmentInput>;

/** What an {@link AttachmentInput} names, without what it repeats. */
export const NamedAttachment = z.union([
  z.object({ id: lookupId }),
  z.object({ product_id: lookupId, price: priceUsd, is_paid: z.literal(true) }),
  z.object({ product_id: lookupId, is_paid: z.literal(false) }),
]);
export type NamedAttachment = z.infer<typeof NamedAttachment>;

/** Returns what an attachment of a request names: an upload, an offer, or a product that the fan owns. */
export function namedAttachment(input: AttachmentInput): NamedAttachment {
  if (input.product_id == null) return { id: input.id };
  const { product_id } = input;
  return input.is_paid
    ? { product_id, price: input.price, is_paid: true }
    : { product_id, is_paid: false };
}

/** The body of a send, over HTTP and over the socket. Text is trimmed; it may be blank only beside attachments. */
export const SendMessageInput = z.strictObject({
  conversation_id: lookupId,
  content: z._default(text(MESSAGE_MAX_CHARS), ''),
  attachments: z._default(z.array(AttachmentInput).check(z.maxLength(ATTACHMENTS_MAX)), []),
  reply_to_message_id: z.optional(z.nullable(lookupId)),
  /**
   * The newest message that was seen when the text was begun; null where there was none. A colleague's message after it has the send
   * refused with `teammate_replied`. Left out, nothing is asked.
   */
  last_seen_message_id: z.optional(z.nullable(lookupId)),
  /** Sends whatever colleagues have written meanwhile. */
  send_anyway: z.optional(z.boolean()),
});
export type SendMessageInput = z.infer<typeof SendMessageInput>;

/** The caller's own id for a send. The same one again gives the same message, however often and over whichever way. */
export const idempotencyKey = text(128).check(z.minLength(1));

export const MessagePage = z.object({
  /** Ascending by `seq`. */
  data: z.array(Message),
  /** Whether older messages exist. */
  has_more: z.boolean(),
  /** The conversation's `version` that this page shows. */
  version: z.int(),
});
export type MessagePage = z.infer<typeof MessagePage>;

/** Messages before and after the one that a page was asked around. */
export const MESSAGES_AROUND = 25;

/** A page of a conversation that may end before the newest message. */
export const MessageSpan = z.object({
  ...MessagePage.shape,
  /** As `has_more`. */
  has_older: z.boolean(),
  has_newer: z.boolean(),
});
export type MessageSpan = z.infer<typeof MessageSpan>;

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/messages/admin/conversation/{id}/messages',
  summary:
    'A page of a conversation’s messages: the newest, those just before or after a given message, or the 25 on either side of one.',
  auth: 'admin',
  params: z.object({ id: lookupId }),
  query: z.object({
    limit: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(MESSAGE_PAGE_MAX)),
      MESSAGE_PAGE_SIZE,
    ),
    /** At most one of these three. */
    before: z.optional(lookupId),
    after: z.optional(lookupId),
    /** That message is in the page too; `limit` says nothing here. */
    around: z.optional(lookupId),
  }),
  replies: { 200: MessageSpan },
  errors: ['conversation_not_found', 'message_not_found'],
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/messages/admin/send',
  summary:
    'Send a message to a fan as the creator. 201 for a new message; 200 with the existing one if the `Idempotency-Key` was used before.',
  auth: 'admin',
  permission: 'can_manage_messages',
  headers: z.object({ 'idempotency-key': z.optional(idempotencyKey) }),
  body: SendMessageInput,
  replies: { 200: z.object({ data: Message }), 201: z.object({ data: Message }) },
  errors: [
    'conversation_not_found',
    'message_not_found',
    'invalid_attachment',
    'already_owned',
    'idempotency_conflict',
    'banned_words',
    'price_out_of_bounds',
    'teammate_replied',
  ],
});
