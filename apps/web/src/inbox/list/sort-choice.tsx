import type { InboxSort } from '@stagedoor/contract/inbox/conversations';
import { Check } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { useChangeInbox, useInboxState } from './inbox-state.tsx';

const SORTS: readonly { sort: InboxSort; label: string }[] = [
  { sort: 'unread_first', label: t('Unread first') },
  { sort: 'newest', label: t('Newest') },
  { sort: 'longest_waiting', label: t('Longest waiting') },
];

/** Chooses the sort order of the list. 'Needs reply' has a fixed order. */
export function SortChoice() {
  const { sort, filter } = useInboxState().params;
  const change = useChangeInbox();
  return (
    <fieldset disabled={filter === 'needs_reply'} className="mb-1 border-b border-line pb-1">
      <legend className="px-2 py-1 text-meta text-fg-3">{t('Sort conversations')}</legend>
      {SORTS.map((option) => (
        <label
          key={option.sort}
          className="group flex min-h-8 cursor-pointer items-center gap-2 rounded-chip px-2 transition-colors duration-80 hover:bg-hover has-disabled:text-fg-3 has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent-text coarse:min-h-11"
        >
          <input
            type="radio"
            name="sort"
            checked={sort === option.sort}
            onChange={() => change({ sort: option.sort })}
            className="sr-only"
          />
          <Check className="invisible text-accent-text group-has-checked:visible" />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
