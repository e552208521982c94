import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type LoadedSpan, refreshThread, threadIn } from '../messages/queries.ts';
import type { AttachmentHandlers } from './attachments.tsx';

/** Returns actions to download files and to refetch messages, because file URLs expire after minutes. */
export function useMedia(
  conversationId: string,
): Pick<AttachmentHandlers, 'refresh' | 'onDownload'> {
  const client = useQueryClient();
  return useMemo(() => {
    const spans = { queryKey: ['conversation', conversationId, 'span'] as const };
    const refresh = async () => {
      try {
        await refreshThread(client, conversationId);
        await client.invalidateQueries(spans);
      } catch (error) {
        console.error('Failed to load messages', error);
      }
    };
    return {
      refresh,
      async onDownload(attachmentId) {
        await refresh();
        const loaded = client
          .getQueriesData<LoadedSpan>(spans)
          .flatMap(([, data]) => data?.pages ?? []);
        const attachment = [threadIn(client, conversationId), ...loaded]
          .flatMap((thread) => thread?.messages ?? [])
          .flatMap(({ attachments }) => attachments)
          .find(({ id }) => id === attachmentId);
        if (!attachment?.url) return;
        const link = document.createElement('a');
        link.href = attachment.url;
        link.download = attachment.filename ?? '';
        link.click();
      },
    };
  }, [client, conversationId]);
}
