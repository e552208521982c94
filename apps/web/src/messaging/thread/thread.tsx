import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { canUnsend } from '../bubble/message-actions.ts';
import { MessageRow } from '../bubble/message-row.tsx';
import type { Thread as ThreadData } from '../messages/cache.ts';
import { textOrStandIn } from '../messages/message-text.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import type { Outbox } from '../messages/outbox.ts';
import { conversationOptions, tipsOptions } from '../messages/queries.ts';
import { firstUnread, threadRows } from '../messages/thread-rows.ts';
import { NoteRow } from '../staff-notes/note-row.tsx';
import { EndButton, NewestButton } from './end-button.tsx';
import { OlderStatus } from './older-status.tsx';
import { OpenedMenu, OpenedPicture, type OpenMenu } from './opened-message.tsx';
import { Divider } from './thread-divider.tsx';
import { useHighlight } from './use-highlight.ts';
import { unreadFrom, useMarkRead } from './use-mark-read.ts';
import { useNewCount } from './use-new-count.ts';
import type { Older } from './use-older.ts';
import { useRowHandlers } from './use-row-handlers.ts';
import { isMessage, useRowKeys } from './use-row-keys.ts';
import type { useStaffNotes } from './use-staff-notes.ts';
import { useThreadScroll } from './use-thread-scroll.ts';

interface ThreadProps {
  thread: ThreadData;
  outbox: Outbox;
  notes: ReturnType<typeof useStaffNotes>;
  older: Older;
  /** The message to open at, if the newest ones are not shown. */
  around?: Around;
}

/** A message in its context, at which a thread opens. */
interface Around {
  messageId: string;
  hasNewer: boolean;
  /** Called when the end of the loaded messages is near. */
  onNearEnd: (isAtEnd: boolean) => void;
  /** Returns to the newest messages. */
  onBack: () => void;
}

/** The messages of a conversation. */
export function Thread({ thread, outbox, notes, older, around }: ThreadProps) {
  const { id, fanName, thread: controls, writing, jumpTo } = useOpenConversation();
  const admin = useAdmin();
  const { id: myId, permissions } = admin;
  const client = useQueryClient();
  const scroller = useRef<HTMLDivElement>(null);
  // The divider stays where the unread messages began when the conversation was opened.
  const [firstUnreadId] = useState(() =>
    around
      ? null
      : firstUnread(thread, unreadFrom(client.getQueryData(conversationOptions(id).queryKey))),
  );
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [picture, setPicture] = useState<string | null>(null);
  const { data: tips } = useQuery(tipsOptions(id));
  const rows = useMemo(
    () =>
      threadRows({
        messages: thread.messages,
        notes: notes.notes,
        tips: tips ?? [],
        hasMore: thread.has_more,
        hasNewer: around?.hasNewer ?? false,
        outbox,
        firstUnreadId,
        myId,
      }),
    [
      thread.messages,
      notes.notes,
      tips,
      thread.has_more,
      around?.hasNewer,
      outbox,
      firstUnreadId,
      myId,
    ],
  );
  const { virtualizer, isAtEnd, scrollToRow } = useThreadScroll({
    rows,
    scroller,
    keptKey: focusedKey,
    onNearStart: () => {
      if (thread.has_more && !older.isLoading && older.error === null) void older.load();
    },
    onNearEnd: around?.onNearEnd,
  });
  useMarkRead(thread, isAtEnd && !around);
  const newCount = useNewCount(thread, isAtEnd, myId);
  const { highlightedKey, showMessage, showNote } = useHighlight({
    rows,
    scrollToRow,
    hasMore: thread.has_more,
    isAwaitingNotes: notes.isLoading,
    loadOlder: older.load,
    firstId: around?.messageId ?? null,
    onMissing: jumpTo,
  });
  const handlers = useRowHandlers({ setMenu, setPicture, showMessage });

  const editNote = useCallback((note: StaffNote) => writing.current?.editNote(note), [writing]);
  const tabStop = focusedKey ?? rows.findLast(isMessage)?.key ?? null;
  useImperativeHandle(controls, () => ({
    scrollToEnd: () => (around ? around.onBack() : virtualizer.scrollToEnd()),
    showMessage,
    showNote,
  }));
  const last = thread.messages.findLast((message) => canUnsend(message, admin));
  useCommands([
    {
      id: 'reply',
      title: t('Reply to Message'),
      section: t('Conversation'),
      keys: ['r'],
      enabled: permissions.can_manage_messages && thread.messages.length > 0,
      run: () => {
        const focused = rows.find((row) => row.key === focusedKey);
        const message = focused?.kind === 'message' ? focused.message : thread.messages.at(-1);
        if (message?.unsent === null) handlers.onReply(message);
      },
    },
    {
      id: 'unsend',
      title: t('Unsend Last Message'),
      section: t('Conversation'),
      enabled: last !== undefined,
      run: () => last && handlers.onUnsend(last),
    },
  ]);
  const onKeyDown = useRowKeys({ rows, scroller, scrollToRow, onFocus: setFocusedKey });

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        className="flex h-full flex-col overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        {thread.messages.length + outbox.pending.length === 0 && !thread.has_more && (
          <p className="m-auto p-4 text-control text-fg-3">{t('No messages yet')}</p>
        )}
        {/* Rows mount and unmount while scrolling, so only the region below announces new messages. */}
        <div
          role="log"
          aria-label={t('Conversation with {name}', { name: fanName })}
          aria-live="off"
          aria-busy={older.isLoading}
          onKeyDown={onKeyDown}
          onFocus={(event) =>
            setFocusedKey((event.target as HTMLElement).closest('article')?.dataset.row ?? null)
          }
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) setFocusedKey(null);
          }}
          ref={virtualizer.containerRef}
          className="relative mx-auto mt-auto w-full max-w-[760px] min-[1600px]:max-w-[960px] shrink-0"
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
                      isHighlighted={highlightedKey === row.key}
                      isMenuOpen={row.kind === 'message' && row.message.id === menu?.message.id}
                      isTabStop={tabStop === row.key}
                      handlers={handlers}
                    />
                  ) : row.kind === 'note' ? (
                    <NoteRow
                      note={row.note}
                      rowKey={row.key}
                      isHighlighted={highlightedKey === row.key}
                      isTabStop={tabStop === row.key}
                      onEdit={editNote}
                    />
                  ) : (
                    <Divider row={row} />
                  )}
                </div>
              )
            );
          })}
        </div>
      </div>
      {(older.isLoading || older.error !== null) && (
        <OlderStatus error={older.error} onRetry={() => void older.load()} />
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
      {notes.hasFailed && (
        <div className="absolute inset-x-0 bottom-2 mx-auto w-full max-w-[760px] min-[1600px]:max-w-[960px] px-4">
          <ErrorBox text={t('Couldn’t load staff notes')} onRetry={notes.retry} />
        </div>
      )}
      {picture !== null && (
        <OpenedPicture
          messages={thread.messages}
          id={picture}
          refresh={handlers.refresh}
          onClose={() => setPicture(null)}
        />
      )}
      {menu && <OpenedMenu menu={menu} handlers={handlers} onClose={() => setMenu(null)} />}
    </div>
  );
}

/** Announces the fan's newest message to screen readers. The key causes an announcement even if the text is the same. */
function NewestFromFan({ thread, fanName }: { thread: ThreadData; fanName: string }) {
  const last = thread.messages.at(-1);
  if (!last || last.author !== null) return null;
  return <span key={last.id}>{`${fanName}: ${textOrStandIn(last)}`}</span>;
}
