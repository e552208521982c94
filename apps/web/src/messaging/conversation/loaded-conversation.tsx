import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { Template } from '@stagedoor/contract/messaging/templates';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import { useAdmin } from '../../lib/server/session.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useFileDrop } from '../../lib/use-file-drop.ts';
import type { MenuItem } from '../../ui/overlay/menu.tsx';
import { DropHint } from '../attachments/drop-hint.tsx';
import { useReplyCommands } from '../composer/use-reply-commands.ts';
import { WritingArea, type WritingControls } from '../composer/writing-area.tsx';
import type { Board } from '../messages/board.ts';
import type { Thread, ThreadMessage } from '../messages/cache.ts';
import { noticeOptions, setNotice } from '../messages/notice.ts';
import { threadIn } from '../messages/queries.ts';
import { useNoticeEnd } from '../messages/use-notice-end.ts';
import { useSendMessage } from '../messages/use-send-message.ts';
import type { NoteParts } from '../thread/note-parts.ts';
import { OpenedMenu, OpenedPicture, type OpenMenu } from '../thread/opened-message.tsx';
import { ShownThread } from '../thread/shown-thread.tsx';
import { type Jump, useJump, useSpan } from '../thread/span.ts';
import type { ThreadControls } from '../thread/thread-props.ts';
import { useShownNote } from '../thread/use-shown-note.ts';
import { useStaffNotes } from '../thread/use-staff-notes.ts';
import { ConnectionBar } from './connection-bar.tsx';
import { ConversationHeader } from './conversation-header.tsx';
import { HeaderActions } from './header-actions.tsx';
import { useMarkRead } from './use-mark-read.ts';
import { useRowHandlers } from './use-row-handlers.ts';

export interface LoadedConversationProps {
  conversation: Conversation;
  thread: Thread;
  /** Set if the header shows a back button on narrow screens. */
  onBack?: (() => void) | undefined;
  board: Board;
  /** Renders the fan's subscription in the header; null if there is nothing to show. */
  fanNote: (fan: Conversation['fan']) => ReactNode;
  /** Key facts about the fan, next to the name in the header. */
  glance: ReactNode;
  /** Lets other components control the thread; null until it is loaded. */
  threadControls: RefObject<ThreadControls | null>;
  /** Saves a message as a statement of the creator. */
  onPin: (message: ThreadMessage) => void;
  /** Renders the fan's tags under the header. */
  tagStrip: (conversation: Conversation) => ReactNode;
  /** Opens the templates. `onUse` inserts the chosen one. */
  onTemplates: (onUse: (template: Template) => void) => void;
  /** Opens this fan's scheduled messages. */
  onScheduled: () => void;
  /** Teammates who have the conversation open, in the header before the actions. */
  company: ReactNode;
  /** Teammates' activity, above the text field. */
  meanwhile: ReactNode;
  /** Called with the text on every change. */
  onTyping: (text: string) => void;
  /** In the header, after the actions. */
  tools: ReactNode;
  /** Additional items for the three-dot menu. */
  moreActions: readonly MenuItem[];
  /** Renders the staff notes among the messages. */
  notes: NoteParts;
  /** The message to show in its context; null for the newest messages. */
  jump: Jump | null;
  /** Jumps to a message; null jumps back to the newest. */
  onJump: (messageId: string | null) => void;
}

