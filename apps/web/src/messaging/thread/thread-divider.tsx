import { t } from '../../lib/text/i18n.ts';
import { dayLabel, type ThreadRow } from '../messages/thread-rows.ts';
import { useToday } from '../messages/use-now.ts';

/** A divider in the thread: the day, or the start of the unread messages. */
export function Divider({ row }: { row: Extract<ThreadRow, { kind: 'day' | 'new' }> }) {
  const today = useToday();
  if (row.kind === 'day') {
    return (
      <div className="flex justify-center pt-4 pb-1 compact:pt-2 compact:pb-0">
        <span className="rounded-full bg-surface-2 px-2.5 py-0.5 text-meta font-medium text-fg-2">
          {dayLabel(row.at, today)}
        </span>
      </div>
    );
  }
  return (
    <div className="flex items-center gap-3 px-4 pt-4 pb-1 text-meta font-semibold text-accent-text">
      <span className="h-px flex-1 bg-accent/35" />
      {t('New')}
      <span className="h-px flex-1 bg-accent/35" />
    </div>
  );
}
