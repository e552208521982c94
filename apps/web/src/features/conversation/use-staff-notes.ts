import type { StaffNote } from '@stagedoor/contract/staff-notes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { loadNotesFrom, staffNotesOptions } from '../staff-notes/queries.ts';
import type { Thread } from './cache.ts';

const NONE: readonly StaffNote[] = [];

/** The notes among the loaded messages. Those among older messages follow once these are loaded. */
export function useStaffNotes(conversationId: string, thread: Thread) {
  const client = useQueryClient();
  const { data, isPending, isError, isFetching, refetch } = useQuery(
    staffNotesOptions(conversationId),
  );
  const from = thread.has_more ? (thread.messages[0]?.created_at ?? null) : null;
  const heldFrom = data?.from ?? null;
  const lacksOlder = heldFrom !== null && (from === null || from < heldFrom);
  const [failedAt, setFailedAt] = useState<string | null>(null);
  const hasFailed = lacksOlder && failedAt === heldFrom;

  useEffect(() => {
    if (!lacksOlder || hasFailed) return;
    const aborter = new AbortController();
    loadNotesFrom(client, conversationId, from, aborter.signal).catch((error: unknown) => {
      if (aborter.signal.aborted) return;
      console.error('Failed to load older notes', error);
      setFailedAt(heldFrom);
    });
    return () => aborter.abort();
  }, [client, conversationId, from, heldFrom, lacksOlder, hasFailed]);

  const notes = useMemo(
    () => data?.notes.filter(({ created_at }) => from === null || created_at >= from) ?? NONE,
    [data, from],
  );
  return {
    notes,
    /** Some of those among the loaded messages are on their way. */
    isLoading: (isPending && !isError) || (lacksOlder && !hasFailed),
    // What was loaded stays good enough until the next refresh.
    hasFailed: (isError && data === undefined && !isFetching) || hasFailed,
    retry: () => {
      setFailedAt(null);
      if (isError) void refetch();
    },
  };
}
