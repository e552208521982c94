import * as z from 'zod/mini';
import { get, post } from '../endpoint.ts';
import {
  ATTACHMENTS_MAX,
  Attachment,
  type AttachmentType,
  FanVisibleAttachment,
} from '../media.ts';
import { byId, lookupId, namedObject, priceUsd, text, timestamp } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';

/** The prefix of a client's id for a message that the server hasn't confirmed yet. */
export const TEMP_ID_PREFIX = 'temp-';

/** The maximum length of a message text, in UTF-16 units. */
export const MESSAGE_MAX_CHARS = 10_000;

export const MESSAGE_PAGE_SIZE = 50;
export const MESSAGE_PAGE_MAX = 200;

/** The content of a message that has only attachments. It is never shown. */
export const ATTACHMENT_PLACEHOLDER = '[Attachment]';

/** The label that previews and quotes show for an attachment. Stored, so it is not translated. */
export const ATTACHMENT_LABELS: Readonly<Record<AttachmentType, string>> = {
  image: '📷 Photo',
  video: '🎥 Video',
  audio: '🎵 Audio',
  file: '📎 Attachment',
};

export const REACTION_EMOJI = [
  '❤️', '😂', '👍', '🙏', '😍', '🔥', '😊',
  '😢', '😮', '😡', '🤔', '💯', '✨', '🎉',
] as const; // biome-ignore format: two rows of seven, as the picker shows them

export const ReactionEmoji = z.enum(REACTION_EMOJI);
export type ReactionEmoji = z.infer<typeof ReactionEmoji>;

export const Reaction = namedObject('Reaction', {
  id: z.string(),
  /** The admin's or the fan's id. A user has at most one reaction per message. */
  user_id: z.string(),
  emoji: ReactionEmoji,
  message_id: z.string(),
});
export type Reaction = z.infer<typeof Reaction>;

const quotedFields = {
  id: z.string(),
  content: z.string(),
  created_at: timestamp,
  attachments: z.array(Attachment),
  sender: z.object({ id: z.string(), username: z.string() }),
  /** Whether it was unsent. Then it has no content and no attachments. */
  is_unsent: z.boolean(),
};

/** The message that a reply quotes, as shown in the reply. */
export const QuotedMessage = namedObject('QuotedMessage', quotedFields);
export type QuotedMessage = z.infer<typeof QuotedMessage>;

const messageFields = {
  id: z.string(),
  conversation_id: z.string(),
  /** 1, 2, 3, … within the conversation, without gaps, in the order of `created_at`. */
  seq: z.int(),
  /** The fan's id, or the creator's. */
  sender_id: z.string(),
  recipient_id: z.string(),
  content: z.string(),
  attachments: z.array(Attachment),
  created_at: timestamp,
  read_at: z.nullable(timestamp),
  reply_to_message_id: z.nullable(z.string()),
  reply_to: z.nullable(QuotedMessage),
  reactions: z.array(Reaction),
};

/** A message as the fan sees it: without the admin who wrote it, and without URLs for unpaid files. */
export const FanVisibleMessage = namedObject('FanVisibleMessage', {
  ...messageFields,
  attachments: z.array(FanVisibleAttachment),
  reply_to: z.nullable(z.object({ ...quotedFields, attachments: z.array(FanVisibleAttachment) })),
});
export type FanVisibleMessage = z.infer<typeof FanVisibleMessage>;

/** A message as the platform sees it: the fan's view, plus the campaign. */
export const PlatformMessage = namedObject('PlatformMessage', {
  ...FanVisibleMessage.shape,
  /** The campaign of a mass message; null for every other message. */
  campaign_id: z.nullable(z.string()),
});
export type PlatformMessage = z.infer<typeof PlatformMessage>;

/** When a message was unsent, and by whom. The message keeps its `seq` but has no content, attachments or reactions. */
export const Unsent = z.object({ at: timestamp, by: StaffMember });
export type Unsent = z.infer<typeof Unsent>;

/** A message as staff see it. */
export const Message = namedObject('Message', {
  ...messageFields,
  /** The admin who wrote it as the creator; null if the fan wrote it. */
  author: z.nullable(StaffMember),
  /** The campaign of a mass message; null for every other message. */
  campaign_id: z.nullable(z.string()),
  /** Null for every message that fans can see. An unsent message counts as read. */
  unsent: z.nullable(Unsent),
});
export type Message = z.infer<typeof Message>;

