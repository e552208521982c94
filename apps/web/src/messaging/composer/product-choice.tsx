import { formatPrice } from '@stagedoor/browser/money';
import type { Product, ProductOffer } from '@stagedoor/contract/selling/products';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { foldersOptions } from '../../selling/products/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { matches } from './offer.ts';

interface ChoiceProps {
  products: readonly Product[];
  offers: readonly ProductOffer[];
  chosen: Product | null;
  onChoose: (product: Product) => void;
}

const field =
  'h-8 min-w-0 rounded-control border border-control bg-surface px-2.5 text-control coarse:h-11';

/** The catalog, filtered by text and folder. */
export function ProductChoice({ products, offers, chosen, onChoose }: ChoiceProps) {
  const { data: folders = [] } = useQuery(foldersOptions);
  const [query, setQuery] = useState('');
  const [folderId, setFolderId] = useState('');
  const name = useId();
  const offerOf = new Map(offers.map((offer) => [offer.product_id, offer]));
  const shown = products.filter(
    (product) =>
      matches(product, query) && (folderId === '' || (product.folder_id ?? '') === folderId),
  );
  return (
    <>
      <div className="sticky -top-1 z-1 flex gap-2 bg-surface pb-2.5">
        <input
          type="search"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          placeholder={t('Search products...')}
          aria-label={t('Search Products')}
          className={`${field} flex-1`}
        />
        {folders.length > 0 && (
          <select
            value={folderId}
            onChange={(event) => setFolderId(event.currentTarget.value)}
            aria-label={t('Folder')}
            className={`${field} max-w-44`}
          >
            <option value="">{t('All Products')}</option>
            {folders.map((folder) => (
              <option key={folder.id} value={folder.id}>
                {folder.name}
              </option>
            ))}
          </select>
        )}
      </div>
      {shown.length === 0 && (
        <p role="status" className="py-8 text-center text-control text-fg-3">
          {t('No matching products')}
        </p>
      )}
      <fieldset aria-label={t('Products')} className="flex min-w-0 flex-col gap-1.5">
        {shown.map((product) => (
          <ProductRow
            key={product.id}
            name={name}
            product={product}
            offer={offerOf.get(product.id) ?? null}
            isChosen={chosen?.id === product.id}
            onChoose={() => onChoose(product)}
          />
        ))}
      </fieldset>
    </>
  );
}

interface ProductRowProps {
  name: string;
  product: Product;
  offer: ProductOffer | null;
  isChosen: boolean;
  onChoose: () => void;
}

function ProductRow({ name, product, offer, isChosen, onChoose }: ProductRowProps) {
  return (
    <label
      className={classes(
        'flex min-h-16 cursor-pointer items-center gap-3 max-[20rem]:flex-wrap rounded-card border p-2 pe-3 transition-colors duration-80 [contain-intrinsic-size:auto_64px] [content-visibility:auto]',
        'has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent-text',
        isChosen ? 'border-accent bg-selected' : 'border-line hover:bg-hover',
      )}
    >
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="ms-1 size-4 shrink-0 accent-accent outline-none"
      />
      <img
        src={product.thumbnail_url ?? product.image_url}
        alt=""
        loading="lazy"
        decoding="async"
        className="size-12 shrink-0 rounded-control bg-surface-2 object-cover max-[20rem]:hidden"
      />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-base font-medium">
          {product.title}
        </span>
        {product.description && (
          <span className="block truncate text-meta text-fg-2">{product.description}</span>
        )}
      </span>
      <span className="flex shrink-0 flex-col items-end gap-0.5">
        <span className="font-medium tabular-nums">{formatPrice(product.price)}</span>
        {offer && (
          <Badge tone={offer.purchased ? 'good' : 'neutral'}>
            {offer.purchased ? t('Purchased') : t('Sent before')}
          </Badge>
        )}
      </span>
    </label>
  );
}
