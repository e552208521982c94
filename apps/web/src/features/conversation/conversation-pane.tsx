import type { Conversation } from '@stagedoor/contract/conversations';
import type { Attachment } from '@stagedoor/contract/media';
import type { StaffNote } from '@stagedoor/contract/staff-notes';
import type { Template } from '@stagedoor/contract/templates';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ApiError } from '../../lib/api.ts';
import { copyText } from '../../lib/copy-text.ts';
import { displayName } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useAdmin } from '../../lib/session.ts';
import { useConnection } from '../../lib/socket.ts';
import { useFileDrop } from '../../lib/use-file-drop.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { staffNotesOptions } from '../staff-notes/queries.ts';
import type { Board } from './board.ts';
import type { Thread as ThreadData, ThreadMessage } from './cache.ts';
import { ConnectionBar } from './connection-bar.tsx';
import { ConversationHeader } from './conversation-header.tsx';
import { ConversationWaiting } from './conversation-waiting.tsx';
import { HeaderActions } from './header-actions.tsx';
import type { MessageHandlers } from './message-row.tsx';
import { replyTargetOf, shownText } from './message-text.ts';
import type { NoteParts } from './note-parts.ts';
import { noticeOptions, setNotice } from './notice.ts';
import { conversationOptions, threadIn, threadOptions } from './queries.ts';
import { ShownThread } from './shown-thread.tsx';
import { type Jump, useJump, useSpan } from './span.ts';
import type { ThreadControls } from './thread.tsx';
import { useMarkRead } from './use-mark-read.ts';
import { useMedia } from './use-media.ts';
import { useReact } from './use-react.ts';
import { useReplyCommands } from './use-reply-commands.ts';
import { useSendMessage } from './use-send-message.ts';
import { useShownNote } from './use-shown-note.ts';
import { useStaffNotes } from './use-staff-notes.ts';
import { WritingArea, type WritingControls } from './writing-area.tsx';

const MessageMenu = lazyPart(async () => (await import('./message-menu.tsx')).MessageMenu);

const Lightbox = lazyPart(async () => (await import('./lightbox.tsx')).Lightbox);

export interface ConversationPaneProps {
  id: string;
  /** Where there is a way back: the header shows a back button on narrow screens. */
  onBack?: (() => void) | undefined;
  /** The server knows no conversation with this id. */
  onMissing?: (() => void) | undefined;
  board: Board;
  /** In the header: how the fan stands with the creator; null where there is nothing to say. */
  fanNote: (fan: Conversation['fan']) => ReactNode;
  /** In the header, beside the name: what matters of the fan at a glance. */
  glance: ReactNode;
  /** By which others ask something of the thread; null until it is loaded. */
  threadControls: RefObject<ThreadControls | null>;
  /** Notes what the creator says in a message. */
  onPin: (message: ThreadMessage) => void;
  /** Under the header: the fan's tags. */
  tagStrip: (conversation: Conversation) => ReactNode;
  /** Opens the templates, of which one may be put into the reply. */
  onTemplates: (onUse: (template: Template) => void) => void;
  /** Shows what is to be sent to this fan later. */
  onScheduled: () => void;
  /** In the header, before the actions: who else is here. */
  company: ReactNode;
  /** Above the text field: what colleagues do meanwhile. */
  meanwhile: ReactNode;
  /** Told of the text as it is typed. */
  onTyping: (text: string) => void;
  /** In the header, behind the actions. */
  tools: ReactNode;
  /** What else can be done with the conversation, behind three dots. */
  moreActions: readonly MenuItem[];
  /** What staff note among the messages. */
  notes: NoteParts;
  /** The message that is to be shown in its place; null: the newest are. */
  jump: Jump | null;
  /** Jumps to a message, or back to the newest. */
  onJump: (messageId: string | null) => void;
}

/** A conversation: who the fan is, what was said, and the reply. */
export function ConversationPane(props: ConversationPaneProps) {
  const { id, onBack, onMissing } = props;
  const conversation = useQuery(conversationOptions(id));
  const thread = useQuery(threadOptions(id));
  // Asked for beside the messages; nothing waits for them.
  useQuery(staffNotesOptions(id));
  const isMissing = [conversation.error, thread.error].some(
    (failure) => failure instanceof ApiError && failure.status === 404,
  );
  useEffect(() => {
    if (isMissing) onMissing?.();
  }, [isMissing, onMissing]);

  if (conversation.data && thread.data) {
    // Another conversation is another pane: nothing that was begun for one fan can reach another.
    return (
      <LoadedConversation
        {...props}
        key={id}
        conversation={conversation.data}
        thread={thread.data}
      />
    );
  }
  return (
    <ConversationWaiting
      conversation={conversation}
      thread={thread}
      isMissing={isMissing}
      onBack={onBack}
      fanNote={props.fanNote}
    />
  );
}

