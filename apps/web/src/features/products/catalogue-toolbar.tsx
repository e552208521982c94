import { ArrowUpDown, ChevronDown, Search, X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { formatCount } from '../../lib/format.ts';
import { isComposing, useShortcuts } from '../../lib/keyboard.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PRODUCT_SORTS, type ProductSort } from './shown-products.ts';

interface CatalogueToolbarProps {
  /** Of the folder that is shown. */
  title: string;
  description: string | null;
  /** How many products are shown; undefined until it is known. */
  count: number | undefined;
  query: string;
  onQuery: (query: string) => void;
  sort: ProductSort;
  onSort: (sort: ProductSort) => void;
}

/** What is shown, and the ways to narrow and order it. */
export function CatalogueToolbar(props: CatalogueToolbarProps) {
  const { title, description, count, query, onQuery, sort, onSort } = props;
  return (
    <div className="flex items-center gap-x-4 gap-y-3 px-4 pt-4 pb-3 max-md:flex-col max-md:items-stretch max-md:pt-3">
      <div className="min-w-0 flex-1">
        <h2
          id="shown-products"
          tabIndex={-1}
          className="flex items-baseline gap-2 text-message font-semibold outline-none"
        >
          <span className="truncate">{title}</span>
          {count !== undefined && (
            <span role="status" className="text-control font-normal text-fg-3 tabular-nums">
              {formatCount(count)}
              <span className="sr-only"> {count === 1 ? 'product' : 'products'}</span>
            </span>
          )}
        </h2>
        {description && (
          <p className="truncate text-control text-fg-3" title={description}>
            {description}
          </p>
        )}
      </div>
      <div className="flex items-center gap-2">
        <ProductSearch query={query} onQuery={onQuery} />
        <SortSelect sort={sort} onSort={onSort} />
      </div>
    </div>
  );
}

function ProductSearch({ query, onQuery }: Pick<CatalogueToolbarProps, 'query' | 'onQuery'>) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({
    '/': (event) => {
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    if (query === '') field.current?.blur();
    else onQuery('');
  };
  return (
    <search className="relative block w-64 max-md:w-auto max-md:flex-1">
      <Search
        aria-hidden="true"
        size={16}
        strokeWidth={1.75}
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-fg-3"
      />
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label="Search products"
        aria-keyshortcuts="/"
        placeholder="Search products..."
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
        className="peer h-8 w-full rounded-control border border-control bg-surface pr-9 pl-8 text-control focus-visible:outline-offset-0 coarse:h-11"
      />
      {query === '' ? (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-[4px] border border-line px-1.5 font-sans text-badge text-fg-3 peer-focus:hidden coarse:hidden"
        >
          /
        </span>
      ) : (
        <IconButton
          label="Clear search"
          onClick={() => {
            onQuery('');
            field.current?.focus();
          }}
          className="absolute! top-1/2 right-0.5 size-7 -translate-y-1/2"
        >
          <X aria-hidden="true" size={16} strokeWidth={1.75} />
        </IconButton>
      )}
    </search>
  );
}

function SortSelect({ sort, onSort }: Pick<CatalogueToolbarProps, 'sort' | 'onSort'>) {
  return (
    <span className="relative inline-flex shrink-0 items-center text-fg-2">
      <ArrowUpDown
        aria-hidden="true"
        size={14}
        strokeWidth={1.75}
        className="pointer-events-none absolute left-2.5"
      />
      <select
        aria-label="Sort products"
        value={sort}
        onChange={(event) =>
          onSort(PRODUCT_SORTS.find((option) => option.sort === event.target.value)?.sort ?? sort)
        }
        className="h-8 appearance-none rounded-control border border-control bg-surface pr-7 pl-8 text-control text-fg focus-visible:outline-offset-0 max-md:w-36 coarse:h-11"
      >
        {PRODUCT_SORTS.map((option) => (
          <option key={option.sort} value={option.sort}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        size={14}
        strokeWidth={1.75}
        className="pointer-events-none absolute right-2.5 text-fg-3"
      />
    </span>
  );
}
