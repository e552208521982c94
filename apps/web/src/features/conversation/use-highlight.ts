import { useCallback, useEffect, useRef, useState } from 'react';
import type { ThreadRow } from './thread-rows.ts';

/** The message that an answer leads to stands out this long. */
export const HIGHLIGHT_MS = 2_000;

interface HighlightOptions {
  rows: readonly ThreadRow[];
  scrollToRow: (index: number, align: 'center') => void;
  /** Shown as soon as there are rows; null for none. */
  firstId: string | null;
  /** The message to be shown is not among those that are loaded. */
  onMissing: (id: string) => void;
}

/** Shows a message in the middle and lets it stand out for a while. */
export function useHighlight({ rows, scrollToRow, firstId, onMissing }: HighlightOptions) {
  const [wantedId, setWantedId] = useState<string | null>(firstId);
  const [highlightedKey, setHighlightedKey] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    if (wantedId === null) return;
    const index = rows.findIndex((row) => row.kind === 'message' && row.message.id === wantedId);
    const row = rows[index];
    // Only here is it seen which rows there are.
    // oxlint-disable-next-line react-hooks/set-state-in-effect
    setWantedId(null);
    if (!row) {
      onMissing(wantedId);
      return;
    }
    scrollToRow(index, 'center');
    setHighlightedKey(row.key);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHighlightedKey(null), HIGHLIGHT_MS);
  }, [wantedId, rows, scrollToRow, onMissing]);

  const showMessage = useCallback((id: string) => setWantedId(id), []);
  return { highlightedKey, showMessage };
}
