import { ArrowUpDown } from 'lucide-react';
import { useRef } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Select } from '../../ui/form/select.tsx';
import { PRODUCT_SORTS, type ProductSort } from './shown-products.ts';

interface CatalogueToolbarProps {
  title: string;
  description: string | null;
  /** The number of products shown; undefined while loading. */
  count: number | undefined;
  query: string;
  onQuery: (query: string) => void;
  sort: ProductSort;
  onSort: (sort: ProductSort) => void;
}

/** The folder's title with the search field and sort order. */
export function CatalogueToolbar(props: CatalogueToolbarProps) {
  const { title, description, count, query, onQuery, sort, onSort } = props;
  return (
    <div className="flex items-start gap-x-4 gap-y-3 px-4 pt-4 pb-3 max-md:flex-col max-md:items-stretch max-md:pt-3">
      <div className="min-w-0 flex-1">
        <h2
          id="shown-products"
          tabIndex={-1}
          className="flex items-baseline gap-2 text-message font-semibold outline-none md:leading-8 md:coarse:leading-11"
        >
          <span className="truncate">{title}</span>
          {count !== undefined && (
            <span role="status" className="text-control font-normal text-fg-3 tabular-nums">
              {formatCount(count)}
              <span className="sr-only">
                {' '}
                {t('{count, plural, one {product} other {products}}', { count })}
              </span>
            </span>
          )}
        </h2>
        {description && (
          <p className="truncate text-control text-fg-3 md:-mt-1" title={description}>
            {description}
          </p>
        )}
      </div>
      <div className="flex min-w-0 items-center gap-2 max-md:flex-wrap">
        <ProductSearch query={query} onQuery={onQuery} />
        <SortSelect sort={sort} onSort={onSort} />
      </div>
    </div>
  );
}

function ProductSearch({ query, onQuery }: Pick<CatalogueToolbarProps, 'query' | 'onQuery'>) {
  const field = useRef<HTMLInputElement>(null);
  useCommands([
    {
      id: 'products.search',
      title: t('Search Products'),
      section: t('Products'),
      keys: ['/'],
      run: () => {
        field.current?.focus();
        field.current?.select();
      },
    },
  ]);
  return (
    <SearchField
      ref={field}
      label={t('Search Products')}
      placeholder={t('Search products...')}
      shortcut="/"
      text={query}
      onChange={onQuery}
      className="w-64 min-w-0 max-lg:w-48 max-md:w-auto max-md:min-w-32 max-md:flex-1"
    />
  );
}

function SortSelect({ sort, onSort }: Pick<CatalogueToolbarProps, 'sort' | 'onSort'>) {
  return (
    <Select
      icon={ArrowUpDown}
      aria-label={t('Sort products')}
      value={sort}
      onChange={(event) =>
        onSort(PRODUCT_SORTS.find((option) => option.sort === event.target.value)?.sort ?? sort)
      }
      className="shrink-0 max-md:w-40"
    >
      {PRODUCT_SORTS.map((option) => (
        <option key={option.sort} value={option.sort}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}
