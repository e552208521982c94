import type { StaffNote } from '@stagedoor/contract/staff-notes';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { Thread as ThreadData } from './cache.ts';
import { EndButton } from './end-button.tsx';
import { type MessageHandlers, MessageRow } from './message-row.tsx';
import type { NoteRowState } from './note-parts.ts';
import type { Outbox } from './outbox.ts';
import { Divider } from './thread-divider.tsx';
import { firstUnread, type ThreadRow, threadRows } from './thread-rows.ts';
import { useHighlight } from './use-highlight.ts';
import { useThreadScroll } from './use-thread-scroll.ts';

/** What the pane can ask of its thread. */
export interface ThreadControls {
  scrollToEnd: () => void;
  /** Shows a message and highlights it. */
  showMessage: (id: string) => void;
  /** Shows a note and highlights it, loading older messages where needed. */
  showNote: (id: string) => void;
  /** The message that has the focus, else the newest; null without messages. */
  currentMessageId: () => string | null;
}

export interface ThreadProps {
  thread: ThreadData;
  /** What staff noted among the messages. */
  notes: readonly StaffNote[];
  /** Some of them are on their way. */
  isAwaitingNotes: boolean;
  noteRow: (note: StaffNote, state: NoteRowState) => ReactNode;
  onEditNote: (note: StaffNote) => void;
  outbox: Outbox;
  /** How many of the fan's messages staff have not read. */
  unreadCount: number;
  myId: string;
  fanName: string;
  canWrite: boolean;
  handlers: Omit<MessageHandlers, 'onOpenQuote'>;
  /** The message whose menu is open, or null. */
  menuOf: string | null;
  /** Loads the page before; whether that succeeded. */
  loadOlder: () => Promise<boolean>;
  isLoadingOlder: boolean;
  olderError: string | null;
  onAtEnd: (isAtEnd: boolean) => void;
  /** A message that is to be shown is not among these. */
  onMissing: (messageId: string) => void;
  /** The message at which it opens, where it is not the newest ones that are shown. */
  around?: Around;
  ref: Ref<ThreadControls>;
}

interface Around {
  messageId: string;
  /** The end of what is loaded is near. */
  onNearEnd: (isAtEnd: boolean) => void;
  /** Shows the newest messages again. */
  onBack: () => void;
}

