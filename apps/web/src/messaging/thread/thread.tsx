import { useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { MessageRow } from '../bubble/message-row.tsx';
import type { Thread as ThreadData } from '../messages/cache.ts';
import { textOrStandIn } from '../messages/message-text.ts';
import { firstUnread, threadRows } from '../messages/thread-rows.ts';
import { EndButton, NewestButton } from './end-button.tsx';
import { OlderStatus } from './older-status.tsx';
import { Divider } from './thread-divider.tsx';
import type { ThreadProps } from './thread-props.ts';
import { useHighlight } from './use-highlight.ts';
import { useNewCount } from './use-new-count.ts';
import { isMessage, useRowKeys } from './use-row-keys.ts';
import { useThreadScroll } from './use-thread-scroll.ts';

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
  // The divider stays where the unread messages began when the conversation was opened.
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
  const newCount = useNewCount(thread, isAtEnd, myId);
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
  const onKeyDown = useRowKeys({ rows, scroller, scrollToRow, onFocus: setFocusedKey });

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        className="flex h-full flex-col overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        {/* Rows mount and unmount while scrolling, so only the region below announces new messages. */}
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
                  className="absolute top-0 start-0 isolate w-full"
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
        <OlderStatus error={olderError} onRetry={() => void loadOlder()} />
      )}
      {around && <EndButton text={t('Back to Newest')} isMarked onPress={around.onBack} />}
      {!around && !isAtEnd && (
        <NewestButton
          newCount={newCount}
          onPress={() => virtualizer.scrollToEnd({ behavior: 'auto' })}
        />
      )}
      <p aria-live="polite" className="sr-only">
        {!around && <NewestFromFan thread={thread} fanName={fanName} />}
      </p>
    </div>
  );
}

/** Announces the fan's newest message to screen readers. The key makes a message with the same text announce again. */
function NewestFromFan({ thread, fanName }: { thread: ThreadData; fanName: string }) {
  const last = thread.messages.at(-1);
  if (!last || last.author !== null) return null;
  return <span key={last.id}>{`${fanName}: ${textOrStandIn(last)}`}</span>;
}
