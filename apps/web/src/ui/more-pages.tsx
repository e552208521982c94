import { useEffect, useState } from 'react';
import { errorText } from '../lib/server/api.ts';
import { t } from '../lib/text/i18n.ts';
import { Button } from './button.tsx';
import { ErrorBox } from './error-box.tsx';

interface MorePagesProps {
  /** How many rows or pages of the list are loaded. */
  loaded: number;
  query: {
    error: Error | null;
    hasNextPage: boolean;
    isFetching: boolean;
    isFetchNextPageError: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  /** The button's label. */
  label?: string;
  className?: string;
}

/** The button that loads the next page of a list, if there is one. Shows the error instead if loading failed. */
export function MorePages(props: MorePagesProps) {
  const { query, loaded, label = t('Load More'), className = '' } = props;
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  /** The value of `loaded` when the next page was requested; null once it has arrived. */
  const [askedAt, setAskedAt] = useState<number | null>(null);
  if (askedAt !== null && askedAt !== loaded) setAskedAt(null);
  const isDue = askedAt === loaded && hasNextPage && !isFetching && !isFetchNextPageError;
  // A live event that refetches the list cancels the load of the next page, so the load is repeated afterwards.
  useEffect(() => {
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
  if (!hasNextPage) return null;
  if (isFetchNextPageError)
    return (
      <ErrorBox
        text={errorText(query.error, t('Couldn’t load this list'))}
        onRetry={() => void fetchNextPage()}
        retrying={query.isFetchingNextPage}
      />
    );
  return (
    <Button
      className={`print:hidden ${className}`}
      onClick={() => setAskedAt(loaded)}
      busy={askedAt === loaded}
    >
      {label}
    </Button>
  );
}