/** The messages of a conversation. */
export function Thread(props: ThreadProps) {
  const {
    thread,
    notes,
    isAwaitingNotes,
    noteRow,
    onEditNote,
    outbox,
    unreadCount,
    myId,
    fanName,
    canWrite,
    handlers,
    menuOf,
    loadOlder,
    isLoadingOlder,
    olderError,
    onAtEnd,
    onMissing,
    around,
    ref,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // Where the unread ones began when the conversation was opened; it stays there while they are being read.
  const [firstUnreadId] = useState(() => firstUnread(thread, unreadCount));
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const rows = useMemo(
    () =>
      threadRows({
        messages: thread.messages,
        notes,
        hasMore: thread.has_more,
        outbox,
        firstUnreadId,
        myId,
      }),
    [thread.messages, notes, thread.has_more, outbox, firstUnreadId, myId],
  );
  const { virtualizer, isAtEnd, scrollToRow } = useThreadScroll({
    rows,
    scroller,
    keptKey: focusedKey,
    onNearStart: () => {
      if (thread.has_more && !isLoadingOlder && olderError === null) void loadOlder();
    },
    onNearEnd: around?.onNearEnd,
  });
  useEffect(() => onAtEnd(isAtEnd), [onAtEnd, isAtEnd]);
  const newCount = useNewCount(thread, isAtEnd);
  const { highlightedKey, showMessage, showNote } = useHighlight({
    rows,
    scrollToRow,
    hasMore: thread.has_more,
    isAwaitingNotes,
    loadOlder,
    firstId: around?.messageId ?? null,
    onMissing,
  });
  const handlersWithQuote = useMemo(
    () => ({ ...handlers, onOpenQuote: showMessage }),
    [handlers, showMessage],
  );

  const tabStop = focusedKey ?? rows.findLast(isMessage)?.key ?? null;
  useImperativeHandle(ref, () => ({
    scrollToEnd: () => (around ? around.onBack() : virtualizer.scrollToEnd()),
    showMessage,
    showNote,
    currentMessageId: () => {
      const current = rows.find((row) => row.key === focusedKey);
      return current?.kind === 'message'
        ? current.message.id
        : (thread.messages.at(-1)?.id ?? null);
    },
  }));

  const focusRow = useCallback(
    (index: number) => {
      const key = rows[index]?.key;
      if (key === undefined) return;
      setFocusedKey(key);
      scrollToRow(index, 'auto');
      const focusIfRendered = () => {
        const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
        row?.focus({ preventScroll: true });
        return Boolean(row);
      };
      if (focusIfRendered()) return;
      // It is by the scrolling that it gets rendered. Whoever went elsewhere meanwhile is not called back.
      requestAnimationFrame(() => {
        const { activeElement, body } = document;
        if (activeElement === body || scroller.current?.contains(activeElement)) focusIfRendered();
      });
    },
    [rows, scrollToRow],
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const from = rows.findIndex(({ key }) => key === (event.target as HTMLElement).dataset.row);
    if (from === -1 || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = rowFor(event.key, from, rows);
    if (to === null) return;
    event.preventDefault();
    focusRow(to);
  };

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        className="flex h-full flex-col overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        {/* Rows come and go with scrolling: read aloud is only what is new, by the region below. */}
        <div
          role="log"
          aria-label={t('Conversation with {name}', { name: fanName })}
          aria-live="off"
          aria-busy={isLoadingOlder}
          onKeyDown={onKeyDown}
          onFocus={(event) =>
            setFocusedKey((event.target as HTMLElement).closest('article')?.dataset.row ?? null)
          }
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) setFocusedKey(null);
          }}
          ref={virtualizer.containerRef}
          className="relative mx-auto mt-auto w-full max-w-[760px] shrink-0"
        >
          {virtualizer.getVirtualItems().map(({ index, key }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  data-index={index}
                  ref={virtualizer.measureElement}
                  className="absolute top-0 start-0 w-full"
                >
                  {isMessage(row) ? (
                    <MessageRow
                      row={row}
                      myId={myId}
                      fanName={fanName}
                      canWrite={canWrite}
                      isHighlighted={highlightedKey === row.key}
                      isMenuOpen={row.kind === 'message' && row.message.id === menuOf}
                      isTabStop={tabStop === row.key}
                      handlers={handlersWithQuote}
                    />
                  ) : row.kind === 'note' ? (
                    noteRow(row.note, {
                      rowKey: row.key,
                      isHighlighted: highlightedKey === row.key,
                      isTabStop: tabStop === row.key,
                      onEdit: onEditNote,
                    })
                  ) : (
                    <Divider row={row} />
                  )}
                </div>
              )
            );
          })}
        </div>
      </div>
      {(isLoadingOlder || olderError !== null) && (
        <div className="absolute inset-x-0 top-2 flex justify-center">
          <div
            role={olderError === null ? 'status' : 'alert'}
            className="flex items-center gap-2 rounded-full border border-line bg-surface px-3 py-1 text-meta text-fg-2 shadow-overlay"
          >
            {olderError ?? (
              <>
                <Spinner /> {t('Loading older messages...')}
              </>
            )}
            {olderError !== null && (
              <Button size="small" variant="ghost" onClick={() => void loadOlder()}>
                {t('Retry')}
              </Button>
            )}
          </div>
        </div>
      )}
      {around && <EndButton text={t('Back to newest')} isMarked onPress={around.onBack} />}
      {!around && !isAtEnd && (
        <EndButton
          text={
            newCount > 0 ? t('{count, plural, one {# new} other {# new}}', { count: newCount }) : ''
          }
          label={
            newCount > 0
              ? t(
                  '{count, plural, one {# new, scroll to the newest message} other {# new, scroll to the newest message}}',
                  { count: newCount },
                )
              : t('Scroll to the newest message')
          }
          isMarked={newCount > 0}
          onPress={() => virtualizer.scrollToEnd({ behavior: 'auto' })}
        />
      )}
      <p aria-live="polite" className="sr-only">
        {!around && newestFromFan(thread, fanName)}
      </p>
    </div>
  );
}

function isMessage(row: ThreadRow): row is Extract<ThreadRow, { kind: 'message' | 'pending' }> {
  return row.kind === 'message' || row.kind === 'pending';
}

/** The message or note to which a key leads from another one; null for keys that lead nowhere. */
function rowFor(key: string, from: number, rows: readonly ThreadRow[]): number | null {
  const indexes = rows.flatMap((row, index) =>
    isMessage(row) || row.kind === 'note' ? [index] : [],
  );
  const at = indexes.indexOf(from);
  const targets: Record<string, number | undefined> = {
    ArrowUp: indexes[Math.max(0, at - 1)],
    ArrowDown: indexes[at + 1] ?? from,
    Home: indexes[0],
    End: indexes.at(-1),
  };
  return targets[key] ?? null;
}

/** How many messages came since the end was last in view. */
function useNewCount(thread: ThreadData, isAtEnd: boolean): number {
  const newest = thread.messages.at(-1)?.seq ?? 0;
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  return isAtEnd ? 0 : thread.messages.filter(({ seq }) => seq > seen).length;
}

function newestFromFan({ messages }: ThreadData, fanName: string): string {
  const last = messages.at(-1);
  return last && last.author === null ? `${fanName}: ${last.content}` : '';
}
