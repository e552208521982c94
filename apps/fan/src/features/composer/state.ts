import type { FanVisibleAttachment } from '@stagedoor/contract/media';

/** The message that a new one answers. */
export interface ReplyTarget {
  id: string;
  sender: string;
  preview: string;
}

/** A message that the server has not confirmed. Its id names it to the server too: sent twice, it stays one. */
export interface PendingMessage {
  readonly clientId: string;
  readonly content: string;
  readonly replyTo: ReplyTarget | null;
  /** Files that are still to be uploaded; they live in this tab only. */
  readonly files: readonly File[];
  /** What was uploaded for it. */
  readonly attachments: readonly FanVisibleAttachment[];
  readonly created_at: string;
  /** `waiting`: for its turn or for the network; `failed`: the server refused it, `error` says why. */
  readonly status: 'waiting' | 'uploading' | 'sending' | 'failed';
  readonly error: string | null;
  /** Of the upload, 0 to 1. */
  readonly progress: number;
}

/** The unconfirmed messages, and under which ids the confirmed ones were shown before. */
export interface Outbox {
  readonly pending: readonly PendingMessage[];
  /** By message id: a bubble keeps its identity when it is confirmed. */
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

/** The message is stored. May be heard twice, by its event and by the reply, and for what another tab sent. */
export function confirmPending(outbox: Outbox, clientId: string, messageId: string): Outbox {
  if (!outbox.pending.some((held) => held.clientId === clientId)) return outbox;
  return {
    pending: outbox.pending.filter((held) => held.clientId !== clientId),
    keys: { ...outbox.keys, [messageId]: clientId },
  };
}

export function removePending(outbox: Outbox, clientId: string): Outbox {
  return { ...outbox, pending: outbox.pending.filter((held) => held.clientId !== clientId) };
}

/** What outlives the tab: all but the files that were not uploaded, without which a message is nothing. */
export function lasting(outbox: Outbox): PendingMessage[] {
  return outbox.pending
    .filter(({ files }) => files.length === 0)
    .map((held) => (held.status === 'failed' ? held : { ...held, status: 'waiting' }));
}
