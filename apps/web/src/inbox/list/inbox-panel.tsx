import type { Conversation, InboxFilter } from '@stagedoor/contract/inbox/conversations';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { useCommands } from '../../lib/commands.ts';
import { useIsSplit } from '../../lib/media-query.ts';
import { t } from '../../lib/text/i18n.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { SearchField } from '../../ui/form/search-field.tsx';
import { withPins } from './cache.ts';
import { ConversationList } from './conversation-list.tsx';
import type { DraftMark, FanMark, QueueMarks } from './conversation-row.tsx';
import { FILTER_TABS, FilterTabs, tabId } from './filter-tabs.tsx';
import { type InboxActions, InboxHeader } from './inbox-header.tsx';
import type { ListBarsProps } from './list-bars.tsx';
import { ListEmpty, ListEnd, ListLoading } from './list-status.tsx';
import { FIRST_LIST, type InboxListParams, inboxStatsOptions, searchQueryOf } from './queries.ts';
import { SortSelect } from './sort-select.tsx';
import { useInboxList, useInboxSearch } from './use-inbox-source.ts';

/** Milliseconds without typing before the search starts. */
const SEARCH_DELAY_MS = 200;
/** The size of the lazy tools, so that nothing shifts when they load. */
const TOOL_PLACE = 'size-8 shrink-0 coarse:size-11';

/** The parts of other features that the panel shows among its controls and in its rows. */
export interface InboxTools {
  queueMarks: QueueMarks;
  /** The saved views, next to the sort control. @param onChoose shows a view */
  viewsControl: (
    state: InboxListParams & { search: string },
    onChoose: (view: InboxListParams & { search: string }) => void,
  ) => ReactNode;
  /** The actions for selected rows, below the controls. */
  bulkBar: (rows: readonly Conversation[], listKey: string) => ReactNode;
  /** The bars above the rows, which explain what the list contains. */
  listBars: (state: ListBarsProps) => ReactNode;
  /** The button next to the search that filters for conversations that need a reply. */
  queueToggle: (isOn: boolean, onToggle: () => void) => ReactNode;
  /** The tag filter, next to the sort control. */
  tagControl: (onChoose: (tag: TagFilter) => void) => ReactNode;
}

export interface InboxPanelProps {
  selectedId: string | null;
  /** The newest known version of the selected conversation. */
  selected: Conversation | null;
  /** Returns the path of a conversation. */
  linkTo: (id: string) => string;
  actions: InboxActions;
  draftMark: DraftMark;
  fanMark: FanMark;
  /** The lazy parts, which load after the first rows; null until then. */
  tools: InboxTools | null;
  /** The admin's pinned conversations, shown at the top of the tabs. */
  pins: readonly Conversation[];
  adminId: string;
  settings: ReactNode;
  /** Shown below the header: tasks for the admin. */
  notice: ReactNode;
  /** The tag to filter by, or null. */
  tag: TagFilter | null;
  onTagChange: (tag: TagFilter | null) => void;
  /** Searches all messages for a text. */
  onSearchMessages: (text: string) => void;
}

