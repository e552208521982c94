import type { InboxFilter, InboxStats } from '@stagedoor/contract/inbox/conversations';
import { type KeyboardEvent, useRef } from 'react';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';

/** The tabs in display order, some with a count. */
export const FILTER_TABS = [
  {
    filter: 'unread',
    label: t('Unread', 'conversations'),
    count: (stats: InboxStats) => stats.unread_count,
  },
  {
    filter: 'mine',
    label: t('Mine', 'conversations'),
    count: (stats: InboxStats) => stats.mine_count,
  },
  { filter: 'all', label: t('All', 'conversations'), count: null },
  { filter: 'archived', label: t('Archived', 'conversations'), count: null },
] as const satisfies readonly {
  filter: InboxFilter;
  label: string;
  count: ((stats: InboxStats) => number) | null;
}[];

/** Returns the id of a tab's button, which labels the tab panel. */
export function tabId(filter: InboxFilter): string {
  return `inbox-tab-${filter}`;
}

interface FilterTabsProps {
  /** Null while the list is not one of the tabs. */
  filter: InboxFilter | null;
  onChange: (filter: InboxFilter) => void;
  stats: InboxStats | undefined;
  /** The id of the tab panel. */
  panelId: string;
}

/** The tabs of the inbox. Arrow keys, Home and End move between them. */
export function FilterTabs({ filter, onChange, stats, panelId }: FilterTabsProps) {
  const tabs = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const current = FILTER_TABS.findIndex((tab) => tab.filter === filter);
    const last = FILTER_TABS.length - 1;
    const [next, previous] =
      document.dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    const targets: Readonly<Record<string, number>> = {
      [next]: current === last ? 0 : current + 1,
      [previous]: current <= 0 ? last : current - 1,
      Home: 0,
      End: last,
    };
    const target = FILTER_TABS[targets[event.key] ?? -1];
    if (!target) return;
    event.preventDefault();
    onChange(target.filter);
    tabs.current?.querySelector<HTMLElement>(`#${tabId(target.filter)}`)?.focus();
  };
  return (
    <div
      ref={tabs}
      role="tablist"
      aria-label={t('Filter conversations')}
      onKeyDown={onKeyDown}
      className="flex min-w-0 flex-1 gap-0.5 overflow-x-auto [scrollbar-width:none] @max-[400px]:gap-0"
    >
      {FILTER_TABS.map((tab, index) => {
        const isCurrent = tab.filter === filter;
        const isTabStop = isCurrent || (filter === null && index === 0);
        return (
          <button
            key={tab.filter}
            type="button"
            role="tab"
            id={tabId(tab.filter)}
            aria-selected={isCurrent}
            aria-controls={panelId}
            aria-keyshortcuts={String(index + 1)}
            tabIndex={isTabStop ? 0 : -1}
            onClick={() => onChange(tab.filter)}
            className={classes(
              'relative inline-flex h-10 items-center gap-1.5 px-2 text-control font-medium @max-[400px]:gap-1 @max-[400px]:px-1.5 whitespace-nowrap transition-colors duration-80 select-none focus-visible:rounded-chip focus-visible:-outline-offset-2 coarse:h-11 coarse:min-w-11 coarse:justify-center',
              'after:absolute after:inset-x-1.5 after:bottom-0 after:h-0.5 after:rounded-full',
              isCurrent ? 'text-accent-text after:bg-accent-text' : 'text-fg-2 hover:text-fg',
            )}
          >
            {tab.label}
            <TabCount count={stats && tab.count ? tab.count(stats) : 0} isCurrent={isCurrent} />
          </button>
        );
      })}
    </div>
  );
}

function TabCount({ count, isCurrent }: { count: number; isCurrent: boolean }) {
  if (count === 0) return null;
  return (
    <span
      className={classes(
        'rounded-full px-1.5 text-badge @max-[400px]:px-1 font-semibold tabular-nums',
        isCurrent ? 'bg-selected text-accent-text' : 'bg-neutral-bg text-neutral',
      )}
    >
      {formatCount(count)}
    </span>
  );
}
