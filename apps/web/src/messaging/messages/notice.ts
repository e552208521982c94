import { type QueryClient, queryOptions } from '@tanstack/react-query';

/** Something that went wrong in the conversation, told above the text field until it is dismissed. */
export const noticeOptions = queryOptions({
  queryKey: ['conversation-notice'],
  queryFn: (): string | null => null,
  initialData: null as string | null,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Tells something; null takes it back. */
export function setNotice(client: QueryClient, text: string | null): void {
  client.setQueryData(noticeOptions.queryKey, text);
}
