import type { ErrorCode } from '@stagedoor/contract/errors';
import { type Message, sendMessage } from '@stagedoor/contract/messaging/messages';
import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { createContext } from 'react';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { getToken } from '../../lib/server/session.ts';
import type { RealtimeSocket } from '../../lib/server/socket.ts';
import { t } from '../../lib/text/i18n.ts';
import { useProvided } from '../../lib/use-provided.ts';
import { addMessage } from './cache.ts';
import {
  addPending,
  confirmPending,
  failPending,
  type Guard,
  isSending,
  newTempId,
  type OutgoingAttachment,
  type PendingMessage,
  removePending,
} from './outbox.ts';
import { outboxIn, updateOutbox, updateThread } from './queries.ts';
import type { ReplyTarget } from './reply-target.ts';
import { noteGivenUp, noteSending, removeUnsent } from './unsent.ts';

/** How long to wait for the socket's confirmation before sending the same message over HTTP. Milliseconds. */
export const CONFIRMATION_TIMEOUT_MS = 5_000;
/** How long a message is retried over HTTP before it fails. Milliseconds. */
export const GIVE_UP_AFTER_MS = 30_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 5_000;

const FAILED_TO_SEND = t('Failed to send message');

/** A message to send. A retry passes the `tempId` of the first try, so that the message is stored once. */
export interface Outgoing extends Guard {
  conversation_id: string;
  content: string;
  replyTo: ReplyTarget | null;
  attachments?: readonly OutgoingAttachment[];
  tempId?: string;
}

/** Sends messages over the socket or, without a connection, over HTTP. A retry never stores a message twice. */
export interface Sender {
  /** Shows the message at once and sends it. Returns false and does nothing while another message is being sent. */
  send: (outgoing: Outgoing) => boolean;
  /** Handles the socket event for a stored message. */
  confirm: (tempId: string, message: Message) => void;
  /** Handles a refusal over the socket, either final or temporary. */
  refuse: (tempId: string, error: string, code?: ErrorCode) => void;
  discard: (message: PendingMessage) => void;
}

interface Attempt {
  message: PendingMessage;
  /** The token of the session that started the attempt. The next session may belong to a different admin. */
  token: string | null;
  /** Aborted as soon as the outcome is known. */
  settled: AbortController;
  /** Aborted as soon as the socket can no longer answer. */
  socketOver: AbortController;
}

/** The error codes of temporary refusals. They are treated like a missing response: the message is sent again. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['unavailable', 'internal_error', 'rate_limited']);

/** The error code if a teammate replied first. The user then decides whether to send anyway. */
const TEAMMATE_REPLIED: ErrorCode = 'teammate_replied';

export interface SenderOptions {
  client: QueryClient;
  socket: Pick<RealtimeSocket, 'emit' | 'getConnection' | 'subscribe'>;
}

/** Waits until the time is up or the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Returns whether the server has rejected the message, so that a retry would fail too. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== 408 &&
    error.status !== 429
  );
}

function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.code === TEAMMATE_REPLIED;
}

function bodyOf(message: PendingMessage) {
  const { conversation_id, content, replyTo, attachments, lastSeenId, sendAnyway } = message;
  return {
    conversation_id,
    content,
    attachments: attachments.map(({ input }) => input),
    reply_to_message_id: replyTo?.id ?? null,
    ...(sendAnyway ? { send_anyway: true } : { last_seen_message_id: lastSeenId }),
  };
}

export function createSender({ client, socket }: SenderOptions): Sender {
  const attempts = new Map<string, Attempt>();

  function settle(tempId: string): void {
    attempts.get(tempId)?.settled.abort();
    attempts.delete(tempId);
  }

  function confirm(tempId: string, message: Message): void {
    notifyManager.batch(() => {
      updateThread(client, message.conversation_id, (thread) => addMessage(thread, message));
      updateOutbox(client, message.conversation_id, (outbox) =>
        confirmPending(outbox, tempId, message),
      );
    });
    removeUnsent(tempId);
    settle(tempId);
  }

  function giveUp({ tempId, conversation_id }: PendingMessage, failure: unknown): void {
    noteGivenUp(tempId, errorText(failure, FAILED_TO_SEND), isStale(failure));
    updateOutbox(client, conversation_id, (outbox) => removePending(outbox, tempId));
    settle(tempId);
  }

  /** Resolves when the socket confirms, refuses, disconnects or times out. */
  function overSocket({ message, settled, socketOver }: Attempt): Promise<void> {
    const isSent = socket.emit('send_message', { ...bodyOf(message), tempId: message.tempId });
    if (!isSent) return Promise.resolve();
    const stop = socket.subscribe(() => {
      if (socket.getConnection().status !== 'connected') socketOver.abort();
    });
    const signal = AbortSignal.any([settled.signal, socketOver.signal]);
    return pause(CONFIRMATION_TIMEOUT_MS, signal).finally(stop);
  }

  async function overHttp({ message, token, settled }: Attempt): Promise<void> {
    const deadline = Date.now() + GIVE_UP_AFTER_MS;
    let wait = FIRST_RETRY_MS;
    while (!settled.signal.aborted && getToken() === token) {
      try {
        const left = Math.max(1, deadline - Date.now());
        const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(left)]);
        const headers = { 'idempotency-key': message.tempId };
        const { data } = await call(sendMessage, { headers, body: bodyOf(message), signal });
        return confirm(message.tempId, data);
      } catch (error) {
        if (settled.signal.aborted) return;
        const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
        const delay = Math.max(wait, asked);
        if (isFinal(error) || Date.now() + delay >= deadline) {
          console.error('Failed to send message', error);
          return giveUp(message, error);
        }
        await pause(delay, settled.signal);
        wait = Math.min(wait * 2, LONGEST_RETRY_MS);
      }
    }
    settle(message.tempId);
  }

  async function run(attempt: Attempt): Promise<void> {
    await overSocket(attempt);
    if (!attempt.settled.signal.aborted) await overHttp(attempt);
  }

  return {
    send(outgoing) {
      const { conversation_id, content, replyTo, lastSeenId, sendAnyway } = outgoing;
      const { attachments = [], tempId = newTempId() } = outgoing;
      if (isSending(outboxIn(client, conversation_id))) return false;
      const created_at = new Date().toISOString();
      const message: PendingMessage = {
        tempId,
        conversation_id,
        content,
        replyTo,
        attachments,
        lastSeenId,
        sendAnyway,
        created_at,
        status: 'sending',
        error: null,
      };
      noteSending(message);
      updateOutbox(client, conversation_id, (held) => addPending(held, message));
      const attempt = {
        message,
        token: getToken(),
        settled: new AbortController(),
        socketOver: new AbortController(),
      };
      attempts.set(tempId, attempt);
      void run(attempt);
      return true;
    },
    confirm,
    refuse(tempId, error, code) {
      const attempt = attempts.get(tempId);
      if (!attempt) return;
      if (code !== undefined && PASSING.has(code)) return attempt.socketOver.abort();
      const { message } = attempt;
      updateOutbox(client, message.conversation_id, (outbox) =>
        failPending(outbox, tempId, error || FAILED_TO_SEND, code === TEAMMATE_REPLIED),
      );
      settle(tempId);
    },
    discard({ tempId, conversation_id }) {
      removeUnsent(tempId);
      updateOutbox(client, conversation_id, (outbox) => removePending(outbox, tempId));
    },
  };
}

export const SenderContext = createContext<Sender | null>(null);

/** Returns the tab's sender. */
export const useSender = () => useProvided(SenderContext);
