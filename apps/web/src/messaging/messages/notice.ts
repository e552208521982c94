import { type QueryClient, queryOptions } from '@tanstack/react-query';

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
