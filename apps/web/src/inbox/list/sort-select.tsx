import type { InboxSort } from '@stagedoor/contract/inbox/conversations';
import { ArrowUpDown } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { Select } from '../../ui/form/select.tsx';
import { useChangeInbox, useInboxState } from './inbox-state.tsx';

const SORTS: readonly { sort: InboxSort; label: string }[] = [
  { sort: 'unread_first', label: t('Unread first') },
  { sort: 'newest', label: t('Newest') },
  { sort: 'longest_waiting', label: t('Longest waiting') },
];

/** Selects the sort order of the list. Its line has no room for a chevron, and in a narrow list only for the icon. */
export function SortSelect() {
  const { sort, filter } = useInboxState().params;
  const change = useChangeInbox();
  return (
    <Select
      icon={ArrowUpDown}
      isQuiet
      aria-label={t('Sort conversations')}
      title={t('Sort conversations')}
      value={sort}
      disabled={filter === 'needs_reply'}
      onChange={({ target }) => change({ sort: target.value as InboxSort })}
      className="shrink-0 *:last:hidden [&>select]:pe-2 @max-[440px]:w-8 @max-[440px]:[&>select]:pe-0 @max-[440px]:[&>select]:text-transparent coarse:min-w-11"
    >
      {SORTS.map((option) => (
        <option key={option.sort} value={option.sort}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}
