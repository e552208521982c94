import { useCallback, useEffect, useRef, useState } from 'react';
import type { ThreadRow } from './thread-rows.ts';

/** The message that an answer leads to stands out this long. */
export const HIGHLIGHT_MS = 2_000;

interface HighlightOptions {
  rows: readonly ThreadRow[];
  scrollToRow: (index: number, align: 'center') => void;
  hasMore: boolean;
  /** Notes among what is loaded are on their way. */
  isAwaitingNotes: boolean;
  loadOlder: () => Promise<boolean>;
}

/** Shows a message or a note in the middle and lets it stand out for a while. One that is not loaded is loaded first. */
export function useHighlight(options: HighlightOptions) {
  const { rows, scrollToRow, hasMore, isAwaitingNotes, loadOlder } = options;
  const [wantedId, setWantedId] = useState<string | null>(null);
  const [highlightedKey, setHighlightedKey] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    if (wantedId === null) return;
    const index = rows.findIndex((row) => idOf(row) === wantedId);
    const row = rows[index];
    if (row) {
      // Only here is it seen that the page with the message has joined the rows.
      // oxlint-disable-next-line react-hooks/set-state-in-effect
      setWantedId(null);
      scrollToRow(index, 'center');
      setHighlightedKey(row.key);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setHighlightedKey(null), HIGHLIGHT_MS);
    } else if (isAwaitingNotes) {
      // It may be one of them: once they are there, this is looked at again.
    } else if (hasMore) {
      // The next page changes the rows, and with them this is looked at again.
      void loadOlder().then((isLoaded) => {
        if (!isLoaded) setWantedId(null);
      });
    } else {
      setWantedId(null);
    }
  }, [wantedId, rows, scrollToRow, hasMore, isAwaitingNotes, loadOlder]);

  const showMessage = useCallback((id: string) => setWantedId(id), []);
  return { highlightedKey, showMessage };
}

function idOf(row: ThreadRow): string | null {
  if (row.kind === 'message') return row.message.id;
  return row.kind === 'note' ? row.note.id : null;
}
