import { useEffect, useRef } from 'react';
import { t } from '../lib/text/i18n.ts';
import { Button } from './button.tsx';

/** The distance below the view at which the button loads the next page. Pixels. */
const AHEAD_PX = 400;

/** Loads the next page of a list when it comes near the view or is clicked. */
export function MoreButton({ onMore }: { onMore: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watcher = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting) onMore();
      },
      { rootMargin: `0px 0px ${AHEAD_PX}px` },
    );
    if (container.current) watcher.observe(container.current);
    return () => watcher.disconnect();
  }, [onMore]);
  return (
    <div ref={container} className="flex justify-center p-3">
      <Button onClick={onMore}>{t('Load More')}</Button>
    </div>
  );
}
