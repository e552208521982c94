import { useEffect, useRef } from 'react';
import { t } from '../lib/text/i18n.ts';
import { Button } from './button.tsx';

/** The distance below the view at which the button loads the next page. Pixels. */
const AHEAD_PX = 400;

interface MoreButtonProps {
  query: {
    error: Error | null;
    hasNextPage: boolean;
    isFetching: boolean;
    fetchNextPage: () => unknown;
  };
}

/**
 * Loads the next page of a list, if there is one, when it comes near the view or is clicked. Hidden after an error, and during a
 * fetch, because loading a page cancels a refetch.
 */
export function MoreButton({ query }: MoreButtonProps) {
  const { error, hasNextPage, isFetching, fetchNextPage } = query;
  const isShown = hasNextPage && !isFetching && error === null;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watcher = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting) void fetchNextPage();
      },
      { rootMargin: `0px 0px ${AHEAD_PX}px` },
    );
    if (isShown && container.current) watcher.observe(container.current);
    return () => watcher.disconnect();
  }, [isShown, fetchNextPage]);
  if (!isShown) return null;
  return (
    <div ref={container} className="flex justify-center p-3">
      <Button onClick={() => void fetchNextPage()}>{t('Load More')}</Button>
    </div>
  );
}
