import type { QueryClient } from '@tanstack/react-query';
import { markMentionsRead } from './queries.ts';

/** Mentions that become visible within this time are marked as read together. Milliseconds. */
const GATHER_MS = 400;

interface Seen {
  /** Notes that were already reported as seen. */
  reported: Set<string>;
  waiting: string[];
}

const seenBy = new WeakMap<QueryClient, Seen>();

/** Marks a visible mention as read, so that it doesn't have to be opened again. */
export function mentionWasSeen(client: QueryClient, noteId: string): void {
  const seen = seenBy.get(client) ?? { reported: new Set(), waiting: [] };
  seenBy.set(client, seen);
  if (document.visibilityState === 'hidden' || seen.reported.has(noteId)) return;
  seen.reported.add(noteId);
  seen.waiting.push(noteId);
  if (seen.waiting.length > 1) return;
  setTimeout(() => {
    const ids = seen.waiting.splice(0);
    markMentionsRead(client, ids).catch((error: unknown) => {
      for (const id of ids) seen.reported.delete(id);
      console.error('Failed to mark mentions as read', error);
    });
  }, GATHER_MS);
}
