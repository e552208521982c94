import type { InboxSort } from '@stagedoor/contract/inbox/conversations';
import { ArrowUpDown } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { useChangeInbox, useInboxState } from './inbox-state.tsx';

const SORTS: readonly { sort: InboxSort; label: string }[] = [
  { sort: 'unread_first', label: t('Unread first') },
  { sort: 'newest', label: t('Newest') },
  { sort: 'longest_waiting', label: t('Longest waiting') },
];

/** Selects the sort order of the list. A transparent native select covers the name of the current one. */
export function SortSelect() {
  const { sort, filter } = useInboxState().params;
  const change = useChangeInbox();
  return (
    <span className="relative inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control px-1.5 text-meta font-medium text-fg-2 transition-colors duration-80 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent-text has-enabled:hover:bg-hover has-enabled:hover:text-fg coarse:h-11 coarse:min-w-11 coarse:justify-center">
      <ArrowUpDown aria-hidden="true" size={14} strokeWidth={1.75} className="shrink-0" />
      <span aria-hidden="true" className="@max-[440px]:hidden">
        {SORTS.find((option) => option.sort === sort)?.label}
      </span>
      <select
        aria-label={t('Sort conversations')}
        title={t('Sort conversations')}
        value={sort}
        disabled={filter === 'needs_reply'}
        onChange={({ target }) => change({ sort: target.value as InboxSort })}
        className="absolute inset-0 z-10 size-full appearance-none opacity-0"
      >
        {SORTS.map((option) => (
          <option key={option.sort} value={option.sort} className="bg-surface text-fg">
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}
