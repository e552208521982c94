import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Thread } from '../messages/cache.ts';
import { isWithin, lacking } from '../staff-notes/cache.ts';
import { loadNotes, staffNotesOptions } from '../staff-notes/queries.ts';

const NONE: readonly StaffNote[] = [];

/**
 * The notes among the messages that are shown. Those among messages that join follow once these are loaded.
 * @param around the message whose surroundings are shown; null: the newest messages are
 * @param thread the messages that are shown
 */
export function useStaffNotes(conversationId: string, around: string | null, thread: Thread) {
  const client = useQueryClient();
  const { messages, has_more: hasMore } = thread;
  const from = hasMore ? (messages[0]?.created_at ?? null) : null;
  // What comes after a run of older messages is shown where these go on.
  const to = around === null ? null : (messages.at(-1)?.created_at ?? null);
  const hasMessages = around === null || to !== null;
  const { data, isPending, isError, isFetching, refetch } = useQuery({
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
    const place = { conversationId, around };
    loadNotes(client, place, { from, to }, aborter.signal).catch((error: unknown) => {
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
    /** Some of those among the loaded messages are on their way. */
    isLoading: (hasMessages && isPending) || (lacks && !hasFailed),
    // What was loaded stays good enough until the next refresh.
    hasFailed: (isError && data === undefined && !isFetching) || hasFailed,
    retry: () => {
      setFailedAt(null);
      if (isError) void refetch();
    },
  };
}
