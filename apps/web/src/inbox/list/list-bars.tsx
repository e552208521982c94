import { SEARCH_LIMIT } from '@stagedoor/contract/inbox/conversations';
import { MESSAGE_SEARCH_MIN_CHARS } from '@stagedoor/contract/inbox/message-search';
import { TextSearch } from 'lucide-react';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { t } from '../../lib/text/i18n.ts';
import { TagFilterBar } from './tag-filter-bar.tsx';

export interface ListBarsProps {
  /** What was searched for; null outside of a search. */
  searched: string | null;
  /** Rows that the search found. */
  found: number;
  tag: TagFilter | null;
  onRemoveTag: () => void;
  /** Looks for a text in all messages. */
  onSearchMessages: (text: string) => void;
}

/** Above the rows: what they were chosen by, and what it found. */
export function ListBars({ searched, found, tag, onRemoveTag, onSearchMessages }: ListBarsProps) {
  if (searched === null) return tag && <TagFilterBar tag={tag} onRemove={onRemoveTag} />;
  return (
    <>
      {found > 0 && <SearchCount count={found} />}
      {searched.length >= MESSAGE_SEARCH_MIN_CHARS && (
        <SearchMessages text={searched} onSearch={onSearchMessages} />
      )}
    </>
  );
}

/** How much a search found: it looks through everything, whichever tab was open. */
function SearchCount({ count }: { count: number }) {
  const found =
    count >= SEARCH_LIMIT
      ? t('The newest {count} results in all conversations', { count })
      : t(
          '{count, plural, one {# result in all conversations} other {# results in all conversations}}',
          { count },
        );
  return (
    <p role="status" className="border-b border-line bg-surface-2 px-3 py-1.5 text-meta text-fg-2">
      {found}
    </p>
  );
}

interface SearchMessagesProps {
  text: string;
  onSearch: (text: string) => void;
}

/** Above what was found: leads on to the search of every message. */
function SearchMessages({ text, onSearch }: SearchMessagesProps) {
  return (
    <button
      type="button"
      onClick={() => onSearch(text)}
      className="flex h-9 w-full items-center gap-2 border-b border-line px-3 text-start text-control text-accent-text transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:h-11"
    >
      <TextSearch aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
      <span className="truncate">{t('Search all messages for “{text}”', { text })}</span>
    </button>
  );
}
