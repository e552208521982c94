import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { Teammate } from '@stagedoor/contract/messaging/mentions';
import { ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useInboxState } from '../../inbox/list/inbox-state.tsx';
import { ListEmpty, ListEnd, ListLoading } from '../../inbox/list/list-status.tsx';
import { offsetsOf, rowHeight } from '../../inbox/list/row-window.ts';
import type { InboxSource } from '../../inbox/list/use-inbox-source.ts';
import { useRovingRows } from '../../inbox/list/use-roving-rows.ts';
import { useRowWindow } from '../../inbox/list/use-row-window.ts';
import { useHold, useShownRows } from '../../inbox/list/use-shown-rows.ts';
import { useCommands } from '../../lib/commands.ts';
import { useDensity } from '../../lib/density.ts';
import { isComposing, isTextField } from '../../lib/keyboard.ts';
import { FINE_POINTER_QUERY } from '../../lib/media-query.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { useCached } from '../../lib/server/use-cached.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ConversationRow, RowContext } from './conversation-row.tsx';
import { useConversationPath, useOpenId } from './use-open-conversation.ts';
import { usePins } from './use-pins.ts';

interface ConversationListProps {
  source: InboxSource;
  live: readonly Conversation[];
  /** The scrolling element. */
  scroller: RefObject<HTMLElement | null>;
  /** Returns the height in pixels of the sticky bars that cover the top of `scroller`. */
  stickyHeight: () => number;
}

/** The conversations as links. Only those in view are rendered. The list is a single tab stop. */
export function ConversationList({ source, live, scroller, stickyHeight }: ConversationListProps) {
  const { listKey, searched, filter } = useInboxState();
  const selectedId = useOpenId();
  const linkTo = useConversationPath();
  const selected = useCached<Conversation>(['conversation', selectedId ?? '']) ?? null;
  const pins = usePins();
  const list = useRef<HTMLUListElement>(null);
  const now = useNow();
  const navigate = useNavigate();
  const { held, release, handlers } = useHold();
  const { rows, ids, tagged, updates } = useShownRows({
    live,
    listKey,
    held,
    selectedId,
    selected,
  });
  const isCompact = useDensity() === 'compact';
  const offsets = useMemo(
    () => offsetsOf(tagged.map((hasTags) => rowHeight(isCompact, hasTags))),
    [tagged, isCompact],
  );
  const { loadMore: onNearEnd, isRetrying: isFetching } = source;
  const range = useRowWindow({ scroller, list, listKey, ids, offsets, onNearEnd, isFetching });
  const roving = useRovingRows({ scroller, list, ids, offsets, selectedId, stickyHeight });
  const codenames = useCodenames();
  const showsWait = filter === 'needs_reply' && searched === null;
  const common = useMemo(
    () => ({ linkTo, isCompact, now, searched, codenames, showsWait }),
    [linkTo, isCompact, now, searched, codenames, showsWait],
  );

  const openNeighbour = (step: number) => {
    const index = selectedId === null ? -1 : ids.indexOf(selectedId);
    const target = index === -1 ? 0 : index + step;
    const id = ids[target];
    if (id === undefined) return;
    const { activeElement } = document;
    // If a reply is being typed, the focus goes to the text field of the next conversation.
    const focusComposer = activeElement instanceof HTMLTextAreaElement;
    if (isTextField(activeElement)) roving.reveal(target);
    else roving.focusRow(target);
    void navigate(linkTo(id), { state: { focusComposer } });
  };
  const showUpdates = () => {
    if (scroller.current) scroller.current.scrollTop = 0;
    release();
  };
  const command = { section: t('Inbox'), repeats: true, enabled: ids.length > 0 };
  useCommands([
    {
      ...command,
      id: 'row.next',
      title: t('Move Down'),
      keys: ['j'],
      run: () => roving.move(1),
      keysOnly: true,
    },
    {
      ...command,
      id: 'row.previous',
      title: t('Move Up'),
      keys: ['k'],
      run: () => roving.move(-1),
      keysOnly: true,
    },
    {
      ...command,
      id: 'conversation.next',
      title: t('Next Conversation'),
      keys: ['Alt+ArrowDown'],
      run: () => openNeighbour(1),
    },
    {
      ...command,
      id: 'conversation.previous',
      title: t('Previous Conversation'),
      keys: ['Alt+ArrowUp'],
      run: () => openNeighbour(-1),
    },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    handlers.onKeyDown();
    if (isComposing(event.nativeEvent) || event.altKey || event.ctrlKey || event.metaKey) return;
    const act = listKeys[event.key];
    if (!act) return;
    // Buttons inside the list handle Enter themselves.
    if (event.key === 'Enter' && !isRow(event.target)) return;
    act();
    event.preventDefault();
  };
  const listKeys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => roving.move(1),
    ArrowUp: () => roving.move(-1),
    Home: () => roving.focusRow(0),
    End: () => roving.focusRow(ids.length - 1),
    Enter: () => {
      const id = ids[roving.activeIndex];
      const focusComposer = window.matchMedia(FINE_POINTER_QUERY).matches;
      if (id !== undefined) void navigate(linkTo(id), { state: { focusComposer } });
    },
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows are the controls; the handlers only observe their events
    <div {...handlers} onKeyDown={onKeyDown} className="relative">
      {updates > 0 && <UpdatesPill count={updates} top={stickyHeight()} onClick={showUpdates} />}
      <RowContext value={common}>
        <ul
          ref={list}
          aria-label={t('Conversations')}
          className="@container relative"
          style={{ height: offsets.at(-1) ?? 0 }}
        >
          {drawn(range, roving.activeIndex).map((index) => {
            const conversation = rows[index];
            if (!conversation) return null;
            const { id } = conversation;
            const top = offsets[index] ?? 0;
            const isPassing = range.passing.has(id);
            return (
              <li
                key={id}
                aria-posinset={index + 1}
                aria-setsize={rows.length}
                className={classes(
                  'absolute inset-x-0 contain-strict has-[[aria-checked=true]]:bg-selected',
                  !isPassing && 'group/row',
                )}
                style={{ top, height: (offsets[index + 1] ?? top) - top }}
              >
                <ConversationRow
                  conversation={conversation}
                  isSelected={id === selectedId}
                  isTabStop={index === roving.activeIndex}
                  isPassing={isPassing}
                  isPinned={pins.some((pinned) => pinned.id === id)}
                />
              </li>
            );
          })}
        </ul>
      </RowContext>
      {rows.length > 0 || source.errorText !== null ? (
        <ListEnd source={source} count={live.length} />
      ) : source.hasMore ? (
        <ListLoading />
      ) : (
        <ListEmpty />
      )}
    </div>
  );
}

