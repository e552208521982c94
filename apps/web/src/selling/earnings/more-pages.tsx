import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';

interface MorePagesProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  /** What the next page has. */
  label?: string;
  className?: string;
}

/** The button that loads the next page of a list, while there is one. */
export function MorePages({ query, label = t('Show More'), className = '' }: MorePagesProps) {
  if (!query.hasNextPage) return null;
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
