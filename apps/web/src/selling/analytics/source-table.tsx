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

const COLUMNS: Column<AnalyticsSource>[] = [
  {
    key: 'source',
    label: t('Source'),
    sortBy: (row) => NAMES[row.source],
    cell: (row) => NAMES[row.source],
  },
  countColumn({ key: 'messages', label: t('Messages') }, (row) => row.messages_sent),
  countColumn({ key: 'sent', label: t('Products sent') }, (row) => row.products_sent),
  countColumn({ key: 'payments', label: t('Payments') }, (row) => row.payments),
  moneyColumn({ key: 'revenue', label: t('Revenue') }, (row) => row.revenue),
];

/** What messages, mass messages and tips brought in. */
export function SourceTable({ rows }: { rows: readonly AnalyticsSource[] }) {
  return (
    <TableCard title={t('Revenue by Source')} emptyText={null}>
      <SortableTable
        label={t('Revenue by Source')}
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => row.source}
        initialSort={{ key: 'revenue', direction: 'descending' }}
        firstRows={rows.length}
      />
      <p className="px-4 py-3 text-meta text-fg-3">
        {t(
          'Sales of a mass message also count for the admin who started it. A tip counts for the admin who sent the last message in the 24 hours before it.',
        )}
      </p>
    </TableCard>
  );
}
