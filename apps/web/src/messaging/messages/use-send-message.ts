import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { restoreFiles, useStrip } from '../attachments/chosen-files.ts';
import { type Guard, isSending, type OutgoingAttachment, type PendingMessage } from './outbox.ts';
import { outboxIn, useOutbox } from './queries.ts';
import type { ReplyTarget } from './reply-target.ts';
import { removeFromPending, sendInTurn, sendWithFiles } from './send-with-files.ts';
import { useSender } from './sender.ts';
import { removeUnsent, type UnsentMessage, useUnsent } from './unsent.ts';

/** Returns the actions that send a conversation's messages. They are stable between renders. */
export function useSendActions(conversationId: string) {
  const sender = useSender();
  const client = useQueryClient();
  return useMemo(
    () => ({
      /** Returns false while another message is being sent. */
      send: (
        content: string,
        replyTo: ReplyTarget | null,
        guard: Guard,
        attachments: readonly OutgoingAttachment[] = [],
      ) =>
        sender.send({ conversation_id: conversationId, content, replyTo, attachments, ...guard }),
      /** Uploads the chosen files and sends them with the text. Continues in this conversation even if the user leaves it. */
      sendWithFiles: (content: string, replyTo: ReplyTarget | null, guard: Guard) =>
        void sendWithFiles({ client, sender, conversationId, content, replyTo, guard }),
      removeFile: (key: string) => removeFromPending(client, conversationId, key),
      /** Retries with the same `tempId`, so that the message can't be stored twice. Waits while another message is being sent. */
      retry: ({ isStale, ...message }: PendingMessage | UnsentMessage) =>
        void sendInTurn(client, sender, {
          conversation_id: conversationId,
          content: message.content,
          replyTo: message.replyTo,
          attachments: message.attachments,
          tempId: message.tempId,
          lastSeenId: message.lastSeenId,
          sendAnyway: isStale === true || message.sendAnyway === true,
        }),
      discard: (message: PendingMessage) => sender.discard(message),
      discardUnsent: ({ tempId }: UnsentMessage) => removeUnsent(tempId),
    }),
    [client, sender, conversationId],
  );
}

/** Sends messages in a conversation, and returns its pending and failed ones with their actions. */
export function useSendMessage(conversationId: string) {
  const client = useQueryClient();
  const actions = useSendActions(conversationId);
  const outbox = useOutbox(conversationId);
  const strip = useStrip(conversationId);
  useEffect(() => void restoreFiles(), []);
  const unsent = useUnsent(
    conversationId,
    (tempId) =>
      strip.sending?.tempId === tempId ||
      outbox.pending.some((pending) => pending.tempId === tempId),
  );
  const isBlocked = () => isSending(outboxIn(client, conversationId));
  return { unsent, strip, isSending: isSending(outbox), isBlocked, ...actions };
}
