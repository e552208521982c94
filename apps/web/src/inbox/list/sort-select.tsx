import type { InboxSort } from '@stagedoor/contract/inbox/conversations';
import { ArrowUpDown } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';

const SORTS: readonly { sort: InboxSort; label: string }[] = [
  { sort: 'unread_first', label: t('Unread first') },
  { sort: 'newest', label: t('Newest') },
  { sort: 'longest_waiting', label: t('Longest waiting') },
];

interface SortSelectProps {
  sort: InboxSort;
  onChange: (sort: InboxSort) => void;
  /** Set if the list has only one possible order. */
  isFixed: boolean;
}

/** The sort order of the list: a native select behind an icon. */
export function SortSelect({ sort, onChange, isFixed }: SortSelectProps) {
  const current = SORTS.find((option) => option.sort === sort)?.label;
  return (
    <span
      title={t('Sort: {order}', { order: current ?? '' })}
      className="relative inline-flex size-8 shrink-0 coarse:size-11 items-center justify-center rounded-control text-fg-2 transition-colors duration-80 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent-text has-enabled:hover:bg-hover has-enabled:hover:text-fg"
    >
      <ArrowUpDown aria-hidden="true" size={16} strokeWidth={1.75} />
      {sort !== 'unread_first' && (
        <span className="absolute top-1 end-1 size-1.5 rounded-full bg-accent-text" />
      )}
      <select
        aria-label={t('Sort conversations')}
        value={sort}
        disabled={isFixed}
        onChange={(event) =>
          onChange(SORTS.find((option) => option.sort === event.target.value)?.sort ?? sort)
        }
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
