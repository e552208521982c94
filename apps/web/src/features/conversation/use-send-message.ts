import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isSending, type PendingMessage } from './outbox.ts';
import { outboxOptions } from './queries.ts';
import type { ReplyTarget } from './reply-target.ts';
import { useSender } from './sender.ts';
import { forgetUnsent, type UnsentMessage, useUnsent } from './unsent.ts';

/** Sending in a conversation: what is on its way, what failed, and what can be done about it. */
export function useSendMessage(conversationId: string) {
  const sender = useSender();
  const client = useQueryClient();
  const { data: outbox } = useQuery(outboxOptions(conversationId));
  const unsent = useUnsent(conversationId, (tempId) =>
    outbox.pending.some((pending) => pending.tempId === tempId),
  );
  const actions = useMemo(
    () => ({
      /** False while another message is on its way. */
      send: (content: string, replyTo: ReplyTarget | null) =>
        sender.send({ conversation_id: conversationId, content, replyTo }),
      /** Tries once more, as the same message: it can't be stored twice. */
      retry: ({ tempId, content, replyTo }: PendingMessage | UnsentMessage) =>
        sender.send({ conversation_id: conversationId, content, replyTo, tempId }),
      discard: (message: PendingMessage) => sender.discard(message),
      discardUnsent: ({ tempId }: UnsentMessage) => forgetUnsent(tempId),
    }),
    [sender, conversationId],
  );
  const isBlocked = () =>
    isSending(client.getQueryData(outboxOptions(conversationId).queryKey) ?? outbox);
  return { outbox, unsent, isSending: isSending(outbox), isBlocked, ...actions };
}
