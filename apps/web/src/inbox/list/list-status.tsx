import { Inbox, SearchX } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { useSteady } from '../../lib/use-steady.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useChangeInbox, useInboxState } from './inbox-state.tsx';
import type { InboxSource } from './use-inbox-source.ts';

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** The loading state of the list: a text immediately, placeholder rows if it takes longer. */
export function ListLoading() {
  const isLong = useSteady(true);
  return (
    <div className="relative">
      <p
        role="status"
        className="absolute inset-x-0 top-2 z-10 mx-auto flex w-max items-center gap-2 rounded-full border border-line bg-surface px-3 py-1 text-meta text-fg-2"
      >
        <Spinner />
        {t('Loading conversations...')}
      </p>
      {isLong && SKELETON_ROWS.map((row) => <SkeletonRow key={row} />)}
    </div>
  );
}

function SkeletonRow() {
  return (
    <div className="flex h-18 compact:h-13 items-center gap-3 px-3">
      <Skeleton className="size-10 rounded-full" />
      <span className="flex flex-1 flex-col gap-2">
        <span className="flex justify-between">
          <Skeleton className="h-3.5 w-32" />
          <Skeleton className="h-3 w-10" />
        </span>
        <Skeleton className="h-3 w-3/4" />
      </span>
    </div>
  );
}

interface ListEndProps {
  source: InboxSource;
  /** The number of rows shown. */
  count: number;
}

/** The status below the last row: more rows are loading, an error, or the end of the list. */
export function ListEnd({ source, count }: ListEndProps) {
  const isSearch = useInboxState().searched !== null;
  if (source.errorText !== null) {
    return (
      <div className="p-3">
        <ErrorBox text={source.errorText} onRetry={source.retry} retrying={source.isRetrying} />
      </div>
    );
  }
  if (source.isLoadingMore) {
    return (
      <p role="status" className="flex items-center justify-center gap-2 py-4 text-meta text-fg-3">
        <Spinner />
        {t('Loading more conversations...')}
      </p>
    );
  }
  if (source.hasMore || isSearch) return <div className="h-4" />;
  return (
    <p className="px-3 pt-4 pb-[max(16px,env(safe-area-inset-bottom))] text-center text-meta text-fg-3">
      {t('All conversations loaded ({count} total)', { count })}
    </p>
  );
}

/** The empty state of the list. */
export function ListEmpty() {
  const { searched, filter } = useInboxState();
  const change = useChangeInbox();
  if (searched !== null) {
    return (
      <EmptyState
        icon={<SearchX size={22} />}
        title={t('No conversations found')}
        text={t('Nothing matches “{text}”.', { text: searched })}
      />
    );
  }
  const icon = <Inbox size={22} />;
  if (filter === 'all') return <EmptyState icon={icon} title={t('No conversations yet')} />;
  return (
    <EmptyState
      icon={icon}
      title={t('No conversations yet')}
      text={
        filter === 'needs_reply'
          ? t('No one is waiting for a reply.')
          : t('Nothing here right now.')
      }
      action={<Button onClick={() => change({ filter: 'all' })}>{t('View All')}</Button>}
    />
  );
}