/** A loaded conversation with its newest messages. */
export function LoadedConversation(props: LoadedConversationProps) {
  const { conversation, board, onPin, jump, onJump } = props;
  const controls = props.threadControls;
  const { id, fan, marked_unread: isMarked } = conversation;
  // Excludes the 1 that a manual unread mark adds.
  const unreadCount = conversation.unread_count - Number(isMarked);
  const admin = useAdmin();
  const client = useQueryClient();
  // Reads the cache as it is now, like the outbox below. With the older prop, a message just confirmed would be in neither.
  const thread = threadIn(client, id) ?? props.thread;
  const canWrite = admin.permissions.can_manage_messages;
  const fanName = displayName(fan);
  const reply = useRef<WritingControls>(null);
  const pane = useRef<HTMLElement>(null);
  const isDropping = useFileDrop(pane, canWrite ? (files) => reply.current?.addFiles(files) : null);
  const sending = useSendMessage(id);
  const { data: notice } = useQuery(noticeOptions);
  const [isAtEnd, setAtEnd] = useState(false);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [picture, setPicture] = useState<string | null>(null);
  useShownNote(id, controls);
  const around = useJump(jump, thread, (messageId) => controls.current?.showMessage(messageId));
  const span = useSpan(id, around);
  const shown = around === null ? thread : span.thread;
  const notes = useStaffNotes(id, around, shown);
  useMarkRead({ conversationId: id, thread, unreadCount, isMarked, isAtEnd, canWrite, board });
  useNoticeEnd(client);
  const { handlers, editNote } = useRowHandlers({
    conversationId: id,
    fanName,
    reply,
    sending,
    setMenu,
    setPicture,
    onPin,
  });
  useReplyCommands({
    messages: shown.messages,
    canWrite,
    controls,
    reply,
    answer: handlers.onReply,
  });
  const header = useHeader(props);

  return (
    <section
      ref={pane}
      aria-label={t('Conversation with {name}', { name: fanName })}
      className="relative flex h-full min-w-0 flex-col bg-bg"
    >
      {header}
      <div className="relative flex min-h-0 flex-1 flex-col">
        <ConnectionBar />
        <ShownThread
          ref={controls}
          conversationId={id}
          thread={thread}
          notes={notes.notes}
          isAwaitingNotes={notes.isLoading}
          noteRow={props.notes.row}
          onEditNote={editNote}
          jump={around === null ? null : jump}
          span={span}
          onJump={onJump}
          outbox={sending.outbox}
          unreadCount={unreadCount}
          myId={admin.id}
          fanName={fanName}
          canWrite={canWrite}
          handlers={handlers}
          menuOf={menu?.message.id ?? null}
          onAtEnd={setAtEnd}
        />
      </div>
      <WritingArea
        ref={reply}
        conversationId={id}
        fanName={fanName}
        thread={thread}
        myId={admin.id}
        canWrite={canWrite}
        sending={sending}
        notice={notice}
        onDismissNotice={() => setNotice(client, null)}
        meanwhile={props.meanwhile}
        onTyping={props.onTyping}
        onSent={() => controls.current?.scrollToEnd()}
        onTemplates={props.onTemplates}
        onScheduled={props.onScheduled}
        onShowMessage={(messageId) => controls.current?.showMessage(messageId)}
        notes={props.notes}
        notesFailed={notes.hasFailed}
        onRetryNotes={notes.retry}
      />
      {isDropping && <DropHint fanName={fanName} />}
      {picture !== null && (
        <OpenedPicture
          messages={shown.messages}
          id={picture}
          refresh={handlers.refresh}
          onClose={() => setPicture(null)}
        />
      )}
      {menu && (
        <OpenedMenu
          menu={menu}
          myId={admin.id}
          canWrite={canWrite}
          onReact={handlers.onReact}
          onReply={handlers.onReply}
          onPin={onPin}
          onClose={() => setMenu(null)}
        />
      )}
    </section>
  );
}

/** Memoizes the header, so that sending a message doesn't re-render it and the message appears sooner. */
function useHeader(props: LoadedConversationProps): ReactNode {
  const { conversation, onBack, board, fanNote, glance, company, moreActions, tools, tagStrip } =
    props;
  return useMemo(
    () => (
      <>
        <ConversationHeader
          conversation={conversation}
          onBack={onBack}
          note={fanNote(conversation.fan)}
          glance={glance}
          actions={
            <>
              {company}
              <HeaderActions conversation={conversation} board={board} moreActions={moreActions} />
              {tools}
            </>
          }
        />
        {tagStrip(conversation)}
      </>
    ),
    [conversation, onBack, board, fanNote, glance, company, moreActions, tools, tagStrip],
  );
}
