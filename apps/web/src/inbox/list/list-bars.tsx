import { SEARCH_LIMIT } from '@stagedoor/contract/inbox/conversations';
import { MESSAGE_SEARCH_MIN_CHARS } from '@stagedoor/contract/inbox/message-search';
import { TextSearch } from 'lucide-react';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { t } from '../../lib/text/i18n.ts';
import { TagFilterBar } from './tag-filter-bar.tsx';

export interface ListBarsProps {
  /** The search text; null outside a search. */
  searched: string | null;
  /** The number of rows found. */
  found: number;
  tag: TagFilter | null;
  onRemoveTag: () => void;
  /** Searches all messages for a text. */
  onSearchMessages: (text: string) => void;
}

/** The bars above the rows: the active tag filter, or the search and its number of results. */
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

/** The number of results. The search covers all conversations, whichever tab is open. */
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

/** Continues a search in all messages. */
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
