import type { TopProduct } from '@stagedoor/contract/selling/analytics';
import { t } from '../../lib/text/i18n.ts';
import { type Column, SortableTable } from '../../ui/sortable-table.tsx';
import { conversionColumn, countColumn, moneyColumn, salesColumn } from './columns.tsx';
import { TableCard } from './table-card.tsx';

interface ProductTableProps {
  rows: readonly TopProduct[];
  onViewSales: (row: TopProduct) => void;
}

/** How often each product was sent and bought, and its revenue. */
export function ProductTable({ rows, onViewSales }: ProductTableProps) {
  const columns: Column<TopProduct>[] = [
    {
      key: 'product',
      label: t('Product'),
      sortBy: (row) => row.product_title,
      cell: (row) => (
        <span className="block max-w-64 truncate @max-[560px]:max-w-36">{row.product_title}</span>
      ),
    },
    moneyColumn(
      { key: 'price', label: t('Recommended Price'), hint: t('Current catalog price') },
      (row) => row.recommended_price,
    ),
    countColumn({ key: 'sent', label: t('Times Sent') }, (row) => row.times_sent),
    countColumn({ key: 'purchased', label: t('Times Purchased') }, (row) => row.times_purchased),
    moneyColumn({ key: 'revenue', label: t('Revenue') }, (row) => row.total_revenue),
    moneyColumn(
      { key: 'average', label: t('Avg Sale Price'), hint: t('Average price paid') },
      (row) => row.avg_sale_price,
    ),
    conversionColumn(t('Share of offers that were bought')),
    salesColumn((row) => row.product_title, onViewSales),
  ];
  return (
    <TableCard title={t('Top Products')} emptyText={rows.length === 0 ? EMPTY : null}>
      <SortableTable
        label={t('Top Products')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.product_id}
        initialSort={{ key: 'revenue', direction: 'descending' }}
        firstRows={FIRST_ROWS}
      />
    </TableCard>
  );
}

const EMPTY = t('No products were sent or sold in this range');
const FIRST_ROWS = 10;
