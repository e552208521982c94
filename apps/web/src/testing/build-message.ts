import type { Attachment } from '@stagedoor/contract/media';
import type { Message } from '@stagedoor/contract/messaging/messages';
import type { PendingMessage } from '../messaging/messages/outbox.ts';

export const FAN_ID = 'fan';
const CREATOR_ID = 'creator';

const ADMIN = { id: 'admin', codename: 'Mango', display_color: '#7024ab' };
const START = Date.UTC(2026, 10, 21, 14, 0, 0);

/** Returns the instant `n` seconds after the start of the tests' clock. */
export const at = (n: number): string => new Date(START + n * 1000).toISOString();

/** Builds a message, from the fan unless it has an author. */
export function buildMessage(overrides: Partial<Message> & { seq: number }): Message {
  const isFromFan = (overrides.author ?? null) === null;
  return {
    id: `m${overrides.seq}`,
    conversation_id: 'c1',
    sender_id: isFromFan ? FAN_ID : CREATOR_ID,
    recipient_id: isFromFan ? CREATOR_ID : FAN_ID,
    content: `Message ${overrides.seq}`,
    attachments: [],
    created_at: at(overrides.seq),
    read_at: null,
    reply_to_message_id: null,
    unsent: null,
    reply_to: null,
    reactions: [],
    author: null,
    campaign_id: null,
    ...overrides,
  };
}

/** Builds a message that a staff member wrote as the creator. */
export function buildReply(overrides: Partial<Message> & { seq: number }): Message {
  return buildMessage({ author: ADMIN, ...overrides });
}

/** Builds a message that is being sent. */
export function buildPending(overrides: Partial<PendingMessage> = {}): PendingMessage {
  return {
    tempId: 'temp-1',
    conversation_id: 'c1',
    content: 'Hello',
    replyTo: null,
    attachments: [],
    created_at: at(9),
    status: 'sending',
    error: null,
    ...overrides,
  };
}

/** Builds an attachment, by default a free picture. */
export function buildAttachment(overrides: Partial<Attachment> = {}): Attachment {
  return {
    id: 'a1',
    type: 'image',
    url: '/media/a1',
    thumbnail_url: null,
    filename: 'beach.jpg',
    size: 1234,
    mime_type: 'image/jpeg',
    width: 800,
    height: 600,
    is_paid: false,
    product_id: null,
    price: null,
    title: null,
    description: null,
    preview_url: null,
    preview_s3_key: null,
    full_s3_key: null,
    purchased_at: null,
    ...overrides,
  };
}
