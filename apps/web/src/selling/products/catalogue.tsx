import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { useFileDrop } from '@stagedoor/browser/use-file-drop';
import type { Folder, Product } from '@stagedoor/contract/selling/products';
import { ArrowLeft, FolderCog, Plus } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { countsByFolder } from './cache.ts';
import {
  CatalogueLoading,
  EmptyFolder,
  NoProducts,
  NothingFound,
  ProblemBar,
} from './catalogue-states.tsx';
import { CatalogueToolbar } from './catalogue-toolbar.tsx';
import { DragToFolder } from './drag-to-folder.tsx';
import { FolderRail } from './folder-rail.tsx';
import type { CardHandlers } from './product-card.tsx';
import { ProductGrid } from './product-grid.tsx';
import { inFolder, type ProductSort, searchProducts, sortProducts } from './shown-products.ts';
import { useCardActions } from './use-card-actions.ts';
import { useCatalogue, useCatalogueCache } from './use-catalogue.ts';

const CreateProduct = lazyExtra(async () => (await import('./create-product.tsx')).CreateProduct);
const EditProduct = lazyExtra(async () => (await import('./edit-product.tsx')).EditProduct);
const ManageFolders = lazyExtra(async () => (await import('./manage-folders.tsx')).ManageFolders);
const MoveProduct = lazyExtra(async () => (await import('./move-product.tsx')).MoveProduct);

type Open =
  | { what: 'create'; files: readonly File[] }
  | { what: 'edit' | 'move' | 'delete'; product: Product }
  | { what: 'folders' };

interface CatalogueProps {
  /** The current folder; null for all products. */
  folderId: string | null;
  folderPath: (folderId: string | null) => string;
  onFolderGone: () => void;
  /** Called if the server refuses a change because this admin may not edit the catalog. */
  onRefused: () => void;
}

const NO_PRODUCTS: readonly Product[] = [];
const NO_FOLDERS: readonly Folder[] = [];

