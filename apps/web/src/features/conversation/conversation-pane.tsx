import type { Conversation } from '@stagedoor/contract/conversations';
import type { Attachment } from '@stagedoor/contract/media';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ApiError, errorText } from '../../lib/api.ts';
import { useCommands } from '../../lib/commands.ts';
import { copyText } from '../../lib/copy-text.ts';
import { displayName } from '../../lib/format.ts';
import { useAdmin } from '../../lib/session.ts';
import { useConnection } from '../../lib/socket.ts';
import { useFileDrop } from '../../lib/use-file-drop.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import type { Board } from './board.ts';
import type { Thread as ThreadData, ThreadMessage } from './cache.ts';
import { ReadOnlyComposer } from './composer-bars.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { BackBar, ConversationHeader } from './conversation-header.tsx';
import { HeaderActions } from './header-actions.tsx';
import type { MessageHandlers } from './message-row.tsx';
import { replyTargetOf, shownText } from './message-text.ts';
import { noticeOptions, setNotice } from './notice.ts';
import { conversationOptions, threadOptions } from './queries.ts';
import { ReplyBox, type ReplyControls } from './reply-box.tsx';
import { ShownThread } from './shown-thread.tsx';
import { type Jump, useJump, useSpan } from './span.ts';
import type { ThreadControls } from './thread.tsx';
import { useMarkRead } from './use-mark-read.ts';
import { useMedia } from './use-media.ts';
import { useReact } from './use-react.ts';
import { useSendMessage } from './use-send-message.ts';

const MessageMenu = lazy(async () => ({
  default: (await import('./message-menu.tsx')).MessageMenu,
}));

const Lightbox = lazy(async () => ({
  default: (await import('./lightbox.tsx')).Lightbox,
}));

export interface ConversationPaneProps {
  id: string;
  /** Where there is a way back: the header shows a back button on narrow screens. */
  onBack?: (() => void) | undefined;
  /** The server knows no conversation with this id. */
  onMissing?: (() => void) | undefined;
  board: Board;
  /** In the header: how the fan stands with the creator; null where there is nothing to say. */
  fanNote: (fan: Conversation['fan']) => ReactNode;
  /** Under the header: the fan's tags. */
  tagStrip: (conversation: Conversation) => ReactNode;
  /** In the header, behind the actions. */
  tools: ReactNode;
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
  const error = conversation.error ?? thread.error;
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
    <section aria-label="Conversation" className="flex h-full min-w-0 flex-col bg-bg">
      {conversation.data ? (
        <ConversationHeader
          conversation={conversation.data}
          onBack={onBack}
          note={props.fanNote(conversation.data.fan)}
        />
      ) : (
        onBack && <BackBar onBack={onBack} />
      )}
      <div className="min-h-0 flex-1">
        {error === null ? (
          <CenteredSpinner text="Loading conversation..." />
        ) : (
          <div className="mx-auto flex h-full max-w-md flex-col justify-center p-6">
            <ErrorBox
              text={
                isMissing ? 'Conversation not found' : errorText(error, 'Failed to load messages')
              }
              retrying={conversation.isFetching || thread.isFetching}
              onRetry={() => {
                if (conversation.error) void conversation.refetch();
                if (thread.error) void thread.refetch();
              }}
            />
          </div>
        )}
      </div>
    </section>
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
  const { conversation, thread, onBack, board, tagStrip, tools, jump, onJump } = props;
  const { id, fan, unread_count: unreadCount } = conversation;
  const admin = useAdmin();
  const client = useQueryClient();
  const canWrite = admin.permissions.can_manage_messages;
  const fanName = displayName(fan);
  const controls = useRef<ThreadControls>(null);
  const reply = useRef<ReplyControls>(null);
  const pane = useRef<HTMLElement>(null);
  const isDropping = useFileDrop(pane, canWrite ? (files) => reply.current?.addFiles(files) : null);
  const sending = useSendMessage(id);
  const { data: notice } = useQuery(noticeOptions);
  const [isAtEnd, setAtEnd] = useState(false);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [picture, setPicture] = useState<string | null>(null);
  const around = useJump(jump, thread, (messageId) => controls.current?.showMessage(messageId));
  const span = useSpan(id, around);
  const { messages } = around === null ? thread : span.thread;
  useMarkRead({ conversationId: id, thread, unreadCount, isAtEnd, canWrite, board });
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
      onRetry: retry,
      onEdit: (message) => {
        discard(message);
        reply.current?.takeBack(message);
      },
      onDiscard: discard,
    }),
    [react, media, answer, retry, discard],
  );
  useCommands([
    {
      id: 'reply',
      title: 'Reply to message',
      section: 'Conversation',
      keys: ['r'],
      enabled: canWrite && messages.length > 0,
      run: () => {
        const current = controls.current?.currentMessageId();
        const message = messages.find((candidate) => candidate.id === current);
        if (message) answer(message);
      },
    },
  ]);

  return (
    <section
      ref={pane}
      aria-label={`Conversation with ${fanName}`}
      className="relative flex h-full min-w-0 flex-col bg-bg"
    >
      <ConversationHeader
        conversation={conversation}
        onBack={onBack}
        note={props.fanNote(fan)}
        actions={
          <>
            <HeaderActions conversation={conversation} board={board} />
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
      <footer className="shrink-0 border-t border-line bg-surface pt-2.5 pb-[max(12px,env(safe-area-inset-bottom))]">
        <div className="mx-auto w-full max-w-[760px] px-4 max-md:px-3">
          {canWrite ? (
            <ReplyBox
              ref={reply}
              conversationId={id}
              fanName={fanName}
              thread={thread}
              myId={admin.id}
              sending={sending}
              notice={notice}
              onDismissNotice={() => setNotice(client, null)}
              onSent={() => controls.current?.scrollToEnd()}
              onShowMessage={(messageId) => controls.current?.showMessage(messageId)}
            />
          ) : (
            <ReadOnlyComposer />
          )}
        </div>
      </footer>
      {isDropping && (
        <p className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center gap-2.5 rounded-card border-2 border-dashed border-accent bg-surface/92 text-title font-semibold text-accent-text">
          <Upload aria-hidden="true" size={24} strokeWidth={1.75} />
          Drop files for {fanName}
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
            onClose={() => setMenu(null)}
          />
        </Suspense>
      )}
    </section>
  );
}

const isPicture = ({ type }: Attachment): boolean => type === 'image';
