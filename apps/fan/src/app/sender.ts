import { uuid } from '@stagedoor/browser/uuid';
import { sendOwnMessage, uploadOwnFiles } from '@stagedoor/contract/platform/fan-app';
import {
  addPending,
  changePending,
  confirmPending,
  type Outbox,
  type PendingMessage,
  type ReplyTarget,
  removePending,
} from '../features/composer/state.ts';
import { applyMessage } from '../features/thread/state.ts';
import { ApiError, call, errorText, isPassing } from '../lib/api.ts';
import { t } from '../lib/i18n.ts';
import type { Store } from '../lib/store.ts';
import { upload } from '../lib/upload.ts';
import { type FanState, shownIn } from './fan-state.ts';

export interface Written {
  text: string;
  replyTo: ReplyTarget | null;
  files: readonly File[];
}

/** Sends messages exactly once and in order, whatever the network does. */
export interface Sender {
  send: (written: Written) => void;
  retry: (clientId: string) => void;
  /** Discards a message, even while its files are being uploaded. */
  discard: (clientId: string) => void;
  restore: (messages: readonly PendingMessage[]) => void;
  /** Retries immediately, because the network is back. */
  nudge: () => void;
  /** Stops sending. Waiting messages are kept. */
  close: () => void;
  open: () => void;
}

/** The pause before the first retry, in milliseconds. It doubles with each further retry, up to the maximum. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
/** The number of temporary error responses after which a message fails. Network failures are retried without limit. */
const MAX_ERRORS = 9;

export function createSender(store: Store<FanState>): Sender {
  const uploads = new Map<string, AbortController>();
  /** The number of failed tries of each message, and how many of these got an error response. */
  const tries = new Map<string, { count: number; errors: number }>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;
  let isClosed = false;

  const pendingOf = (clientId: string) =>
    store.get().outbox.pending.find((held) => held.clientId === clientId);
  const change = (to: (outbox: Outbox) => Outbox) =>
    store.update((state) => ({ ...state, outbox: to(state.outbox) }));
  const set = (clientId: string, changes: Partial<PendingMessage>) =>
    change((outbox) => changePending(outbox, clientId, changes));

  function failed(clientId: string, error: unknown): void {
    const status = error instanceof ApiError ? error.status : -1;
    const before = tries.get(clientId) ?? { count: 0, errors: 0 };
    const count = before.count + 1;
    const errors = before.errors + (status === 0 ? 0 : 1);
    tries.set(clientId, { count, errors });
    const isHopeless = status !== 0 && errors >= MAX_ERRORS;
    // After a 401, the message waits for the next session.
    const isLater = status === 401 || (isPassing(error) && !isHopeless);
    const text = errorText(error, t('This message could not be sent. Try again.'));
    // Only a refusal shows that the server has not stored the message.
    const sentAfter = isPassing(error) ? {} : { sentAfter: null };
    set(
      clientId,
      isLater ? { status: 'waiting' } : { status: 'failed', error: text, ...sentAfter },
    );
    if (!isLater) return;
    const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), LONGEST_PAUSE_MS);
    clearTimeout(timer);
    timer = setTimeout(pump, Math.max(asked, pause));
  }

  async function uploadFiles({ clientId, files }: PendingMessage): Promise<void> {
    const aborter = new AbortController();
    uploads.set(clientId, aborter);
    set(clientId, { status: 'uploading', progress: 0, error: null });
    try {
      const { attachments } = await upload(uploadOwnFiles, files, aborter.signal, (progress) =>
        set(clientId, { progress }),
      );
      set(clientId, { status: 'waiting', attachments, files: [], progress: 1 });
      tries.delete(clientId);
    } catch (error) {
      if (!aborter.signal.aborted) failed(clientId, error);
    } finally {
      uploads.delete(clientId);
    }
  }

  async function sendOne(message: PendingMessage) {
    const { clientId, content, attachments, replyTo } = message;
    const sentAfter = message.sentAfter ?? shownIn(store.get()).messages.at(-1)?.seq ?? 0;
    set(clientId, { status: 'sending', error: null, sentAfter });
    try {
      const { data } = await call(sendOwnMessage, {
        body: {
          client_id: clientId,
          content,
          attachment_ids: attachments.map(({ id }) => id),
          reply_to_message_id: replyTo?.id ?? null,
        },
      });
      store.update((state) => ({
        ...state,
        thread: applyMessage(state.thread, data, null),
        outbox: confirmPending(state.outbox, clientId, data.id),
      }));
      tries.delete(clientId);
    } catch (error) {
      failed(clientId, error);
    }
  }

  function pump(): void {
    clearTimeout(timer);
    if (isClosed) return;
    const { pending } = store.get().outbox;
    for (const message of pending) {
      if (message.status === 'waiting' && message.files.length > 0)
        void uploadFiles(message).then(() => pumpUnlessPaused(message.clientId));
    }
    const next = pending.find(({ status, files }) => status === 'waiting' && files.length === 0);
    if (!next || isSending) return;
    isSending = true;
    void sendOne(next).then(() => {
      isSending = false;
      pumpUnlessPaused(next.clientId);
    });
  }

  /** Sends the next message, unless the given message is waiting for a retry, which holds up all messages. */
  function pumpUnlessPaused(clientId: string): void {
    if (!tries.has(clientId) || pendingOf(clientId)?.status === 'failed') pump();
  }

  return {
    send({ text, replyTo, files }) {
      const message: PendingMessage = {
        clientId: uuid(),
        content: text.trim(),
        replyTo,
        files,
        attachments: [],
        created_at: new Date().toISOString(),
        status: 'waiting',
        error: null,
        progress: 0,
      };
      change((outbox) => addPending(outbox, message));
      pump();
    },
    retry(clientId) {
      tries.delete(clientId);
      set(clientId, { status: 'waiting', error: null });
      pump();
    },
    discard(clientId) {
      uploads.get(clientId)?.abort(new DOMException('Given up', 'AbortError'));
      tries.delete(clientId);
      change((outbox) => removePending(outbox, clientId));
    },
    restore(messages) {
      for (const message of messages) {
        const status = message.status === 'failed' ? 'failed' : 'waiting';
        change((outbox) => addPending(outbox, { ...message, status }));
      }
      pump();
    },
    nudge() {
      tries.clear();
      pump();
    },
    open() {
      isClosed = false;
      pump();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const aborter of uploads.values()) aborter.abort(new DOMException('Over', 'AbortError'));
    },
  };
}