/** The shared inbox: its header, filters and list. */
export function InboxPanel(props: InboxPanelProps) {
  const { selectedId, selected, linkTo, actions, settings, tools, tag, onTagChange } = props;
  const [filter, setFilter] = useState(FIRST_LIST.filter);
  const [sort, setSort] = useState(FIRST_LIST.sort);
  const [text, setText] = useState('');
  const settledText = useDebounced(text, SEARCH_DELAY_MS);
  // A text that is too short ends the search immediately; a longer one starts it when typing pauses.
  const searched = searchQueryOf(text) && searchQueryOf(settledText);
  const { data: stats } = useQuery(inboxStatsOptions);
  const isQueue = filter === 'needs_reply';
  const params = {
    filter,
    sort: isQueue ? ('longest_waiting' as const) : sort,
    tag: tag?.tag ?? null,
  };
  const list = useInboxList(params, searched === null);
  const search = useInboxSearch(searched);
  const source = searched === null ? list : search;
  const { adminId, pins } = props;
  const rows = useMemo(
    () =>
      searched === null && !isQueue
        ? withPins(source.rows, pins, { filter, sort, tag: tag?.tag ?? null, adminId })
        : source.rows,
    [searched, isQueue, source.rows, pins, filter, sort, tag, adminId],
  );

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
  const showView = (view: InboxListParams & { search: string }) => {
    setFilter(view.filter);
    setSort(view.sort);
    setText(view.search);
    onTagChange(view.tag === null ? null : { tag: view.tag, label: view.tag, color: null });
  };
  const listKey = searched === null ? Object.values(params).join(' ') : `search ${searched}`;
  const intoList = () =>
    scroller.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus();
  const changeFilterByKey = (next: InboxFilter) => {
    const isInList = scroller.current?.contains(document.activeElement);
    changeFilter(next);
    // The focused row may disappear.
    if (isInList) document.getElementById(tabId(next))?.focus();
  };
  const enabled = isSplit || selectedId === null;
  useCommands([
    {
      id: 'search',
      title: t('Search Conversations'),
      section: t('Inbox'),
      keys: ['/'],
      enabled,
      run: () => {
        searchBox.current?.focus();
        searchBox.current?.select();
      },
    },
    ...FILTER_TABS.map(({ filter: tab, label }, index) => ({
      id: tab,
      title: label,
      section: t('Show'),
      keys: [String(index + 1)],
      run: () => changeFilterByKey(tab),
      enabled,
    })),
  ]);

  const panelName =
    searched === null && !isQueue
      ? { 'aria-labelledby': tabId(filter) }
      : { 'aria-label': isQueue && searched === null ? t('Needs reply') : t('Search results') };
  const header = (
    <>
      <InboxHeader actions={actions} stats={stats} settings={settings} />
      {props.notice}
    </>
  );
  const controlBar = (
    <div ref={controls} className="sticky top-0 z-20 border-b border-line bg-surface px-3 pt-2.5">
      <div className="flex gap-1">
        <SearchField
          className="min-w-0 flex-1"
          ref={searchBox}
          label={t('Search Conversations')}
          placeholder={t('Search by name or message...')}
          shortcut="/"
          text={text}
          onChange={setText}
          onLeave={intoList}
        />
        <span className={TOOL_PLACE}>
          {tools?.queueToggle(isQueue && searched === null, () =>
            changeFilter(isQueue && searched === null ? 'unread' : 'needs_reply'),
          )}
        </span>
        <span className={TOOL_PLACE}>
          {tools?.viewsControl({ ...params, search: text }, showView)}
        </span>
      </div>
      <div className="@container -mx-2 mt-1 flex items-center justify-between">
        <FilterTabs
          filter={searched === null && !isQueue ? filter : null}
          onChange={changeFilter}
          stats={stats}
          panelId={panelId}
        />
        <span className="flex shrink-0">
          <span className={TOOL_PLACE}>{tools?.tagControl(onTagChange)}</span>
          <SortSelect sort={params.sort} onChange={setSort} isFixed={isQueue} />
        </span>
      </div>
      {tools?.bulkBar(rows, listKey)}
    </div>
  );
  return (
    <section aria-label={t('Inbox')} className="flex h-full min-h-0 flex-col bg-surface">
      {isSplit && header}
      {isSplit && controlBar}
      <div
        ref={scroller}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        {!isSplit && header}
        {!isSplit && controlBar}
        <div id={panelId} role="tabpanel" {...panelName} aria-busy={source.phase === 'loading'}>
          {tools?.listBars({
            searched,
            found: source.rows.length,
            tag,
            onRemoveTag: () => onTagChange(null),
            onSearchMessages: props.onSearchMessages,
          })}
          {source.phase === 'loading' && <ListLoading />}
          {source.phase === 'failed' && (
            <ListEnd source={source} count={0} isSearch={searched !== null} />
          )}
          {source.phase === 'ready' && (
            <ConversationList
              listKey={listKey}
              rows={rows}
              selectedId={selectedId}
              selected={selected}
              linkTo={linkTo}
              scroller={scroller}
              stickyHeight={() => (isSplit ? 0 : (controls.current?.offsetHeight ?? 0))}
              searched={searched}
              draftMark={props.draftMark}
              fanMark={props.fanMark}
              queueMarks={tools?.queueMarks ?? null}
              pins={pins}
              tellsWait={isQueue && searched === null}
              onNearEnd={source.loadMore}
              isFetching={source.isRetrying}
              end={(count) => (
                <ListEnd source={source} count={count} isSearch={searched !== null} />
              )}
              empty={
                <ListEmpty
                  searched={searched}
                  onViewAll={viewAll}
                  {...(isQueue && { reason: t('No one is waiting for a reply.') })}
                />
              }
            />
          )}
        </div>
      </div>
    </section>
  );
}
