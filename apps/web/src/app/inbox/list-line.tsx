import { useQuery } from '@tanstack/react-query';
import { inboxStatsOptions } from '../../inbox/list/queries.ts';
import { SortSelect } from '../../inbox/list/sort-select.tsx';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useInboxTools } from './use-inbox-tools.ts';

/** The line above the rows: the counts of the whole inbox, and the controls to select, filter and sort. */
export function ListLine() {
  const { data: stats } = useQuery(inboxStatsOptions);
  const tools = useInboxTools();
  return (
    <div className="@container flex h-9 shrink-0 items-center justify-between gap-2 border-b border-line pe-1.5 ps-3 coarse:h-11">
      <dl className="flex min-w-0 gap-2.5 @max-[400px]:gap-2">
        <StatTile label={t('Total')} value={stats?.total_conversations} />
        <StatTile label={t('Unread', 'conversations')} value={stats?.unread_count} />
        <StatTile label={t('Today')} value={stats?.new_today} />
      </dl>
      <div className="flex shrink-0 items-center">
        {tools && (
          <>
            <tools.SelectButton />
            <tools.TagControl />
          </>
        )}
        <SortSelect />
        {tools && <tools.SaveView />}
      </div>
    </div>
  );
}

function StatTile({ label, value }: { label: string; value: number | undefined }) {
  return (
    <div className="flex min-w-0 flex-row-reverse items-baseline justify-end gap-1 text-meta">
      <dt className="truncate text-fg-3">{label}</dt>
      <dd className="font-semibold tabular-nums">
        {value === undefined ? '–' : formatCount(value)}
      </dd>
    </div>
  );
}
