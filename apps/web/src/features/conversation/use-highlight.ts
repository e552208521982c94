import { useCallback, useEffect, useRef, useState } from 'react';
import type { ThreadRow } from './thread-rows.ts';

/** The message that an answer leads to stands out this long. */
export const HIGHLIGHT_MS = 2_000;

interface HighlightOptions {
  rows: readonly ThreadRow[];
  scrollToRow: (index: number, align: 'center') => void;
  hasMore: boolean;
  loadOlder: () => Promise<boolean>;
}

/** Shows a message in the middle and lets it stand out for a while. One that is not loaded is loaded first. */
export function useHighlight({ rows, scrollToRow, hasMore, loadOlder }: HighlightOptions) {
  const [wantedId, setWantedId] = useState<string | null>(null);
  const [highlightedKey, setHighlightedKey] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    if (wantedId === null) return;
    const index = rows.findIndex((row) => row.kind === 'message' && row.message.id === wantedId);
    const row = rows[index];
    if (row) {
      // Only here is it seen that the page with the message has joined the rows.
      // oxlint-disable-next-line react-hooks/set-state-in-effect
      setWantedId(null);
      scrollToRow(index, 'center');
      setHighlightedKey(row.key);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setHighlightedKey(null), HIGHLIGHT_MS);
    } else if (hasMore) {
      // The next page changes the rows, and with them this is looked at again.
      void loadOlder().then((isLoaded) => {
        if (!isLoaded) setWantedId(null);
      });
    } else {
      setWantedId(null);
    }
  }, [wantedId, rows, scrollToRow, hasMore, loadOlder]);

  const showMessage = useCallback((id: string) => setWantedId(id), []);
  return { highlightedKey, showMessage };
}
