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
  /** The message that was jumped to; null if the newest messages are shown. */
  jump: Jump | null;
  span: ReturnType<typeof useSpan>;
  /** Jumps to a message; null jumps back to the newest. */
  onJump: (messageId: string | null) => void;
}

/** The messages on screen: the newest, or those around one that was jumped to. */
export function ShownThread(props: ShownThreadProps) {
  const { conversationId, jump, span, onJump, ...rest } = props;
  const older = useOlder(conversationId);
  const isNewest = jump === null;
  const { onAtEnd } = rest;
  // Messages are only marked as read at the newest end.
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
  /** Returns to the newest messages. */
  onBack: () => void;
}

/** A message that was jumped to, in its context. A button leads to the newest messages, where new ones arrive. */
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
  // Waits for the first notes, so that they don't move the message that was jumped to.
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
            <Button onClick={onBack}>{t('Back to Newest')}</Button>
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

/** The end of a span is not the end of the conversation. */
const ignore = () => undefined;
