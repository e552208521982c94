import type { InboxFilter } from '@stagedoor/contract/inbox/conversations';
import { type RefObject, useId, useMemo, useRef } from 'react';
import { withPins } from '../../inbox/list/cache.ts';
import { FILTER_TABS, FilterTabs, tabId } from '../../inbox/list/filter-tabs.tsx';
import { useChangeInbox, useInboxState } from '../../inbox/list/inbox-state.tsx';
import { ListEnd, ListLoading } from '../../inbox/list/list-status.tsx';
import { useInboxSource } from '../../inbox/list/use-inbox-source.ts';
import { useCommands } from '../../lib/commands.ts';
import { useIsSplit } from '../../lib/media-query.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { SearchField } from '../../ui/form/search-field.tsx';
import { ConversationList } from './conversation-list.tsx';
import { InboxHeader } from './inbox-header.tsx';
import { useInboxTools } from './use-inbox-tools.ts';
import { useOpenId } from './use-open-conversation.ts';
import { usePins } from './use-pins.ts';

/** The shared inbox: its header, filters and list. */
export function InboxPanel() {
  const { params, searched, listKey } = useInboxState();
  const { id: adminId } = useAdmin();
  const source = useInboxSource(params, searched);
  const pins = usePins();
  const live = useMemo(
    () =>
      searched === null && params.filter !== 'needs_reply'
        ? withPins(source.rows, pins, { ...params, adminId })
        : source.rows,
    [searched, source.rows, pins, params, adminId],
  );
  const tools = useInboxTools();
  const isSplit = useIsSplit();
  const panelId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const controls = useRef<HTMLDivElement>(null);
  const above = (
    <>
      <InboxHeader />
      <div ref={controls} className="sticky top-0 z-20 bg-surface">
        <ListControls panelId={panelId} scroller={scroller} />
        {tools && <tools.BulkBar key={listKey} rows={live} />}
      </div>
    </>
  );
  const panelName =
    searched === null
      ? { 'aria-labelledby': tabId(params.filter) }
      : { 'aria-label': t('Search results') };
  return (
    <section aria-label={t('Inbox')} className="flex h-full min-h-0 flex-col bg-surface">
      {isSplit && above}
      <div
        ref={scroller}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        {!isSplit && above}
        <div id={panelId} role="tabpanel" {...panelName} aria-busy={source.phase === 'loading'}>
          {tools && <tools.SegmentBar />}
          {tools && <tools.ListBars found={source.rows.length} />}
          {source.phase === 'loading' && <ListLoading />}
          {source.phase === 'failed' && <ListEnd source={source} count={0} />}
          {source.phase === 'ready' && (
            <ConversationList
              source={source}
              live={live}
              scroller={scroller}
              stickyHeight={() => (isSplit ? 0 : (controls.current?.offsetHeight ?? 0))}
            />
          )}
        </div>
      </div>
    </section>
  );
}

interface ListControlsProps {
  panelId: string;
  scroller: RefObject<HTMLElement | null>;
}

function ListControls({ panelId, scroller }: ListControlsProps) {
  const { text } = useInboxState();
  const change = useChangeInbox();
  const tools = useInboxTools();
  const searchBox = useRef<HTMLInputElement>(null);
  const isSplit = useIsSplit();
  const openId = useOpenId();
  const isListHidden = !isSplit && openId !== null;
  const changeFilter = (filter: InboxFilter) => {
    const isInList = scroller.current?.contains(document.activeElement);
    change({ filter, text: '' });
    // The focused row may not be in the new list, so the focus moves to the tab.
    if (isInList) document.getElementById(tabId(filter))?.focus();
  };
  useCommands([
    {
      id: 'search',
      title: t('Search Conversations'),
      section: t('Inbox'),
      keys: ['/'],
      enabled: !isListHidden,
      run: () => {
        searchBox.current?.focus();
        searchBox.current?.select();
      },
    },
    ...FILTER_TABS.map(({ filter, label, key }) => ({
      id: filter,
      title: label,
      section: t('Show'),
      keys: [key],
      run: () => changeFilter(filter),
      enabled: !isListHidden,
    })),
  ]);
  return (
    <div className="@container px-3 pt-1">
      <div className="flex gap-2">
        <SearchField
          ref={searchBox}
          label={t('Search Conversations')}
          placeholder={t('Search by name or message...')}
          shortcut="/"
          text={text}
          onChange={(typed) => change({ text: typed })}
          onLeave={() =>
            scroller.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus()
          }
          className="min-w-0 flex-1 *:placeholder:text-control"
        />
        <div className="w-24 @max-[340px]:w-8 @max-[340px]:coarse:w-11">
          {tools && <tools.ListMenu />}
        </div>
      </div>
      <div className="-mx-3 flex items-center overflow-x-auto border-b border-line px-3 [scrollbar-width:none]">
        <FilterTabs panelId={panelId} />
        {tools && <tools.SavedViews />}
      </div>
    </div>
  );
}
