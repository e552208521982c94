import type { InboxFilter, InboxStats } from '@stagedoor/contract/inbox/conversations';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef } from 'react';
import { tabAt } from '../../lib/tab-at.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { useChangeInbox, useInboxState } from './inbox-state.tsx';
import { inboxStatsOptions } from './queries.ts';

interface FilterTab {
  filter: InboxFilter;
  label: string;
  key: string;
  /** The count shown after the label. */
  count?: keyof InboxStats;
}

/** The tabs in display order. */
export const FILTER_TABS: readonly FilterTab[] = [
  { filter: 'unread', label: t('Unread', 'conversations'), key: '1', count: 'unread_count' },
  { filter: 'mine', label: t('Mine', 'conversations'), key: '2', count: 'mine_count' },
  { filter: 'all', label: t('All', 'conversations'), key: '3' },
  { filter: 'archived', label: t('Archived', 'conversations'), key: '4' },
  { filter: 'needs_reply', label: t('Needs reply'), key: '5', count: 'needs_reply_count' },
];

/** Returns the id of a tab's button, which labels the tab panel. */
export function tabId(filter: InboxFilter): string {
  return `inbox-tab-${filter}`;
}

/** The tabs of the inbox. Arrow keys, Home and End move between them. @param panelId the id of the tab panel */
export function FilterTabs({ panelId }: { panelId: string }) {
  const { data: stats } = useQuery(inboxStatsOptions);
  const state = useInboxState();
  // A search covers all conversations, so no tab is current.
  const filter = state.searched === null ? state.filter : null;
  const change = useChangeInbox();
  const tabs = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const current = FILTER_TABS.findIndex((tab) => tab.filter === filter);
    const target = tabAt(event.key, FILTER_TABS, current);
    if (!target) return;
    event.preventDefault();
    change({ filter: target.filter, text: '' });
    tabs.current?.querySelector<HTMLElement>(`#${tabId(target.filter)}`)?.focus();
  };
  return (
    <div
      ref={tabs}
      role="tablist"
      aria-label={t('Filter conversations')}
      onKeyDown={onKeyDown}
      className="-ms-(--pad) flex [--pad:8px] @max-[400px]:[--pad:4px] @max-[320px]:[--pad:3px]"
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
            aria-keyshortcuts={tab.key}
            tabIndex={isTabStop ? 0 : -1}
            onClick={() => change({ filter: tab.filter, text: '' })}
            className={classes(
              'relative inline-flex h-9 items-center gap-1.5 px-(--pad) text-control font-medium @max-[400px]:gap-1 @max-[400px]:text-meta @max-[320px]:text-badge whitespace-nowrap transition-colors duration-80 select-none focus-visible:rounded-chip focus-visible:-outline-offset-2 coarse:h-11 coarse:min-w-11 coarse:justify-center',
              'after:absolute after:inset-x-(--pad) after:bottom-0 after:h-0.5 after:rounded-full',
              isCurrent ? 'text-accent-text after:bg-accent-text' : 'text-fg-2 hover:text-fg',
            )}
          >
            {tab.label}
            <TabCount count={(tab.count && stats?.[tab.count]) ?? 0} isCurrent={isCurrent} />
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
        'rounded-full px-1.5 text-badge @max-[400px]:px-1 @max-[320px]:px-0.5 font-semibold tabular-nums',
        isCurrent ? 'bg-selected text-accent-text' : 'bg-neutral-bg text-neutral',
      )}
    >
      {formatCount(count)}
    </span>
  );
}
