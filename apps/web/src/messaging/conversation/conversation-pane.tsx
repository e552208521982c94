import { useFileDrop } from '@stagedoor/browser/use-file-drop';
import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { setToastSlot } from '../../ui/overlay/toast.ts';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { WritingArea } from '../composer/writing-area.tsx';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { conversationOptions, threadOptions } from '../messages/queries.ts';
import { staffNotesOptions } from '../staff-notes/queries.ts';
import { ShownThread } from '../thread/shown-thread.tsx';
import type { Jump } from '../thread/span.ts';
import { ConnectionBar } from './connection-bar.tsx';

interface ConversationPaneProps {
  /** The message to show in its context; null for the newest messages. */
  jump: Jump | null;
  /** Called if the server has no conversation with this id. */
  onMissing: () => void;
  children: ReactNode;
}

/** A conversation: its header, its messages and the reply. */
export function ConversationPane({ jump, onMissing, children }: ConversationPaneProps) {
  const { id, fanName, writing } = useOpenConversation();
  const canWrite = useAdmin().permissions.can_manage_messages;
  const pane = useRef<HTMLElement>(null);
  const conversation = useQuery(conversationOptions(id));
  const thread = useQuery(threadOptions(id));
  // Prefetches the staff notes together with the messages. Nothing waits for the notes.
  useQuery(staffNotesOptions({ conversationId: id, around: null }));
  const isLoaded = conversation.data !== undefined && thread.data !== undefined;
  const isDropping = useFileDrop(
    pane,
    canWrite && isLoaded ? (files) => writing.current?.addFiles(files) : null,
  );
  const error = conversation.error ?? thread.error;
  const isMissing = [conversation.error, thread.error].some(
    (failure) => failure instanceof ApiError && failure.status === 404,
  );
  useEffect(() => {
    if (isMissing) onMissing();
  }, [isMissing, onMissing]);
  return (
    <section
      ref={pane}
      aria-label={isLoaded ? t('Conversation with {name}', { name: fanName }) : t('Conversation')}
      className="relative flex h-full min-w-0 flex-col bg-bg"
    >
      {children}
      {isLoaded ? (
        <>
          <div className="relative flex min-h-0 flex-1 flex-col">
            <ConnectionBar />
            <ShownThread thread={thread.data} jump={jump} />
          </div>
          {/* Toasts are part of the layout here, so that they never cover a message. */}
          <div ref={setToastSlot} className="relative z-40" />
          <WritingArea />
        </>
      ) : error === null ? (
        <div className="min-h-0 flex-1">
          <CenteredSpinner text={t('Loading conversation...')} />
        </div>
      ) : (
        <div className="mx-auto flex min-h-0 max-w-md flex-1 flex-col justify-center p-6">
          <ErrorBox
            text={
              isMissing
                ? t('Conversation not found')
                : errorText(error, t('Failed to load messages'))
            }
            retrying={conversation.isFetching || thread.isFetching}
            onRetry={() => {
              if (conversation.error) void conversation.refetch();
              if (thread.error) void thread.refetch();
            }}
          />
        </div>
      )}
      {isDropping && <DropHint fanName={fanName} />}
    </section>
  );
}

/** The overlay shown while files are dragged over the conversation. It names the fan they would go to. */
function DropHint({ fanName }: { fanName: string }) {
  return (
    <p className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center gap-2.5 rounded-card border-2 border-dashed border-accent bg-surface/92 text-title font-semibold text-accent-text">
      <Upload size={24} />
      {t('Drop files for {name}', { name: fanName })}
    </p>
  );
}
