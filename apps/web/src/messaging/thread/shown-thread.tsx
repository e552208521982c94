import { useCallback, useEffect, useState } from 'react';
import { ApiError, errorText, isRateLimited } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { EMPTY_OUTBOX } from '../messages/outbox.ts';
import type { Jump, useSpan } from './span.ts';
import { Thread } from './thread.tsx';
import type { ThreadProps } from './thread-props.ts';
import { useOlder } from './use-older.ts';

interface ShownThreadProps
  extends Omit<
    ThreadProps,
    'around' | 'loadOlder' | 'isLoadingOlder' | 'olderError' | 'onMissing'
  > {
  conversationId: string;
  /** The message that is shown among others; null: the newest messages are. */
  jump: Jump | null;
  span: ReturnType<typeof useSpan>;
  /** Jumps to a message, or back to the newest. */
  onJump: (messageId: string | null) => void;
}

/** What is shown of a conversation's messages: the newest, or those around one that was jumped to. */
export function ShownThread(props: ShownThreadProps) {
  const { conversationId, jump, span, onJump, ...rest } = props;
  const older = useOlder(conversationId);
  const isNewest = jump === null;
  const { onAtEnd } = rest;
  // Only at the newest messages is anything read.
  useEffect(() => {
    if (!isNewest) onAtEnd(false);
  }, [isNewest, onAtEnd]);
  if (isNewest) return <Thread {...rest} {...older} onMissing={onJump} />;
  return (
    <SpanThread
      {...rest}
      key={jump.key}
      messageId={jump.messageId}
      span={span}
      onMissing={onJump}
      onBack={() => onJump(null)}
    />
  );
}

interface SpanThreadProps
  extends Pick<
    ThreadProps,
    | 'myId'
    | 'fanName'
    | 'canWrite'
    | 'handlers'
    | 'menuOf'
    | 'notes'
    | 'isAwaitingNotes'
    | 'noteRow'
    | 'onEditNote'
    | 'onMissing'
    | 'ref'
  > {
  messageId: string;
  span: ReturnType<typeof useSpan>;
  /** Back to where the conversation goes on. */
  onBack: () => void;
}

/** A message that was jumped to, in its place among others. What comes in meanwhile is at the newest, a button away. */
function SpanThread(props: SpanThreadProps) {
  const { messageId, span, onBack, ref, myId, fanName, canWrite, handlers, menuOf } = props;
  const { notes, isAwaitingNotes, noteRow, onEditNote, onMissing } = props;
  const { fetchPreviousPage, fetchNextPage, hasNewer, isFetchingPreviousPage } = span;
  const isGone = span.error instanceof ApiError && span.error.status === 404;
  const [olderError, setOlderError] = useState<string | null>(null);
  const loadOlder = useCallback(async () => {
    setOlderError(null);
    const { error } = await fetchPreviousPage({ cancelRefetch: false });
    if (error && !isRateLimited(error))
      setOlderError(errorText(error, t('Failed to load messages')));
    return error === null;
  }, [fetchPreviousPage]);
  // Its first notes come with it, so that what was jumped to stays where it is shown.
  const [isShown, setShown] = useState(false);
  if (!isShown && span.data !== undefined && !isAwaitingNotes) setShown(true);
  if (span.data === undefined || !isShown) {
    return (
      <div className="min-h-0 flex-1">
        {span.isError && !span.isFetching ? (
          <div className="mx-auto flex h-full max-w-md flex-col items-stretch justify-center gap-3 p-6">
            <ErrorBox
              text={
                isGone
                  ? t('This message is no longer there.')
                  : errorText(span.error, t('Failed to load messages'))
              }
              onRetry={isGone ? undefined : () => void span.refetch()}
            />
            <Button onClick={onBack}>{t('Back to newest')}</Button>
          </div>
        ) : (
          <CenteredSpinner text={t('Loading conversation...')} />
        )}
      </div>
    );
  }
  return (
    <Thread
      ref={ref}
      myId={myId}
      fanName={fanName}
      canWrite={canWrite}
      handlers={handlers}
      menuOf={menuOf}
      onMissing={onMissing}
      thread={span.thread}
      notes={notes}
      isAwaitingNotes={isAwaitingNotes}
      noteRow={noteRow}
      onEditNote={onEditNote}
      outbox={EMPTY_OUTBOX}
      unreadCount={0}
      around={{
        messageId,
        onNearEnd: (isAtEnd) => {
          if (hasNewer) void fetchNextPage({ cancelRefetch: false });
          else if (isAtEnd) onBack();
        },
        onBack,
      }}
      loadOlder={loadOlder}
      isLoadingOlder={isFetchingPreviousPage}
      olderError={olderError}
      onAtEnd={ignore}
    />
  );
}

/** Whether the end of these is in view says nothing of the newest. */
const ignore = () => undefined;
