import { uuid } from '@stagedoor/browser/uuid';
import type { Attachment } from '@stagedoor/contract/media';
import { type AttachmentInput, TEMP_ID_PREFIX } from '@stagedoor/contract/messaging/messages';
import type { ReplyTarget } from './reply-target.ts';

/** A file or product in a message being sent: the API input, and the attachment shown until the message is confirmed. */
export interface OutgoingAttachment {
  input: AttachmentInput;
  shown: Attachment;
}

/** Lets the server check whether a teammate has replied since the message was started. */
export interface Guard {
  /** The newest message that the author had seen when they started this message; null if there was none. */
  lastSeenId?: string | null | undefined;
  /** Sends even if a teammate has replied. */
  sendAnyway?: boolean | undefined;
}

/** A message that the server has not confirmed. */
export interface PendingMessage extends Guard {
  tempId: string;
  conversation_id: string;
  content: string;
  replyTo: ReplyTarget | null;
  attachments: readonly OutgoingAttachment[];
  created_at: string;
  /**
   * `uploading`: its files are being uploaded, and other messages may be sent first; `sending`: being sent over the socket or
   * HTTP; `failed`: the server refused it, see `error`.
   */
  status: 'uploading' | 'sending' | 'failed';
  error: string | null;
  /** Whether the message failed because a teammate replied first. Sending it anyway needs confirmation. */
  isStale?: boolean | undefined;
}

/** A conversation's unconfirmed messages, and the temporary ids of the confirmed ones. */
export interface Outbox {
  pending: readonly PendingMessage[];
  /** Temporary ids by message id. They stay the bubbles' keys, so that a confirmed message keeps its position and size. */
  tempIds: Readonly<Record<string, string>>;
}

export const EMPTY_OUTBOX: Outbox = { pending: [], tempIds: {} };

/** Returns a new temporary id. It also identifies the message to the server, so that a retry is not stored as a second message. */
export function newTempId(): string {
  return TEMP_ID_PREFIX + uuid();
}

/** Returns whether an unsent message can be taken back into the composer. Products can't. */
export function isEditable({ attachments }: Pick<PendingMessage, 'attachments'>): boolean {
  return attachments.every(({ shown }) => shown.product_id === null);
}

/** Adds a message being sent. A retry replaces the earlier entry at the same position. */
export function addPending(outbox: Outbox, message: PendingMessage): Outbox {
  const known = outbox.pending.some(({ tempId }) => tempId === message.tempId);
  return {
    ...outbox,
    pending: known
      ? outbox.pending.map((held) => (held.tempId === message.tempId ? message : held))
      : [...outbox.pending, message],
  };
}

/**
 * Removes a stored message, which the thread now shows. May be called more than once: by the event, by the confirmation, and by a
 * retry after the confirmation.
 */
export function confirmPending(outbox: Outbox, tempId: string, message: { id: string }): Outbox {
  if (!outbox.pending.some((held) => held.tempId === tempId)) return outbox;
  return {
    pending: outbox.pending.filter((held) => held.tempId !== tempId),
    tempIds: { ...outbox.tempIds, [message.id]: tempId },
  };
}

/** Marks a message as refused by the server. */
export function failPending(
  outbox: Outbox,
  tempId: string,
  error: string,
  isStale = false,
): Outbox {
  return {
    ...outbox,
    pending: outbox.pending.map((held) =>
      held.tempId === tempId ? { ...held, status: 'failed', error, isStale } : held,
    ),
  };
}

export function removePending(outbox: Outbox, tempId: string): Outbox {
  return { ...outbox, pending: outbox.pending.filter((held) => held.tempId !== tempId) };
}

/** Returns whether a send is in progress. The next message has to wait for the outcome. */
export function isSending(outbox: Outbox): boolean {
  return outbox.pending.some(({ status }) => status === 'sending');
}
