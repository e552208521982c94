import { bundleOf, bundleText } from '@stagedoor/browser/bundles';
import { formatPrice } from '@stagedoor/browser/money';
import type { Product, ProductOffer } from '@stagedoor/contract/selling/products';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { foldersOptions } from '../../selling/products/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Picture } from '../../ui/picture.tsx';
import { matches } from './offer.ts';

interface ChoiceProps {
  products: readonly Product[];
  offers: readonly ProductOffer[];
  chosen: Product | null;
  onChoose: (product: Product) => void;
  /** Called with the first match of the search when Enter is pressed in it. */
  onEnter: (product: Product) => void;
  /** Refetches the catalog to renew expired URLs of pictures. */
  refresh: () => Promise<void>;
}

/** The catalog, filtered by text and folder. */
export function ProductChoice(props: ChoiceProps) {
  const { products, offers, chosen, onChoose, onEnter, refresh } = props;
  const { data: folders = [] } = useQuery(foldersOptions);
  const [query, setQuery] = useState('');
  const [folderId, setFolderId] = useState('');
  const name = useId();
  const cards = useRef<HTMLFieldSetElement>(null);
  const offerOf = new Map(offers.map((offer) => [offer.product_id, offer]));
  const shown = products.filter(
    (product) =>
      matches(product, query) && (folderId === '' || (product.folder_id ?? '') === folderId),
  );
  return (
    <>
      <div className="sticky -top-1 z-1 flex gap-2 bg-surface pb-2.5">
        <SearchField
          label={t('Search Products')}
          placeholder={t('Search products...')}
          text={query}
          onChange={setQuery}
          onLeave={() => cards.current?.querySelector('input')?.focus()}
          onEnter={() => shown[0] && onEnter(shown[0])}
          className="min-w-0 flex-1"
        />
        {folders.length > 0 && (
          <Select
            value={folderId}
            onChange={(event) => setFolderId(event.currentTarget.value)}
            aria-label={t('Folder')}
            className="max-w-44"
          >
            <option value="">{t('All Products')}</option>
            {folders.map((folder) => (
              <option key={folder.id} value={folder.id}>
                {folder.name}
              </option>
            ))}
          </Select>
        )}
      </div>
      {shown.length === 0 && (
        <p role="status" className="py-8 text-center text-control text-fg-3">
          {t('No matching products')}
        </p>
      )}
      <fieldset
        ref={cards}
        aria-label={t('Products')}
        className="grid min-w-0 grid-cols-2 gap-2.5 md:grid-cols-3"
      >
        {shown.map((product) => (
          <ProductCard
            key={product.id}
            name={name}
            product={product}
            offer={offerOf.get(product.id) ?? null}
            isChosen={chosen?.id === product.id}
            onChoose={() => onChoose(product)}
            refresh={refresh}
          />
        ))}
      </fieldset>
    </>
  );
}

interface ProductCardProps extends Pick<ChoiceProps, 'refresh'> {
  name: string;
  product: Product;
  offer: ProductOffer | null;
  isChosen: boolean;
  onChoose: () => void;
}

/** A product as a radio button: its picture, title and price, and whether the fan was offered or has bought it. */
function ProductCard(props: ProductCardProps) {
  const { name, product, offer, isChosen, onChoose, refresh } = props;
  const bundle = bundleOf({ product_id: product.id, media: product.media });
  return (
    <label
      title={product.description ?? undefined}
      className={classes(
        'relative flex min-w-0 cursor-pointer flex-col overflow-hidden rounded-card border bg-surface transition-colors duration-80 [contain-intrinsic-size:auto_190px] [content-visibility:auto]',
        'has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent-text',
        isChosen
          ? 'border-accent inset-ring-1 inset-ring-accent'
          : 'border-line hover:border-control',
      )}
    >
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 size-full cursor-pointer appearance-none outline-none"
      />
      <Picture
        url={product.thumbnail_url ?? product.image_url}
        refresh={refresh}
        className="pointer-events-none aspect-4/3 w-full border-b border-line"
      />
      <span className="pointer-events-none flex flex-col gap-0.5 px-2.5 py-2">
        <span dir="auto" className="line-clamp-2 text-control font-medium wrap-anywhere">
          {product.title}
        </span>
        <span className="text-control font-semibold tabular-nums">
          {formatPrice(product.price)}
        </span>
        {bundle.length > 0 && (
          <span className="truncate text-meta text-fg-2 tabular-nums">{bundleText(bundle)}</span>
        )}
      </span>
      {offer && (
        <span className="pointer-events-none absolute start-2 top-2 inline-flex rounded-chip">
          <Badge tone={offer.purchased ? 'good' : 'neutral'}>
            {offer.purchased ? t('Purchased') : t('Sent before')}
          </Badge>
        </span>
      )}
      <span
        aria-hidden="true"
        className={classes(
          'pointer-events-none absolute end-2 top-2 inline-flex size-5 items-center justify-center rounded-full border-2 text-white',
          isChosen ? 'border-accent bg-accent' : 'border-white bg-[#0006]',
        )}
      >
        {isChosen && <Check size={12} strokeWidth={2.5} />}
      </span>
    </label>
  );
}
