import { SEARCH_LIMIT } from '@stagedoor/contract/inbox/conversations';
import { MESSAGE_SEARCH_MIN_CHARS } from '@stagedoor/contract/inbox/message-search';
import { TextSearch } from 'lucide-react';
import { runCommand } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';
import { useInboxState } from './inbox-state.tsx';
import { TagFilterBar } from './tag-filter-bar.tsx';

/** The bars above the rows: the active tag filter or, during a search, the number of results and a search in all messages. */
export function ListBars({ found }: { found: number }) {
  const { searched, tag } = useInboxState();
  if (searched === null) return tag && <TagFilterBar tag={tag} />;
  return (
    <>
      {found > 0 && <SearchCount count={found} />}
      {[...searched].length >= MESSAGE_SEARCH_MIN_CHARS && <SearchMessages text={searched} />}
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

/** Continues a search in all messages. */
function SearchMessages({ text }: { text: string }) {
  return (
    <button
      type="button"
      onClick={() => runCommand('search-messages')}
      className="flex h-9 w-full items-center gap-2 border-b border-line px-3 text-start text-control text-accent-text transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:h-11"
    >
      <TextSearch />
      <span className="truncate">{t('Search all messages for “{text}”', { text })}</span>
    </button>
  );
}
