import type { Folder, Product } from '@stagedoor/contract/selling/products';
import { useMemo, useRef } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { type CardHandlers, ProductCard } from './product-card.tsx';
import { useGridWindow } from './use-grid-window.ts';

interface ProductGridProps extends CardHandlers {
  products: readonly Product[];
  folders: readonly Folder[];
  /** The ids of products being deleted. */
  leaving: ReadonlySet<string>;
}

/** The products as cards. Only cards near the visible part are rendered, so that large catalogs stay fast. */
export function ProductGrid({ products, folders, leaving, ...handlers }: ProductGridProps) {
  const list = useRef<HTMLUListElement>(null);
  const grid = useGridWindow(list, products.length);
  const names = useMemo(() => new Map(folders.map(({ id, name }) => [id, name])), [folders]);
  const { first = 0, end = 0, before = 0, after = 0 } = grid?.window ?? {};
  return (
    <ul
      ref={list}
      aria-label={t('Products')}
      style={
        grid
          ? {
              gridTemplateColumns: `repeat(${grid.shape.columns}, minmax(0, 1fr))`,
              gridAutoRows: grid.shape.rowHeight,
              gap: grid.shape.gap,
              paddingTop: before,
              paddingBottom: after,
            }
          : undefined
      }
      className="grid"
    >
      {grid &&
        products.slice(first, end).map((product, index) => (
          <li
            key={product.id}
            aria-setsize={products.length}
            aria-posinset={first + index + 1}
            className="min-w-0"
          >
            <ProductCard
              product={product}
              folderName={
                product.folder_id === null ? null : (names.get(product.folder_id) ?? null)
              }
              pictureHeight={grid.shape.pictureHeight}
              isLeaving={leaving.has(product.id)}
              {...handlers}
            />
          </li>
        ))}
    </ul>
  );
}
