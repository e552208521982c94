import { type KeyboardEvent, type RefObject, useCallback } from 'react';
import type { MessageRow, ThreadRow } from '../messages/thread-rows.ts';

/** Returns whether a row is a message, stored or pending. */
export function isMessage(row: ThreadRow): row is MessageRow {
  return row.kind === 'message' || row.kind === 'pending';
}

interface RowKeysOptions {
  rows: readonly ThreadRow[];
  scroller: RefObject<HTMLDivElement | null>;
  scrollToRow: (index: number, align: 'auto') => void;
  /** Called with the key of the row that gets the focus. */
  onFocus: (key: string) => void;
}

/**
 * Moves the focus between messages and notes by key.
 * @returns the key handler for the element around the rows
 */
export function useRowKeys({ rows, scroller, scrollToRow, onFocus }: RowKeysOptions) {
  const focusRow = useCallback(
    (index: number) => {
      const key = rows[index]?.key;
      if (key === undefined) return;
      onFocus(key);
      scrollToRow(index, 'auto');
      const focusIfRendered = () => {
        const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
        row?.focus({ preventScroll: true });
        return Boolean(row);
      };
      if (focusIfRendered()) return;
      // Scrolling renders the row. Does nothing if the focus has moved elsewhere by then.
      requestAnimationFrame(() => {
        const { activeElement, body } = document;
        if (activeElement === body || scroller.current?.contains(activeElement)) focusIfRendered();
      });
    },
    [rows, scroller, scrollToRow, onFocus],
  );
  return (event: KeyboardEvent<HTMLElement>) => {
    const from = rows.findIndex(({ key }) => key === (event.target as HTMLElement).dataset.row);
    if (from === -1 || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = rowFor(event.key, from, rows);
    if (to === null) return;
    event.preventDefault();
    focusRow(to);
  };
}

/** Returns the index of the row that a key leads to, or null for other keys. */
function rowFor(key: string, from: number, rows: readonly ThreadRow[]): number | null {
  const indexes = rows.flatMap((row, index) =>
    isMessage(row) || row.kind === 'note' ? [index] : [],
  );
  const at = indexes.indexOf(from);
  const targets: Record<string, number | undefined> = {
    ArrowUp: indexes[Math.max(0, at - 1)],
    ArrowDown: indexes[at + 1] ?? from,
    Home: indexes[0],
    End: indexes.at(-1),
  };
  return targets[key] ?? null;
}
