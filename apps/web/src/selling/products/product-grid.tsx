import type { Folder, Product } from '@stagedoor/contract/selling/products';
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { type GridShape, type GridWindow, gridShape, gridWindow } from './grid-window.ts';
import { type CardHandlers, ProductCard } from './product-card.tsx';

interface ProductGridProps extends CardHandlers {
  products: readonly Product[];
  folders: readonly Folder[];
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
              titleLines={grid.shape.titleLines}
              rowHeight={grid.shape.rowHeight}
              isLeaving={leaving.has(product.id)}
              {...handlers}
            />
          </li>
        ))}
    </ul>
  );
}

/** A grid's width and the visible part of its height, in pixels. */
interface View {
  width: number;
  top: number;
  bottom: number;
}

/** The step that the scroll position is rounded to, so that small movements cause no re-render. */
const STEP_PX = 100;

function viewOf(grid: HTMLElement): View {
  const { top } = grid.getBoundingClientRect();
  const from = Math.floor(-top / STEP_PX) * STEP_PX;
  return { width: grid.clientWidth, top: from, bottom: from + window.innerHeight + STEP_PX };
}

/**
 * Returns which cards of a grid to render.
 * @returns null until the grid is measured
 */
function useGridWindow(
  grid: RefObject<HTMLElement | null>,
  count: number,
): { shape: GridShape; window: GridWindow } | null {
  const [view, setView] = useState<View | null>(null);
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return;
    const update = () => {
      const next = viewOf(element);
      setView((held) => {
        const isSame =
          held?.width === next.width && held.top === next.top && held.bottom === next.bottom;
        return isSame ? held : next;
      });
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    // On a phone the page scrolls, elsewhere an inner element; capturing covers both.
    document.addEventListener('scroll', update, { passive: true, capture: true });
    window.addEventListener('resize', update);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', update, { capture: true });
      window.removeEventListener('resize', update);
    };
  }, [grid]);
  if (view === null) return null;
  const shape = gridShape(view.width);
  return { shape, window: gridWindow(shape, count, view) };
}