const isRow = (target: EventTarget) =>
  target instanceof HTMLElement && target.dataset.row !== undefined;

/** Returns the indices of the rows to render: the rows in the window, plus the tab stop if it is outside. */
function drawn({ first, end }: { first: number; end: number }, tabStop: number): number[] {
  const rows = tabStop < first ? [tabStop] : [];
  for (let row = first; row < end; row += 1) rows.push(row);
  if (tabStop >= end) rows.push(tabStop);
  return rows;
}

function UpdatesPill({ count, top, onClick }: { count: number; top: number; onClick: () => void }) {
  return (
    <div
      className="pointer-events-none sticky z-10 flex h-0 justify-center"
      style={{ top: top + 8 }}
    >
      <Button
        variant="primary"
        size="small"
        onClick={onClick}
        icon={<ArrowUp size={14} strokeWidth={2} />}
        className="pointer-events-auto animate-overlay rounded-full! shadow-overlay"
      >
        {t('{count, plural, one {# update} other {# updates}}', { count })}
      </Button>
    </div>
  );
}

/** Returns active staff's codenames by id; null for the viewer. The lazy tools fetch them after the first rows have rendered. */
function useCodenames(): ReadonlyMap<string, string | null> {
  const { id } = useAdmin();
  const teammates = useCached<readonly Teammate[]>(['teammates']);
  return useMemo(() => {
    const names = new Map<string, string | null>(
      teammates?.map((each) => [each.id, each.codename]),
    );
    return names.set(id, null);
  }, [id, teammates]);
}
