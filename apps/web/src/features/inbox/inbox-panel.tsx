import type { Conversation, InboxFilter, InboxSort } from '@stagedoor/contract/conversations';
import { MESSAGE_SEARCH_MIN_CHARS } from '@stagedoor/contract/message-search';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { useIsSplit } from '../../lib/media-query.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { ConversationList } from './conversation-list.tsx';
import type { DraftMark, FanMark } from './conversation-row.tsx';
import { FILTER_TABS, FilterTabs, tabId } from './filter-tabs.tsx';
import { type InboxActions, InboxHeader } from './inbox-header.tsx';
import { ListEmpty, ListEnd, ListLoading, SearchCount, SearchMessages } from './list-status.tsx';
import { inboxStatsOptions, searchQueryOf, type TagFilter } from './queries.ts';
import { SortSelect } from './sort-select.tsx';
import { TagFilterBar } from './tag-filter-bar.tsx';
import { useInboxList, useInboxSearch } from './use-inbox-source.ts';

/** Typing goes on for this long before what was typed is searched for. */
const SEARCH_DELAY_MS = 200;

interface InboxPanelProps {
  selectedId: string | null;
  /** The newest that is known of the selected conversation. */
  selected: Conversation | null;
  /** Where a conversation opens. */
  linkTo: (id: string) => string;
  actions: InboxActions;
  draftMark: DraftMark;
  fanMark: FanMark;
  settings: ReactNode;
  /** The tag whose carriers alone are listed; null for everyone. */
  tag: TagFilter | null;
  onTagChange: (tag: TagFilter | null) => void;
  /** Looks for a text in all messages. */
  onSearchMessages: (text: string) => void;
  /** Beside the sort control: chooses a tag. */
  tagControl: ReactNode;
}

/** The shared inbox: how it stands, what to list, and the list. */
export function InboxPanel(props: InboxPanelProps) {
  const { selectedId, selected, linkTo, actions, settings, tag, onTagChange } = props;
  const [filter, setFilter] = useState<InboxFilter>('unread');
  const [sort, setSort] = useState<InboxSort>('unread_first');
  const [text, setText] = useState('');
  const settledText = useDebounced(text, SEARCH_DELAY_MS);
  // Too short a text ends the search at once; a longer one starts it when the typing pauses.
  const searched = searchQueryOf(text) && searchQueryOf(settledText);
  const { data: stats } = useQuery(inboxStatsOptions);
  const list = useInboxList({ filter, sort, tag: tag?.tag ?? null }, searched === null);
  const search = useInboxSearch(searched);
  const source = searched === null ? list : search;

  const isSplit = useIsSplit();
  const panelId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const controls = useRef<HTMLDivElement>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const changeFilter = (next: InboxFilter) => {
    setFilter(next);
    setText('');
  };
  const viewAll = filter === 'all' ? null : () => changeFilter('all');
  const intoList = () =>
    scroller.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus();
  useCommands([
    {
      id: 'search',
      title: 'Search conversations',
      section: 'Inbox',
      keys: ['/'],
      run: () => {
        searchBox.current?.focus();
        searchBox.current?.select();
      },
    },
    ...FILTER_TABS.map(({ filter: tab, label }, index) => ({
      id: tab,
      title: label,
      section: 'Show',
      keys: [String(index + 1)],
      run: () => changeFilter(tab),
    })),
  ]);

  const panelName =
    searched === null ? { 'aria-labelledby': tabId(filter) } : { 'aria-label': 'Search results' };
  const header = <InboxHeader actions={actions} stats={stats} settings={settings} />;
  const controlBar = (
    <div ref={controls} className="sticky top-0 z-20 border-b border-line bg-surface px-3 pt-2.5">
      <SearchField
        ref={searchBox}
        label="Search conversations"
        placeholder="Search by name or message..."
        shortcut="/"
        text={text}
        onChange={setText}
        onLeave={intoList}
      />
      <div className="@container -mx-2 mt-1 flex items-center justify-between">
        <FilterTabs
          filter={searched === null ? filter : null}
          onChange={changeFilter}
          stats={stats}
          panelId={panelId}
        />
        <span className="flex shrink-0">
          {props.tagControl}
          <SortSelect sort={sort} onChange={setSort} />
        </span>
      </div>
    </div>
  );
  return (
    <section aria-label="Inbox" className="flex h-full min-h-0 flex-col bg-surface">
      {isSplit && header}
      {isSplit && controlBar}
      <div
        ref={scroller}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        {!isSplit && header}
        {!isSplit && controlBar}
        <div id={panelId} role="tabpanel" {...panelName} aria-busy={source.phase === 'loading'}>
          {searched === null && tag !== null && (
            <TagFilterBar tag={tag} onRemove={() => onTagChange(null)} />
          )}
          {searched !== null && source.rows.length > 0 && (
            <SearchCount count={source.rows.length} />
          )}
          {searched !== null && searched.length >= MESSAGE_SEARCH_MIN_CHARS && (
            <SearchMessages text={searched} onSearch={props.onSearchMessages} />
          )}
          {source.phase === 'loading' && <ListLoading />}
          {source.phase === 'failed' && (
            <ListEnd source={source} count={0} isSearch={searched !== null} />
          )}
          {source.phase === 'ready' && (
            <ConversationList
              listKey={
                searched === null ? `${filter} ${sort} ${tag?.tag ?? ''}` : `search ${searched}`
              }
              rows={source.rows}
              selectedId={selectedId}
              selected={selected}
              linkTo={linkTo}
              scroller={scroller}
              stickyHeight={() => (isSplit ? 0 : (controls.current?.offsetHeight ?? 0))}
              searched={searched}
              draftMark={props.draftMark}
              fanMark={props.fanMark}
              onNearEnd={source.loadMore}
              isFetching={source.isRetrying}
              end={(count) => (
                <ListEnd source={source} count={count} isSearch={searched !== null} />
              )}
              empty={<ListEmpty searched={searched} onViewAll={viewAll} />}
            />
          )}
        </div>
      </div>
    </section>
  );
}