/**
 * Attachment fields that a request may repeat. A value that differs from the stored one is refused as forged; `media` and null
 * values are ignored.
 */
const known = z.partial(z.object(Attachment.shape)).shape;

/**
 * An attachment in a request: an uploaded file by id, a product by id at this message's price, or a product that the fan
 * already owns, for free. A complete {@link Attachment} is accepted too.
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

/** An {@link AttachmentInput} reduced to the fields that identify the attachment and its price. */
export const NamedAttachment = z.union([
  z.object({ id: lookupId }),
  z.object({ product_id: lookupId, price: priceUsd, is_paid: z.literal(true) }),
  z.object({ product_id: lookupId, is_paid: z.literal(false) }),
]);
export type NamedAttachment = z.infer<typeof NamedAttachment>;

/** Returns the upload, offer or owned product that an attachment in a request refers to. */
export function namedAttachment(input: AttachmentInput): NamedAttachment {
  if (input.product_id == null) return { id: input.id };
  const { product_id } = input;
  return input.is_paid
    ? { product_id, price: input.price, is_paid: true }
    : { product_id, is_paid: false };
}

/** The body of a send, over HTTP or the socket. Text is trimmed; it can be blank only with attachments. */
export const SendMessageInput = z.strictObject({
  conversation_id: lookupId,
  content: z._default(text(MESSAGE_MAX_CHARS), ''),
  attachments: z._default(z.array(AttachmentInput).check(z.maxLength(ATTACHMENTS_MAX)), []),
  reply_to_message_id: z.optional(z.nullable(lookupId)),
  /**
   * The newest message on screen when the admin began to write; null if there was none. If a teammate has written since, the
   * send is refused with `teammate_replied`. Without this field, the check is skipped.
   */
  last_seen_message_id: z.optional(z.nullable(lookupId)),
  /** Sends even if a teammate has written in the meantime. */
  send_anyway: z.optional(z.boolean()),
});
export type SendMessageInput = z.infer<typeof SendMessageInput>;

/** The caller's id for a send. A retry with the same id returns the same message, over HTTP or the socket. */
export const idempotencyKey = text(128).check(z.minLength(1));

export const MessagePage = z.object({
  /** Ascending by `seq`. */
  data: z.array(Message),
  /** Whether older messages exist. */
  has_more: z.boolean(),
  /** The conversation's `version` when this page was read. */
  version: z.int(),
});
export type MessagePage = z.infer<typeof MessagePage>;

/** The maximum number of messages on each side of the target in an `around` page. */
export const MESSAGES_AROUND = 25;

/** A page of a conversation that may end before the newest message. */
export const MessageSpan = z.object({
  ...MessagePage.shape,
  /** Same as `has_more`. */
  has_older: z.boolean(),
  has_newer: z.boolean(),
});
export type MessageSpan = z.infer<typeof MessageSpan>;

export const listMessages = get('/api/messages/admin/conversation/{id}/messages', {
  summary:
    'A page of a conversation’s messages: the newest, those just before or after a given message, or a given message with up to 25 on either side.',
  auth: 'admin',
  params: byId,
  query: z.object({
    limit: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(MESSAGE_PAGE_MAX)),
      MESSAGE_PAGE_SIZE,
    ),
    /** At most one of `before`, `after` and `around` can be given. */
    before: z.optional(lookupId),
    after: z.optional(lookupId),
    /** The page includes this message and ignores `limit`. */
    around: z.optional(lookupId),
  }),
  replies: { 200: MessageSpan },
  errors: ['conversation_not_found', 'message_not_found'],
});

export const sendMessage = post('/api/messages/admin/send', {
  isAct: true,
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

export const unsendMessage = post('/api/messages/admin/messages/{id}/unsend', {
  isAct: true,
  summary:
    'Unsend a message that the fan has neither read nor bought. Only its author and those who can manage admins can unsend it.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  replies: { 200: z.object({ data: Message }) },
  errors: [
    'not_message_author',
    'message_not_found',
    'already_read',
    'already_purchased',
    'already_unsent',
  ],
});
