import type { Sale } from '@stagedoor/contract/selling/analytics';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ReceiptText } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { useSteady } from '../../lib/use-steady.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DoublePayments } from './double-payments.tsx';
import { type SalesFilter, salesOptions } from './queries.ts';
import type { RangeQuery } from './range.ts';
import { SaleRow } from './sale-row.tsx';

interface SalesDialogProps {
  query: RangeQuery;
  filter: SalesFilter;
  /** The filter and range in words. */
  subtitle: string;
  onClose: () => void;
}

/** The sales of the range, each linked to its conversation. */
export function SalesDialog({ query, filter, subtitle, onClose }: SalesDialogProps) {
  const sales = useInfiniteQuery(salesOptions({ ...query, ...filter }));
  const showsPlaceholders = useSteady(sales.isPending);
  const rows = sales.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Dialog title={t('Sales')} subtitle={subtitle} onClose={onClose} isWide>
      {filter.admin_id === undefined && filter.product_id === undefined && (
        <DoublePayments onOpen={onClose} />
      )}
      {showsPlaceholders ? <Placeholders /> : <SaleList rows={rows} onOpen={onClose} />}
      {sales.isPending && (
        <p role="status" className="sr-only">
          {t('Loading sales...')}
        </p>
      )}
      {sales.isSuccess && rows.length === 0 && (
        <EmptyState icon={<ReceiptText size={22} />} title={t('No sales in this range')} />
      )}
      {sales.isError && !sales.isFetchNextPageError && (
        <QueryError query={sales} text={t('Couldn’t load sales')} />
      )}
      <MorePages query={sales} loaded={rows.length} className="mt-3" />
    </Dialog>
  );
}

function SaleList({ rows, onOpen }: { rows: readonly Sale[]; onOpen: () => void }) {
  if (rows.length === 0) return null;
  return (
    <ul aria-label={t('Sales')} className="-mx-2 flex flex-col">
      {rows.map((sale) => (
        <SaleRow key={sale.id} sale={sale} onOpen={onOpen} />
      ))}
    </ul>
  );
}

const PLACEHOLDERS = [1, 2, 3, 4, 5, 6] as const;

function Placeholders() {
  return PLACEHOLDERS.map((key) => (
    <div key={key} className="flex h-14 items-center justify-between gap-4">
      <span className="flex flex-1 flex-col gap-1.5">
        <Skeleton className="h-3.5 w-1/2" />
        <Skeleton className="h-3 w-3/4" />
      </span>
      <Skeleton className="h-4 w-14" />
    </div>
  ));
}
