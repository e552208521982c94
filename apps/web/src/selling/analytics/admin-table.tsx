import type { AdminPerformance } from '@stagedoor/contract/selling/analytics';
import { t } from '../../lib/text/i18n.ts';
import { type Column, SortableTable } from '../../ui/sortable-table.tsx';
import { formatReplyTime } from '../charts/format.ts';
import { conversionColumn, countColumn, moneyColumn, salesColumn } from './columns.tsx';
import { TableCard } from './table-card.tsx';

interface AdminTableProps {
  rows: readonly AdminPerformance[];
  onViewSales: (row: AdminPerformance) => void;
}

/** Messages, sent products, sales and reply times of each admin. */
export function AdminTable({ rows, onViewSales }: AdminTableProps) {
  const columns: Column<AdminPerformance>[] = [
    {
      key: 'admin',
      label: t('Admin'),
      sortBy: (row) => row.admin_codename,
      cell: (row) => (
        <span className="flex max-w-52 flex-col @max-[560px]:max-w-36">
          <span className="truncate">{row.admin_codename}</span>
          <span className="truncate text-meta font-normal text-fg-3">{row.admin_email}</span>
        </span>
      ),
    },
    countColumn({ key: 'messages', label: t('Messages') }, (row) => row.messages_sent),
    countColumn({ key: 'sent', label: t('Products Sent') }, (row) => row.products_sent),
    countColumn({ key: 'purchases', label: t('Purchases') }, (row) => row.products_purchased),
    moneyColumn({ key: 'revenue', label: t('Revenue') }, (row) => row.total_revenue),
    moneyColumn(
      { key: 'average', label: t('Avg Value'), hint: t('Average revenue per purchase') },
      (row) => row.avg_purchase_value,
    ),
    conversionColumn(t('Share of sent products that were bought')),
    {
      key: 'typical',
      label: t('Typical Reply'),
      hint: t('Half of the replies arrived within this time'),
      isNumber: true,
      sortBy: (row) => row.reply_time_p50,
      cell: (row) => formatReplyTime(row.reply_time_p50),
    },
    {
      key: 'slow',
      label: t('90% Within'),
      hint: t('90% of the replies arrived within this time'),
      isNumber: true,
      sortBy: (row) => row.reply_time_p90,
      cell: (row) => formatReplyTime(row.reply_time_p90),
    },
    moneyColumn(
      { key: 'tips', label: t('Tips'), hint: t('Tips within 24 hours of this admin’s message') },
      (row) => row.tip_revenue,
    ),
    salesColumn((row) => row.admin_codename, onViewSales),
  ];
  return (
    <TableCard title={t('Performance by Admin')} emptyText={rows.length === 0 ? EMPTY : null}>
      <SortableTable
        label={t('Performance by Admin')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.admin_id}
        initialSort={{ key: 'revenue', direction: 'descending' }}
        firstRows={FIRST_ROWS}
      />
    </TableCard>
  );
}

const EMPTY = t('No one sent or sold anything in this range');
const FIRST_ROWS = 10;