interface LoadedProps extends ConversationPaneProps {
  conversation: Conversation;
  thread: ThreadData;
}

interface OpenMenu {
  message: ThreadMessage;
  anchor: HTMLElement;
  kind: 'reactions' | 'all';
}

function LoadedConversation(props: LoadedProps) {
  const { conversation, onBack, board, tagStrip, tools, onPin, jump, onJump } = props;
  const controls = props.threadControls;
  const { id, fan, marked_unread: isMarked } = conversation;
  // Without what a mark of staff's counts for.
  const unreadCount = conversation.unread_count - Number(isMarked);
  const admin = useAdmin();
  const client = useQueryClient();
  // As new as the outbox below: a render that comes before the one above was told of a confirmed message would show it in neither.
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
  const notes = useStaffNotes(id, thread);
  useShownNote(controls);
  const around = useJump(jump, thread, (messageId) => controls.current?.showMessage(messageId));
  const span = useSpan(id, around);
  const { messages } = around === null ? thread : span.thread;
  useMarkRead({ conversationId: id, thread, unreadCount, isMarked, isAtEnd, canWrite, board });
  const { status } = useConnection();
  useEffect(() => () => setNotice(client, null), [client]);
  // What failed for want of a connection is no news once there is one.
  useEffect(() => {
    if (status === 'connected') setNotice(client, null);
  }, [client, status]);

  const react = useReact(id);
  const media = useMedia(id);
  const answer = useCallback(
    (message: ThreadMessage) => reply.current?.replyTo(replyTargetOf(message, fanName)),
    [fanName],
  );
  const editNote = useCallback((note: StaffNote) => reply.current?.editNote(note), []);
  const { retry, discard } = sending;
  const handlers = useMemo<Omit<MessageHandlers, 'onOpenQuote'>>(
    () => ({
      onOpenMenu: (message, anchor, kind) =>
        setMenu((open) => (open?.anchor === anchor ? null : { message, anchor, kind })),
      onReact: react,
      onOpenPicture: setPicture,
      ...media,
      onReply: answer,
      onCopy: (text) => void copyText(text),
      onPin,
      onRetry: retry,
      onEdit: (message) => {
        discard(message);
        reply.current?.takeBack(message);
      },
      onDiscard: discard,
    }),
    [react, media, answer, onPin, retry, discard],
  );
  useReplyCommands({ messages, canWrite, controls, reply, answer });

  return (
    <section
      ref={pane}
      aria-label={t('Conversation with {name}', { name: fanName })}
      className="relative flex h-full min-w-0 flex-col bg-bg"
    >
      <ConversationHeader
        conversation={conversation}
        onBack={onBack}
        note={props.fanNote(fan)}
        glance={props.glance}
        actions={
          <>
            {props.company}
            <HeaderActions
              conversation={conversation}
              board={board}
              moreActions={props.moreActions}
            />
            {tools}
          </>
        }
      />
      {tagStrip(conversation)}
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
      {isDropping && (
        <p className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center gap-2.5 rounded-card border-2 border-dashed border-accent bg-surface/92 text-title font-semibold text-accent-text">
          <Upload aria-hidden="true" size={24} strokeWidth={1.75} />
          {t('Drop files for {name}', { name: fanName })}
        </p>
      )}
      {picture !== null && (
        <Suspense fallback={null}>
          <Lightbox
            pictures={messages.flatMap(({ attachments }) => attachments.filter(isPicture))}
            openId={picture}
            refresh={media.refresh}
            onClose={() => setPicture(null)}
          />
        </Suspense>
      )}
      {menu && (
        <Suspense fallback={null}>
          <MessageMenu
            anchor={menu.anchor}
            mine={menu.message.reactions.find(({ user_id }) => user_id === admin.id)?.emoji ?? null}
            canReact={canWrite}
            onReact={(emoji) => react(menu.message, emoji)}
            onReply={menu.kind === 'all' && canWrite ? () => answer(menu.message) : undefined}
            onCopy={
              menu.kind === 'all' && shownText(menu.message.content) !== ''
                ? () => void copyText(shownText(menu.message.content))
                : undefined
            }
            onPin={
              menu.kind === 'all' &&
              menu.message.author !== null &&
              shownText(menu.message.content) !== ''
                ? () => onPin(menu.message)
                : undefined
            }
            onClose={() => setMenu(null)}
          />
        </Suspense>
      )}
    </section>
  );
}

const isPicture = ({ type }: Attachment): boolean => type === 'image';
