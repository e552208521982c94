import type { InboxFilter } from '@stagedoor/contract/inbox/conversations';
import { type RefObject, useRef } from 'react';
import { FILTER_TABS, FilterTabs, tabId } from '../../inbox/list/filter-tabs.tsx';
import { useChangeInbox, useInboxState } from '../../inbox/list/inbox-state.tsx';
import { useCommands } from '../../lib/commands.ts';
import { useIsSplit } from '../../lib/media-query.ts';
import { t } from '../../lib/text/i18n.ts';
import { SearchField } from '../../ui/form/search-field.tsx';
import { useInboxTools } from './use-inbox-tools.ts';
import { useOpenId } from './use-open-conversation.ts';

interface ListControlsProps {
  /** The id of the panel with the list. */
  panelId: string;
  /** The element that contains the list. */
  scroller: RefObject<HTMLElement | null>;
}

/** The search, the tabs and the saved views, with their shortcuts. */
export function ListControls({ panelId, scroller }: ListControlsProps) {
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
    // The focused row may leave the list.
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
    <div className="px-3 pt-1">
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
      />
      <div className="@container -mx-2 flex items-center overflow-x-auto border-b border-line [scrollbar-width:none]">
        <FilterTabs panelId={panelId} />
        {tools && <tools.SavedViews />}
      </div>
    </div>
  );
}
