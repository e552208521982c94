import { CircleAlert, FolderOpen, Package, Plus, RotateCw, SearchX, X } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { useSteady } from '../../lib/use-steady.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { Problem } from './use-card-actions.ts';

const SKELETONS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Shown while the catalog loads: a text at once, placeholders for the cards after a moment. */
export function CatalogueLoading() {
  const isLong = useSteady(true);
  return (
    <>
      <p role="status" className="flex items-center gap-2 pb-3 text-control text-fg-2">
        <Spinner />
        {t('Loading products...')}
      </p>
      {isLong && (
        <div className="grid grid-cols-2 gap-4 md:grid-cols-[repeat(auto-fill,minmax(220px,1fr))]">
          {SKELETONS.map((key) => (
            <div key={key} className="overflow-hidden rounded-card border border-line bg-surface">
              <Skeleton className="aspect-4/3 rounded-none" />
              <div className="flex flex-col gap-2.5 p-3">
                <Skeleton className="h-4 w-3/4" />
                <Skeleton className="h-4 w-1/3" />
                <Skeleton className="h-3 w-1/2" />
              </div>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

/** The empty state of a catalog without products. */
export function NoProducts({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={<Package size={22} />}
      title={t('No products yet')}
      text={t(
        'A product has pictures, videos or audio that fans buy in a message. Create one to send it to them.',
      )}
      action={
        <Button variant="primary" onClick={onCreate} icon={<Plus />}>
          {t('Create Your First Product')}
        </Button>
      }
    />
  );
}

/** The empty state of a folder without products. */
export function EmptyFolder({ name, onCreate }: { name: string; onCreate: () => void }) {
  return (
    <EmptyState
      icon={<FolderOpen size={22} />}
      title={t('No products in “{folder}”', { folder: name })}
      text={t('Drag products onto the folder, choose it in their menus, or create one here.')}
      action={
        <Button onClick={onCreate} icon={<Plus />}>
          {t('Create Product')}
        </Button>
      }
    />
  );
}

interface NothingFoundProps {
  query: string;
  /** The number of matches in the whole catalog, if only a folder was searched. */
  elsewhere: number;
  onSearchAll: () => void;
  onClear: () => void;
}

/** The empty state of a search without matches. */
export function NothingFound({ query, elsewhere, onSearchAll, onClear }: NothingFoundProps) {
  return (
    <EmptyState
      icon={<SearchX size={22} />}
      title={t('No products found')}
      text={
        elsewhere > 0
          ? t('Nothing in this folder matches “{query}”.', { query })
          : t('Nothing matches “{query}”.', { query })
      }
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {elsewhere > 0 && (
            <Button variant="primary" onClick={onSearchAll}>
              {t('Show {count} in All Products', { count: elsewhere })}
            </Button>
          )}
          <Button onClick={onClear}>{t('Clear Search')}</Button>
        </div>
      }
    />
  );
}

/** A failed card action, above the cards until it is dismissed. */
export function ProblemBar({ problem, onDismiss }: { problem: Problem; onDismiss: () => void }) {
  const { text, reason, product, retry } = problem;
  return (
    <div className="sticky top-2 z-10 mb-3 flex items-center gap-2.5 rounded-control border border-danger/30 bg-flagged py-1 pe-1 ps-3 text-control text-danger-text max-md:top-16">
      <CircleAlert />
      <p className="min-w-0 flex-1 py-1 wrap-anywhere">
        <span role="alert">
          <span className="font-medium">{text}</span>
          {reason !== null && `: ${reason}`}
        </span>
        <span className="text-fg-2"> “{product.title}”</span>
      </p>
      <Button size="small" onClick={retry} icon={<RotateCw size={14} />}>
        {t('Retry')}
      </Button>
      <IconButton
        label={t('Dismiss')}
        onClick={onDismiss}
        className="text-danger-text!"
        icon={<X />}
      />
    </div>
  );
}
