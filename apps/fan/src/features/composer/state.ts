import type { FanVisibleAttachment } from '@stagedoor/contract/media';
import type { FanVisibleMessage } from '@stagedoor/contract/messaging/messages';
import { t } from '../../lib/i18n.ts';

export interface ReplyTarget {
  id: string;
  sender: string;
  preview: string;
}

/** A message that the server has not confirmed yet. Its client id makes retries idempotent. */
export interface PendingMessage {
  readonly clientId: string;
  readonly content: string;
  readonly replyTo: ReplyTarget | null;
  /** Files that are not uploaded yet. They exist in this tab only. */
  readonly files: readonly File[];
  /** The attachments that are already uploaded. */
  readonly attachments: readonly FanVisibleAttachment[];
  readonly created_at: string;
  /** `waiting` means waiting for its turn or for the network; `failed` means refused by the server (see `error`). */
  readonly status: 'waiting' | 'uploading' | 'sending' | 'failed';
  /**
   * The conversation's newest `seq` when this message was first sent. If the server stored the message, its `seq` is higher.
   * Null or unset if it was not sent or was refused.
   */
  readonly sentAfter?: number | null;
  readonly error: string | null;
  /** The uploaded share, 0 to 1. */
  readonly progress: number;
}

/** The unconfirmed messages, and the client ids of the confirmed ones. */
export interface Outbox {
  readonly pending: readonly PendingMessage[];
  /** Client ids by message id, so that a bubble keeps its React key when its message is confirmed. */
  readonly keys: Readonly<Record<string, string>>;
}

export const EMPTY_OUTBOX: Outbox = { pending: [], keys: {} };

export function addPending(outbox: Outbox, message: PendingMessage): Outbox {
  if (outbox.pending.some(({ clientId }) => clientId === message.clientId)) return outbox;
  return { ...outbox, pending: [...outbox.pending, message] };
}

export function changePending(
  outbox: Outbox,
  clientId: string,
  changes: Partial<PendingMessage>,
): Outbox {
  const pending = outbox.pending.map((held) =>
    held.clientId === clientId ? { ...held, ...changes } : held,
  );
  return { ...outbox, pending };
}

/**
 * Removes a confirmed message from the outbox. Does nothing if the message is not in it: its event or response has already
 * removed it, or another tab sent it.
 */
export function confirmPending(outbox: Outbox, clientId: string, messageId: string): Outbox {
  if (!outbox.pending.some((held) => held.clientId === clientId)) return outbox;
  return {
    pending: outbox.pending.filter((held) => held.clientId !== clientId),
    keys: { ...outbox.keys, [messageId]: clientId },
  };
}

/**
 * Returns the outbox without the messages that a page already contains. Pages have no client ids, so messages are matched by
 * content. The outbox itself keeps them until they are confirmed, because another device may have sent the same text.
 */
export function withoutStored(
  outbox: Outbox,
  messages: readonly FanVisibleMessage[],
  fanId: string,
): Outbox {
  return outbox.pending.reduce((left, { clientId, content, attachments, sentAfter }) => {
    if (sentAfter == null) return left;
    const stored = messages.find(
      (message) =>
        message.seq > sentAfter &&
        message.sender_id === fanId &&
        message.content === content &&
        idsOf(message.attachments) === idsOf(attachments) &&
        left.keys[message.id] === undefined,
    );
    return stored === undefined ? left : confirmPending(left, clientId, stored.id);
  }, outbox);
}

const idsOf = (attachments: readonly FanVisibleAttachment[]) =>
  attachments.map(({ id }) => id).join();

export function removePending(outbox: Outbox, clientId: string): Outbox {
  return { ...outbox, pending: outbox.pending.filter((held) => held.clientId !== clientId) };
}

/** Returns the messages to store. Files not yet uploaded can't be stored, so their message fails and keeps only its text. */
export function lasting(outbox: Outbox): PendingMessage[] {
  const error = t('This message could not be sent. Try again.');
  return outbox.pending
    .filter(({ files, content }) => files.length === 0 || content !== '')
    .map((held) =>
      held.files.length === 0 ? held : { ...held, files: [], status: 'failed', error },
    );
}
