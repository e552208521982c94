import { useMediaUrl } from '@stagedoor/browser/use-media-url';
import type { Product } from '@stagedoor/contract/selling/products';
import { ImageOff } from 'lucide-react';
import type { CSSProperties } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';

interface ProductPictureProps {
  product: Pick<Product, 'image_url' | 'thumbnail_url'>;
  /** Refetches the catalog to renew expired URLs. */
  refresh: () => Promise<void>;
  className?: string;
  style?: CSSProperties;
}

/** A product's thumbnail, sized by the caller. It has no alternative text, because the title is next to it. */
export function ProductPicture({ product, refresh, className, style }: ProductPictureProps) {
  const media = useMediaUrl(product.thumbnail_url ?? product.image_url, refresh);
  return (
    <span
      style={style}
      className={classes('relative block overflow-hidden bg-surface-2', className)}
    >
      {media.isFailed ? (
        <span className="absolute inset-0 flex flex-col items-center justify-center gap-1.5 p-2 text-center text-meta text-fg-2">
          <ImageOff size={20} />
          {t('Failed to load image')}
        </span>
      ) : (
        <img
          key={media.attempt}
          src={media.src ?? undefined}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={media.onError}
          className="size-full object-cover"
        />
      )}
    </span>
  );
}
