import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';

interface MorePagesProps {
  query: {
    error: Error | null;
    hasNextPage: boolean;
    isFetchNextPageError: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  /** What the next page has. */
  label?: string;
  className?: string;
}

/** The button that loads the next page of a list, while there is one, or why that failed. */
export function MorePages({ query, label = t('Show More'), className = '' }: MorePagesProps) {
  if (!query.hasNextPage) return null;
  if (query.isFetchNextPageError)
    return (
      <ErrorBox
        text={errorText(query.error, t('Couldn’t load this list'))}
        onRetry={() => void query.fetchNextPage()}
        retrying={query.isFetchingNextPage}
      />
    );
  return (
    <Button
      className={`print:hidden ${className}`}
      onClick={() => void query.fetchNextPage()}
      busy={query.isFetchingNextPage}
    >
      {label}
    </Button>
  );
}
