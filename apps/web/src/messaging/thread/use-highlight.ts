import { useCallback, useEffect, useRef, useState } from 'react';
import type { ThreadRow } from '../messages/thread-rows.ts';

/** The message that an answer leads to stands out this long. */
export const HIGHLIGHT_MS = 2_000;

interface HighlightOptions {
  rows: readonly ThreadRow[];
  scrollToRow: (index: number, align: 'center') => void;
  hasMore: boolean;
  /** Notes among what is loaded are on their way. */
  isAwaitingNotes: boolean;
  loadOlder: () => Promise<boolean>;
  /** The message that is shown as soon as there are rows; null for none. */
  firstId: string | null;
  /** The message to be shown is not among those that are loaded. */
  onMissing: (id: string) => void;
}

/** What is to be shown. */
interface Wanted {
  id: string;
  kind: 'message' | 'note';
}

/** Shows a message or a note in the middle and lets it stand out for a while. Notes that are not loaded are loaded first. */
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
      // Once notes or older messages are there, this is looked at again.
      if (isAwaitingNotes) return;
      if (hasMore) {
        void loadOlder().then((isLoaded) => {
          if (!isLoaded) setWanted(null);
        });
        return;
      }
    }
    // Only here is it seen which rows there are.
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
