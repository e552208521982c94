import type { QueryClient } from '@tanstack/react-query';
import { markMentionsRead } from './queries.ts';

/** Those that come on screen together are told together. Milliseconds. */
const GATHER_MS = 400;

interface Seen {
  /** Whatever was told once. */
  told: Set<string>;
  waiting: string[];
}

const seenBy = new WeakMap<QueryClient, Seen>();

/** A note that names oneself is on screen: whoever reads it there need not open it once more. */
export function mentionWasSeen(client: QueryClient, noteId: string): void {
  const seen = seenBy.get(client) ?? { told: new Set(), waiting: [] };
  seenBy.set(client, seen);
  if (document.visibilityState === 'hidden' || seen.told.has(noteId)) return;
  seen.told.add(noteId);
  seen.waiting.push(noteId);
  if (seen.waiting.length > 1) return;
  setTimeout(() => {
    const ids = seen.waiting.splice(0);
    markMentionsRead(client, ids).catch((error: unknown) => {
      for (const id of ids) seen.told.delete(id);
      console.error('Failed to mark mentions as read', error);
    });
  }, GATHER_MS);
}
