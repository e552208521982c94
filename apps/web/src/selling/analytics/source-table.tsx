import type { AnalyticsSource } from '@stagedoor/contract/selling/analytics';
import { t } from '../../lib/text/i18n.ts';
import { type Column, SortableTable } from '../../ui/sortable-table.tsx';
import { countColumn, moneyColumn } from './columns.tsx';
import { TableCard } from './table-card.tsx';

const NAMES: Record<AnalyticsSource['source'], string> = {
  messages: t('Messages'),
  mass_messages: t('Mass messages'),
  tips: t('Tips'),
};

/** The figures by source of revenue: messages, mass messages and tips. */
export function SourceTable({ rows }: { rows: readonly AnalyticsSource[] }) {
  const columns: Column<AnalyticsSource>[] = [
    {
      key: 'source',
      label: t('Source'),
      sortBy: (row) => NAMES[row.source],
      cell: (row) => NAMES[row.source],
      total: t('Total'),
    },
    countColumn({ key: 'messages', label: t('Messages') }, (row) => row.messages_sent, rows),
    countColumn({ key: 'sent', label: t('Products Sent') }, (row) => row.products_sent, rows),
    countColumn({ key: 'payments', label: t('Payments') }, (row) => row.payments, rows),
    moneyColumn({ key: 'revenue', label: t('Revenue') }, (row) => row.revenue, rows),
  ];
  return (
    <TableCard title={t('Revenue by Source')} emptyText={null}>
      <SortableTable
        label={t('Revenue by Source')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.source}
        initialSort={{ key: 'revenue', direction: 'descending' }}
        firstRows={rows.length}
      />
      <p className="px-4 py-3 text-meta text-fg-3">
        {t(
          'At the top of the page, messages don’t include mass messages, and purchases and revenue don’t include tips.',
        )}{' '}
        {t(
          'Sales of a mass message also count for the admin who started it. A tip counts for the admin who sent the last message in the 24 hours before it; mass messages don’t count.',
        )}
      </p>
    </TableCard>
  );
}
