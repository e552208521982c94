import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useConnection } from '../../lib/server/socket.ts';

/** An error in the conversation, shown above the text field until it is dismissed. */
export const noticeOptions = queryOptions({
  queryKey: ['notice'],
  queryFn: (): string | null => null,
  initialData: null as string | null,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Shows a notice; null removes it. */
export function setNotice(client: QueryClient, text: string | null): void {
  client.setQueryData(noticeOptions.queryKey, text);
}

/** Clears the notice when its conversation is left and when the connection returns. */
export function useNoticeEnd(client: QueryClient): void {
  const { status } = useConnection();
  useEffect(() => () => setNotice(client, null), [client]);
  // Notices about a missing connection are outdated once there is one.
  useEffect(() => {
    if (status === 'connected') setNotice(client, null);
  }, [client, status]);
}
