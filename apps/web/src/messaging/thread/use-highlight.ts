import { useCallback, useEffect, useRef, useState } from 'react';
import type { ThreadRow } from '../messages/thread-rows.ts';

/** How long a message or note stays highlighted, in milliseconds. */
const HIGHLIGHT_MS = 2_000;

interface HighlightOptions {
  rows: readonly ThreadRow[];
  scrollToRow: (index: number, align: 'center') => void;
  hasMore: boolean;
  /** Whether notes among the loaded messages are still loading. */
  isAwaitingNotes: boolean;
  loadOlder: () => Promise<boolean>;
  /** The message to show as soon as there are rows, or null. */
  firstId: string | null;
  /** Called if the message to show is not loaded. */
  onMissing: (id: string) => void;
}

/** A message or note to show. */
interface Wanted {
  id: string;
  kind: 'message' | 'note';
}

/** Centers a message or note and highlights it for a while. Loads older messages first if a note needs them. */
export function useHighlight(options: HighlightOptions) {
  const { rows, scrollToRow, hasMore, isAwaitingNotes, loadOlder, firstId, onMissing } = options;
  const [wanted, setWanted] = useState<Wanted | null>(
    firstId === null ? null : { id: firstId, kind: 'message' },
  );
  const [highlightedKey, setHighlightedKey] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    if (wanted === null) return;
    const index = rows.findIndex((row) => idOf(row) === wanted.id);
    const row = rows[index];
    if (!row && wanted.kind === 'note') {
      // Runs again once notes or older messages are loaded.
      if (isAwaitingNotes) return;
      if (hasMore) {
        void loadOlder().then((isLoaded) => {
          if (!isLoaded) setWanted(null);
        });
        return;
      }
    }
    // Whether the rows contain the message or note is only known in this effect.
    // oxlint-disable-next-line react-hooks/set-state-in-effect
    setWanted(null);
    if (!row) {
      if (wanted.kind === 'message') onMissing(wanted.id);
      return;
    }
    scrollToRow(index, 'center');
    setHighlightedKey(row.key);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHighlightedKey(null), HIGHLIGHT_MS);
  }, [wanted, rows, scrollToRow, hasMore, isAwaitingNotes, loadOlder, onMissing]);

  const showMessage = useCallback((id: string) => setWanted({ id, kind: 'message' }), []);
  const showNote = useCallback((id: string) => setWanted({ id, kind: 'note' }), []);
  return { highlightedKey, showMessage, showNote };
}

function idOf(row: ThreadRow): string | null {
  if (row.kind === 'message') return row.message.id;
  return row.kind === 'note' ? row.note.id : null;
}
