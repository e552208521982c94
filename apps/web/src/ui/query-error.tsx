import { errorText } from '../lib/server/api.ts';
import { ErrorBox } from './error-box.tsx';

export interface QueryErrorProps {
  query: {
    error: Error | null;
    isFetching: boolean;
    refetch: () => Promise<unknown>;
    isFetchNextPageError?: boolean;
    fetchNextPage?: () => Promise<unknown>;
  };
  /** The text to show if the server sent none. */
  text: string;
}

/** Shows why a query failed, with a Retry button. Retries only the next page if that failed. */
export function QueryError({ query, text }: QueryErrorProps) {
  return (
    <ErrorBox
      text={errorText(query.error, text)}
      retrying={query.isFetching}
      onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage?.() : query.refetch())}
    />
  );
}
