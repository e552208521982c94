import type { AdminPerformance } from '@stagedoor/contract/analytics';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, SortableTable } from '../../ui/sortable-table.tsx';
import { ConversionBadge } from './conversion-badge.tsx';
import { formatMoney, formatReplyTime } from './format.ts';
import { TableCard } from './table-card.tsx';

interface AdminTableProps {
  rows: readonly AdminPerformance[];
  onViewSales: (row: AdminPerformance) => void;
}

/** Who wrote, sent and sold how much, and how fast they answer. */
export function AdminTable({ rows, onViewSales }: AdminTableProps) {
  const columns: Column<AdminPerformance>[] = [
    {
      key: 'admin',
      label: 'Admin',
      sortBy: (row) => row.admin_codename,
      cell: (row) => (
        <span className="flex max-w-52 flex-col @max-[560px]:max-w-36">
          <span className="truncate">{row.admin_codename}</span>
          <span className="truncate text-meta font-normal text-fg-3">{row.admin_email}</span>
        </span>
      ),
    },
    {
      key: 'messages',
      label: 'Messages',
      isNumber: true,
      sortBy: (row) => row.messages_sent,
      cell: (row) => formatCount(row.messages_sent),
    },
    {
      key: 'sent',
      label: 'Products sent',
      isNumber: true,
      sortBy: (row) => row.products_sent,
      cell: (row) => formatCount(row.products_sent),
    },
    {
      key: 'purchases',
      label: 'Purchases',
      isNumber: true,
      sortBy: (row) => row.products_purchased,
      cell: (row) => formatCount(row.products_purchased),
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
      label: 'Avg value',
      hint: 'What a purchase brought on average',
      isNumber: true,
      sortBy: (row) => row.avg_purchase_value,
      cell: (row) => formatMoney(row.avg_purchase_value),
    },
    {
      key: 'conversion',
      label: 'Conversion',
      hint: 'How many of the products sent were bought',
      isNumber: true,
      sortBy: (row) => row.conversion_rate,
      cell: (row) => <ConversionBadge rate={row.conversion_rate} />,
    },
    {
      key: 'typical',
      label: 'Typical reply',
      hint: 'Half of the replies came within this time',
      isNumber: true,
      sortBy: (row) => row.reply_time_p50,
      cell: (row) => formatReplyTime(row.reply_time_p50),
    },
    {
      key: 'slow',
      label: '9 in 10 within',
      hint: 'Nine of ten replies came within this time',
      isNumber: true,
      sortBy: (row) => row.reply_time_p90,
      cell: (row) => formatReplyTime(row.reply_time_p90),
    },
    {
      key: 'sales',
      label: 'Sales',
      isNumber: true,
      cell: (row) => (
        <Button
          variant="ghost"
          size="small"
          aria-label={`View sales of ${row.admin_codename}`}
          onClick={() => onViewSales(row)}
          className="text-accent-text!"
        >
          View sales
        </Button>
      ),
    },
  ];
  return (
    <TableCard title="Performance by admin" emptyText={rows.length === 0 ? EMPTY : null}>
      <SortableTable
        label="Performance by admin"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.admin_id}
        initialSort={{ key: 'revenue', direction: 'descending' }}
        firstRows={FIRST_ROWS}
      />
    </TableCard>
  );
}

const EMPTY = 'Nobody sent or sold anything in this range';
const FIRST_ROWS = 10;
