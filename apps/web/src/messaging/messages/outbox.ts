import type { Attachment } from '@stagedoor/contract/media';
import { type AttachmentInput, TEMP_ID_PREFIX } from '@stagedoor/contract/messaging/messages';
import { uuid } from '../../lib/text/uuid.ts';
import type { ReplyTarget } from './reply-target.ts';

/** A file or a product of a message that is being sent: how it is asked for, and how its bubble shows it meanwhile. */
export interface OutgoingAttachment {
  input: AttachmentInput;
  shown: Attachment;
}

/** What the server is to mind of what colleagues wrote meanwhile. */
export interface Guard {
  /** The newest message that was seen when this one was begun; null: there was none. */
  lastSeenId?: string | null | undefined;
  /** Whatever they wrote. */
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
   * `uploading`: its files come first, and other messages may overtake it; `sending`: on its way, over whichever;
   * `failed`: the server refused it, `error` says why.
   */
  status: 'uploading' | 'sending' | 'failed';
  error: string | null;
  /** It failed because a colleague was faster: whether it is to go anyway is asked. */
  isOvertaken?: boolean | undefined;
}

/** A conversation's unconfirmed messages, and under which temporary ids the confirmed ones were shown. */
export interface Outbox {
  pending: readonly PendingMessage[];
  /** By message id: a bubble keeps its identity, and so its place and size, when it is confirmed. */
  tempIds: Readonly<Record<string, string>>;
}

export const EMPTY_OUTBOX: Outbox = { pending: [], tempIds: {} };

/** A new temporary id, which names the message also to the server, so that a repeated send stays one message. */
export function newTempId(): string {
  return TEMP_ID_PREFIX + uuid();
}

/** Whether a message that was not sent can be taken back into the composer; a product is sent anew instead. */
export function isEditable({ attachments }: Pick<PendingMessage, 'attachments'>): boolean {
  return attachments.every(({ shown }) => shown.product_id === null);
}

/** Shows a message that is on its way; one with the same id, tried again, in its old place. */
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
 * The message is stored: from here on the thread shows it. May come twice, by its event and by its confirmation, and once more
 * where it was sent again although it had been confirmed.
 */
export function confirmPending(outbox: Outbox, tempId: string, message: { id: string }): Outbox {
  if (!outbox.pending.some((held) => held.tempId === tempId)) return outbox;
  return {
    pending: outbox.pending.filter((held) => held.tempId !== tempId),
    tempIds: { ...outbox.tempIds, [message.id]: tempId },
  };
}

/** The server refused the message. */
export function failPending(
  outbox: Outbox,
  tempId: string,
  error: string,
  isOvertaken = false,
): Outbox {
  return {
    ...outbox,
    pending: outbox.pending.map((held) =>
      held.tempId === tempId ? { ...held, status: 'failed', error, isOvertaken } : held,
    ),
  };
}

/** The message is not shown as on its way any more. */
export function removePending(outbox: Outbox, tempId: string): Outbox {
  return { ...outbox, pending: outbox.pending.filter((held) => held.tempId !== tempId) };
}

/** Whether a send is in progress: the next one has to wait for its outcome. */
export function isSending(outbox: Outbox): boolean {
  return outbox.pending.some(({ status }) => status === 'sending');
}
