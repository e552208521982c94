import type { Folder } from '@stagedoor/contract/selling/products';
import { Folder as FolderIcon, FolderOpen, LayoutGrid } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { Link } from '../../ui/link.tsx';
import { QueryError, type QueryErrorProps } from '../../ui/query-error.tsx';
import { useFolderTarget } from './drag-to-folder.tsx';

interface FolderRailProps {
  folders: readonly Folder[];
  counts: ReadonlyMap<string, number>;
  /** The total number of products; undefined while loading. */
  total: number | undefined;
  /** Null for all products. */
  currentId: string | null;
  pathOf: (folderId: string | null) => string;
  /** The folders' query if it failed; otherwise null. */
  failed: QueryErrorProps['query'] | null;
}

/** The folders: a list beside the products, or a row of chips above them on a phone. Each is a drop target for products. */
export function FolderRail(props: FolderRailProps) {
  const { folders, counts, total, currentId, pathOf, failed } = props;
  return (
    <nav
      aria-label={t('Folders')}
      className="shrink-0 border-line bg-surface max-md:sticky max-md:top-0 max-md:z-20 max-md:border-b md:w-55 md:overflow-y-auto md:border-e md:pb-4"
    >
      <ul className="flex gap-1.5 p-2 max-md:overflow-x-auto max-md:px-4 max-md:[scrollbar-width:none] md:flex-col md:gap-0.5">
        <FolderLink folder={null} count={total} isCurrent={currentId === null} to={pathOf(null)} />
        {folders.map((folder) => (
          <FolderLink
            key={folder.id}
            folder={folder}
            count={total === undefined ? undefined : (counts.get(folder.id) ?? 0)}
            isCurrent={currentId === folder.id}
            to={pathOf(folder.id)}
          />
        ))}
      </ul>
      {failed && (
        <div className="px-3 pb-3">
          <QueryError query={failed} text={t('Failed to fetch folders')} />
        </div>
      )}
    </nav>
  );
}

interface FolderLinkProps {
  /** Null for all products. */
  folder: Folder | null;
  count: number | undefined;
  isCurrent: boolean;
  to: string;
}

function FolderLink({ folder, count, isCurrent, to }: FolderLinkProps) {
  const name = folder?.name ?? t('All Products');
  const target = useFolderTarget({ folderId: folder?.id ?? null, name });
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) item.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isCurrent]);
  const Icon = folder === null ? LayoutGrid : isCurrent || target.isOver ? FolderOpen : FolderIcon;
  return (
    <li ref={item} className="min-w-0 max-md:shrink-0 max-md:scroll-mx-4">
      <span ref={target.setNodeRef} className="block">
        <Link
          to={to}
          replace
          draggable={false}
          aria-current={isCurrent ? 'page' : undefined}
          title={folder?.description ?? undefined}
          data-drop={target.isOver || undefined}
          className={classes(
            'flex h-9 items-center gap-2 rounded-control px-2.5 text-control transition-colors duration-80 coarse:h-11',
            'max-md:max-w-48 max-md:rounded-full max-md:border max-md:px-3.5',
            isCurrent
              ? 'border-transparent bg-selected font-medium text-accent-text'
              : 'border-control text-fg-2 hover:bg-hover hover:text-fg',
            target.isOver &&
              'bg-selected text-accent-text outline-2 -outline-offset-2 outline-accent-text',
          )}
        >
          <Icon />
          <span dir="auto" className="said min-w-0 flex-1 truncate text-start">
            {name}
          </span>
          {count !== undefined && (
            <span className="text-meta font-normal text-fg-3 tabular-nums">
              {formatCount(count)}
              <span className="sr-only">
                {' '}
                {t('{count, plural, one {product} other {products}}', { count })}
              </span>
            </span>
          )}
        </Link>
      </span>
    </li>
  );
}