/** The products sold in messages, and their folders. */
export function Catalogue({ folderId, folderPath, onFolderGone, onRefused }: CatalogueProps) {
  const page = useRef<HTMLDivElement>(null);
  const main = useRef<HTMLElement>(null);
  const { products, folders } = useCatalogue();
  const cache = useCatalogueCache();
  const [open, setOpen] = useState<Open | null>(null);
  const all = products.data ?? NO_PRODUCTS;
  const known = folders.data ?? NO_FOLDERS;
  const folder = known.find(({ id }) => id === folderId) ?? null;
  const shown = useShown(all, folder?.id ?? null);
  const counts = useMemo(() => countsByFolder(all), [all]);
  const actions = useCardActions({ cache, folders: known, onRefused });
  const close = () => setOpen(null);
  const areFoldersKnown = folders.isSuccess && folders.isFetchedAfterMount && !folders.isFetching;
  useEffect(() => {
    if (folderId !== null && folder === null && areFoldersKnown) onFolderGone();
  }, [folderId, folder, areFoldersKnown, onFolderGone]);
  const { query, sort } = shown.controls;
  useEffect(() => {
    // On a phone the page scrolls, elsewhere the main element.
    for (const { current } of [main, page]) current?.scrollTo({ top: 0, behavior: 'instant' });
  }, [folderId, query, sort]);
  useEffect(() => {
    document.title = t('Products');
    return () => {
      document.title = 'Fan Messages';
    };
  }, []);
  const isFileOver = useFileDrop(
    page,
    open === null ? (files) => setOpen({ what: 'create', files }) : null,
  );

  const latest = useRef({ actions, cache });
  useEffect(() => {
    latest.current = { actions, cache };
  });
  const handlers = useMemo<CardHandlers>(
    () => ({
      onEdit: (product) => setOpen({ what: 'edit', product }),
      onMove: (product) => setOpen({ what: 'move', product }),
      onDelete: (product) => setOpen({ what: 'delete', product }),
      onSetActive: (product, isActive) => latest.current.actions.setActive(product, isActive),
      refresh: () => latest.current.cache.refresh(),
    }),
    [],
  );
  const create = () => setOpen({ what: 'create', files: [] });
  const remove = (product: Product) => {
    void actions.remove(product).then(() => {
      // The focused card was removed with its product.
      if (document.activeElement === document.body)
        document.getElementById('shown-products')?.focus();
    });
  };

  return (
    <div
      ref={page}
      className="flex h-full flex-col bg-bg max-md:block max-md:overflow-x-clip max-md:overflow-y-auto"
    >
      <CatalogueHeader onManageFolders={() => setOpen({ what: 'folders' })} onCreate={create} />
      <DragToFolder onMove={actions.move} refresh={cache.refresh}>
        <div className="flex min-h-0 flex-1 max-md:block">
          <FolderRail
            folders={known}
            counts={counts}
            total={products.data?.length}
            currentId={folder?.id ?? null}
            pathOf={folderPath}
            failed={folders.isError ? folders : null}
          />
          <main ref={main} className="relative min-w-0 flex-1 md:overflow-y-auto">
            <CatalogueToolbar
              title={folder?.name ?? t('All Products')}
              description={folder?.description ?? null}
              count={products.data && shown.products.length}
              {...shown.controls}
            />
            <div className="px-4 pb-[max(96px,env(safe-area-inset-bottom))]">
              {actions.problem && (
                <ProblemBar problem={actions.problem} onDismiss={actions.dismiss} />
              )}
              {products.isError && (
                <div className="mb-3">
                  <QueryError query={products} text={t('Failed to fetch products')} />
                </div>
              )}
              {products.data === undefined ? (
                !products.isError && <CatalogueLoading />
              ) : shown.products.length > 0 ? (
                <ProductGrid
                  products={shown.products}
                  folders={known}
                  leaving={actions.leaving}
                  {...handlers}
                />
              ) : shown.searched === '' && folder ? (
                <EmptyFolder name={folder.name} onCreate={create} />
              ) : all.length === 0 ? (
                <NoProducts onCreate={create} />
              ) : (
                <NothingFound
                  query={shown.searched}
                  elsewhere={folder ? shown.elsewhere : 0}
                  onSearchAll={onFolderGone}
                  onClear={() => shown.controls.onQuery('')}
                />
              )}
            </div>
          </main>
        </div>
      </DragToFolder>
      {isFileOver && open === null && (
        <div className="pointer-events-none fixed inset-2 z-40 flex items-center justify-center rounded-dialog border-2 border-dashed border-accent-text bg-selected/90 text-title font-semibold text-accent-text">
          {t('Drop a picture to create a product')}
        </div>
      )}
      {open?.what === 'create' && (
        <CreateProduct
          files={open.files}
          folders={known}
          folderId={folder?.id ?? null}
          cache={cache}
          onRefused={onRefused}
          onClose={close}
        />
      )}
      {open?.what === 'edit' && (
        <EditProduct
          product={open.product}
          folders={known}
          cache={cache}
          onRefused={onRefused}
          onClose={close}
        />
      )}
      {open?.what === 'folders' && (
        <ManageFolders
          folders={folders.data}
          counts={counts}
          failed={folders.isError ? folders : null}
          cache={cache}
          onRefused={onRefused}
          onClose={close}
        />
      )}
      {open?.what === 'move' && (
        <MoveProduct
          product={open.product}
          folders={known}
          onMove={(to) => {
            close();
            actions.move(open.product, to);
          }}
          onClose={close}
        />
      )}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={t('Delete Product')}
          text={t('Are you sure you want to delete "{title}"?', { title: open.product.title })}
          confirmLabel={t('Delete')}
          onClose={close}
          onConfirm={() => remove(open.product)}
        />
      )}
    </div>
  );
}

/** Returns the filtered and sorted products, and the props of the search and sort controls. */
function useShown(all: readonly Product[], folderId: string | null) {
  const [query, onQuery] = useState('');
  const [sort, onSort] = useState<ProductSort>('newest');
  // Typing has priority over updating the cards.
  const wanted = useDeferredValue(query);
  const found = useMemo(() => searchProducts(all, wanted), [all, wanted]);
  const products = useMemo(
    () => sortProducts(inFolder(found, folderId), sort),
    [found, folderId, sort],
  );
  return {
    products,
    elsewhere: found.length,
    searched: wanted.trim(),
    controls: { query, onQuery, sort, onSort },
  };
}

interface CatalogueHeaderProps {
  onManageFolders: () => void;
  onCreate: () => void;
}

function CatalogueHeader({ onManageFolders, onCreate }: CatalogueHeaderProps) {
  const navigate = useNavigate();
  return (
    <header className="shrink-0 border-line bg-surface pt-[env(safe-area-inset-top)] md:border-b">
      <div className="flex min-h-14 flex-wrap items-center gap-2 px-4 py-2 max-md:pb-0">
        <h1 className="me-auto text-title font-semibold tracking-tight">{t('Products')}</h1>
        <Button
          onClick={() => void navigate('/console')}
          icon={<ArrowLeft className="rtl:-scale-x-100" />}
        >
          <span className="max-md:sr-only">{t('Back to Console')}</span>
        </Button>
        <Button onClick={onManageFolders} icon={<FolderCog />}>
          <span className="max-md:sr-only">{t('Manage Folders')}</span>
        </Button>
        <Button variant="primary" onClick={onCreate} icon={<Plus />}>
          {t('Create Product')}
        </Button>
      </div>
    </header>
  );
}
