import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Thread } from '../messages/cache.ts';
import { isWithin, lacking } from '../staff-notes/cache.ts';
import { loadNotes, staffNotesOptions } from '../staff-notes/queries.ts';

const NONE: readonly StaffNote[] = [];

/**
 * Returns the staff notes among the messages on screen. Loads more notes when more messages are loaded.
 * @param around the message that was jumped to; null for the newest messages
 * @param thread the messages on screen
 */
export function useStaffNotes(conversationId: string, around: string | null, thread: Thread) {
  const client = useQueryClient();
  const { messages, has_more: hasMore } = thread;
  const from = hasMore ? (messages[0]?.created_at ?? null) : null;
  // Newer notes are shown once the newer messages are loaded.
  const to = around === null ? null : (messages.at(-1)?.created_at ?? null);
  const hasMessages = around === null || to !== null;
  const { data, isPending, isError, isLoadingError, refetch } = useQuery({
    ...staffNotesOptions({ conversationId, around }, { from, to }),
    enabled: hasMessages,
  });
  const lacks = data !== undefined && lacking(data, { from, to }) !== null;
  const heldSpan = `${data?.from} ${data?.to}`;
  const [failedAt, setFailedAt] = useState<string | null>(null);
  const hasFailed = lacks && failedAt === heldSpan;

  useEffect(() => {
    if (!lacks || hasFailed) return;
    const aborter = new AbortController();
    const view = { conversationId, around };
    loadNotes(client, view, { from, to }, aborter.signal).catch((error: unknown) => {
      if (aborter.signal.aborted) return;
      console.error('Failed to load further notes', error);
      setFailedAt(heldSpan);
    });
    return () => aborter.abort();
  }, [client, conversationId, around, from, to, heldSpan, lacks, hasFailed]);

  const notes = useMemo(
    () => data?.notes.filter((note) => isWithin({ from, to }, note)) ?? NONE,
    [data, from, to],
  );
  return {
    notes,
    /** Whether notes among the loaded messages are still loading. */
    isLoading: (hasMessages && isPending) || (lacks && !hasFailed),
    // A failed refetch is no error while older data is shown.
    hasFailed: isLoadingError || hasFailed,
    retry: () => {
      setFailedAt(null);
      if (isError) void refetch();
    },
  };
}
