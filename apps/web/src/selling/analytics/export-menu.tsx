import type { AnalyticsReport } from '@stagedoor/contract/selling/analytics';
import { useMutation } from '@tanstack/react-query';
import { CalendarDays, Download, Package, ReceiptText, Users, Waypoints } from 'lucide-react';
import { saveCsv } from '../../lib/save-csv.ts';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlay/menu.tsx';
import { fetchReport } from './queries.ts';
import type { Range, RangeQuery } from './range.ts';

const REPORTS = [
  { report: 'admins', label: t('By admin'), icon: Users },
  { report: 'products', label: t('By product'), icon: Package },
  { report: 'days', label: t('By day'), icon: CalendarDays },
  { report: 'sources', label: t('By source'), icon: Waypoints },
  { report: 'sales', label: t('Sales'), icon: ReceiptText },
] as const satisfies readonly { report: AnalyticsReport; label: string; icon: typeof Users }[];

interface ExportMenuProps {
  range: Range;
  query: RangeQuery;
}

/** Saves the range's data as a CSV file. */
export function ExportMenu({ range, query }: ExportMenuProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (report: AnalyticsReport) => {
      const csv = await fetchReport(report, query);
      const span = range === 'all' ? 'all-time' : `${range}-days`;
      saveCsv(`analytics-${report}-${span}`, csv);
    },
  });
  return (
    <span className="inline-flex items-center gap-2">
      {error && (
        <span role="alert" className="text-meta text-danger-text">
          {errorText(error, t('Couldn’t export the analytics'))}
        </span>
      )}
      <Menu
        label={t('Export CSV')}
        trigger={
          <Button busy={isPending} busyText={t('Exporting...')} icon={<Download />}>
            {t('Export CSV')}
          </Button>
        }
        items={REPORTS.map(({ report, ...item }) => ({ ...item, onSelect: () => mutate(report) }))}
      />
    </span>
  );
}
