import { useDraggable } from '@dnd-kit/core';
import { formatPrice } from '@stagedoor/browser/money';
import type { Product } from '@stagedoor/contract/selling/products';
import {
  CircleCheck,
  CirclePause,
  Folder as FolderIcon,
  FolderInput,
  Pencil,
  Trash2,
} from 'lucide-react';
import { memo } from 'react';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { Menu } from '../../ui/overlay/menu.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { GridShape } from './grid-window.ts';

export interface CardHandlers {
  onEdit: (product: Product) => void;
  onMove: (product: Product) => void;
  onSetActive: (product: Product, isActive: boolean) => void;
  onDelete: (product: Product) => void;
  refresh: () => Promise<void>;
}

interface ProductCardProps
  extends CardHandlers,
    Pick<GridShape, 'pictureHeight' | 'titleLines' | 'rowHeight'> {
  product: Product;
  folderName: string | null;
  isLeaving: boolean;
}

export function typeName({ product_type }: Pick<Product, 'product_type'>): string {
  return product_type === 'message_attachment' ? t('Message', 'product type') : t('Standalone');
}

/** A product in the catalog. Clicking it opens it; dragging it onto a folder moves it. */
export const ProductCard = memo(function ProductCard(props: ProductCardProps) {
  const { product, folderName, pictureHeight, titleLines, rowHeight } = props;
  const { isLeaving, refresh, onEdit } = props;
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: product.id, data: { product } });
  const { title, price, is_active: isActive, times_sent: sent, times_purchased: bought } = product;
  return (
    <article
      aria-label={title}
      aria-busy={isLeaving || undefined}
      inert={isLeaving}
      className={classes(
        'group relative overflow-hidden rounded-card border border-line bg-surface transition-[border-color,opacity] duration-80 hover:border-control',
        (isDragging || isLeaving) && 'opacity-50',
      )}
    >
      <div ref={setNodeRef} {...listeners}>
        <Picture
          url={product.thumbnail_url ?? product.image_url}
          refresh={refresh}
          className={classes('w-full', !isActive && 'opacity-55 grayscale')}
          style={{ height: pictureHeight }}
        />
        <div
          style={{ height: rowHeight - pictureHeight - 2 }}
          className="flex flex-col border-t border-line px-3 pt-2 pb-2"
        >
          <h3 className="me-8 flex flex-1 items-start pt-0.5">
            <button
              type="button"
              aria-haspopup="dialog"
              title={title}
              dir="auto"
              onClick={() => onEdit(product)}
              className="min-w-0 text-start text-base font-medium after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
            >
              <span style={{ WebkitLineClamp: titleLines }} className="line-clamp-2 wrap-anywhere">
                {title}
              </span>
            </button>
          </h3>
          <p className="flex h-6 items-center justify-between gap-2">
            <span className="text-base font-semibold tabular-nums">{formatPrice(price)}</span>
            <span className="inline-flex items-center gap-1.5 text-meta text-fg-2">
              <span
                aria-hidden="true"
                className={classes(
                  'size-1.5 rounded-full',
                  isActive ? 'bg-good' : 'border border-control',
                )}
              />
              {isActive ? t('Active', 'product') : t('Inactive', 'product')}
            </span>
          </p>
          <p className="flex h-5 items-center gap-1 text-meta text-fg-2">
            <span className="shrink-0">{typeName(product)}</span>
            {folderName !== null && (
              <>
                <span aria-hidden="true" className="shrink-0 text-fg-3">
                  ·
                </span>
                <FolderIcon size={12} className="text-fg-3" />
                <span className="truncate" title={folderName}>
                  {folderName}
                </span>
              </>
            )}
          </p>
          <p className="h-5 truncate text-meta text-fg-3 tabular-nums">
            {t('Sent {sent} · Bought {bought}', {
              sent: formatCount(sent),
              bought: formatCount(bought),
            })}
          </p>
        </div>
      </div>
      <CardMenu {...props} />
    </article>
  );
});

function CardMenu({ product, pictureHeight, ...on }: ProductCardProps) {
  const { title, is_active: isActive } = product;
  return (
    <span style={{ top: pictureHeight + 5 }} className="absolute end-1.5">
      <Menu
        label={t('Actions for {title}', { title })}
        items={[
          { label: t('Edit'), icon: Pencil, onSelect: () => on.onEdit(product) },
          { label: t('Move to Folder'), icon: FolderInput, onSelect: () => on.onMove(product) },
          {
            label: isActive ? t('Deactivate') : t('Activate'),
            icon: isActive ? CirclePause : CircleCheck,
            onSelect: () => on.onSetActive(product, !isActive),
          },
          { label: t('Delete'), icon: Trash2, onSelect: () => on.onDelete(product) },
        ]}
      />
    </span>
  );
}
