import type { TopProduct } from '@stagedoor/contract/analytics';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, SortableTable } from '../../ui/sortable-table.tsx';
import { ConversionBadge } from './conversion-badge.tsx';
import { formatMoney } from './format.ts';
import { TableCard } from './table-card.tsx';

interface ProductTableProps {
  rows: readonly TopProduct[];
  onViewSales: (row: TopProduct) => void;
}

/** What was sent and bought how often, and what it brought. */
export function ProductTable({ rows, onViewSales }: ProductTableProps) {
  const columns: Column<TopProduct>[] = [
    {
      key: 'product',
      label: 'Product',
      sortBy: (row) => row.product_title,
      cell: (row) => (
        <span className="block max-w-64 truncate @max-[560px]:max-w-36">{row.product_title}</span>
      ),
    },
    {
      key: 'price',
      label: 'Recommended price',
      hint: 'What the catalogue asks now',
      isNumber: true,
      sortBy: (row) => row.recommended_price,
      cell: (row) => formatMoney(row.recommended_price),
    },
    {
      key: 'sent',
      label: 'Times sent',
      isNumber: true,
      sortBy: (row) => row.times_sent,
      cell: (row) => formatCount(row.times_sent),
    },
    {
      key: 'purchased',
      label: 'Times purchased',
      isNumber: true,
      sortBy: (row) => row.times_purchased,
      cell: (row) => formatCount(row.times_purchased),
    },
    {
      key: 'revenue',
      label: 'Revenue',
      isNumber: true,
      sortBy: (row) => row.total_revenue,
      cell: (row) => formatMoney(row.total_revenue),
    },
    {
      key: 'average',
      label: 'Avg sale price',
      hint: 'What it was bought for on average',
      isNumber: true,
      sortBy: (row) => row.avg_sale_price,
      cell: (row) => formatMoney(row.avg_sale_price),
    },
    {
      key: 'conversion',
      label: 'Conversion',
      hint: 'How many of those sent were bought',
      isNumber: true,
      sortBy: (row) => row.conversion_rate,
      cell: (row) => <ConversionBadge rate={row.conversion_rate} />,
    },
    {
      key: 'sales',
      label: 'Sales',
      isNumber: true,
      cell: (row) => (
        <Button
          variant="ghost"
          size="small"
          aria-label={`View sales of ${row.product_title}`}
          onClick={() => onViewSales(row)}
          className="text-accent-text!"
        >
          View sales
        </Button>
      ),
    },
  ];
  return (
    <TableCard title="Top products" emptyText={rows.length === 0 ? EMPTY : null}>
      <SortableTable
        label="Top products"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.product_id}
        initialSort={{ key: 'revenue', direction: 'descending' }}
        firstRows={FIRST_ROWS}
      />
    </TableCard>
  );
}

const EMPTY = 'No product was sent or sold in this range';
const FIRST_ROWS = 10;
