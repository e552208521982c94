import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import type { Thread as ThreadData } from '../messages/cache.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { EMPTY_OUTBOX } from '../messages/outbox.ts';
import { loadOlder, threadIn, useOutbox } from '../messages/queries.ts';
import { type Jump, useJump, useSpan } from './span.ts';
import { Thread } from './thread.tsx';
import { useOlder } from './use-older.ts';
import { useShownNote } from './use-shown-note.ts';
import { useStaffNotes } from './use-staff-notes.ts';

interface ShownThreadProps {
  /** The newest messages. */
  thread: ThreadData;
  /** The message to show in its context; null for the newest messages. */
  jump: Jump | null;
}

/** The messages on screen: the newest, or those around a message that was jumped to. */
export function ShownThread({ thread, jump }: ShownThreadProps) {
  useShownNote();
  const around = useJump(jump);
  return around === null ? (
    <NewestThread thread={thread} />
  ) : (
    <SpanThread key={jump?.key} messageId={around} />
  );
}

function NewestThread({ thread: loaded }: { thread: ThreadData }) {
  const { id } = useOpenConversation();
  const client = useQueryClient();
  const outbox = useOutbox(id);
  // Reads the cache, like the outbox. The prop may be older and lack a message that has just left the outbox.
  const thread = threadIn(client, id) ?? loaded;
  const notes = useStaffNotes(id, null, thread);
  const older = useOlder(id, null, (signal) => loadOlder(client, id, signal));
  return <Thread thread={thread} outbox={outbox} notes={notes} older={older} />;
}

/** A message that was jumped to, in its context. A button leads to the newest messages, where new ones arrive. */
function SpanThread({ messageId }: { messageId: string }) {
  const { id, jumpTo } = useOpenConversation();
  const span = useSpan(id, messageId);
  const notes = useStaffNotes(id, messageId, span.thread);
  const { fetchPreviousPage, fetchNextPage, hasNewer } = span;
  const older = useOlder(id, messageId, async () => {
    const { error } = await fetchPreviousPage({ cancelRefetch: false });
    if (error) throw error;
  });
  const isGone = span.error instanceof ApiError && span.error.status === 404;
  const back = useCallback(() => jumpTo(null), [jumpTo]);
  useBackOnSend(back);
  // Waits for the first notes, so that they don't move the message that was jumped to.
  const [isShown, setShown] = useState(false);
  if (!isShown && span.data !== undefined && !notes.isLoading) setShown(true);
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
            <Button onClick={back}>{t('Back to Newest')}</Button>
          </div>
        ) : (
          <CenteredSpinner text={t('Loading conversation...')} />
        )}
      </div>
    );
  }
  return (
    <Thread
      thread={span.thread}
      outbox={EMPTY_OUTBOX}
      notes={notes}
      older={older}
      around={{
        messageId,
        hasNewer,
        onNearEnd: (isAtEnd) => {
          if (hasNewer) void fetchNextPage({ cancelRefetch: false });
          else if (isAtEnd) back();
        },
        onBack: back,
      }}
    />
  );
}

/** Returns to the newest messages when the viewer sends a message. */
function useBackOnSend(back: () => void): void {
  const { id } = useOpenConversation();
  const outbox = useOutbox(id);
  const newest = outbox.pending.at(-1)?.tempId;
  const known = useRef(newest);
  useEffect(() => {
    if (newest !== undefined && newest !== known.current) back();
    known.current = newest;
  }, [newest, back]);
}
