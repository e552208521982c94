import { useSyncExternalStore } from 'react';

let focused: string | null = null;
const listeners = new Set<() => void>();

function look(): void {
  const active = document.activeElement;
  // Commands of an open overlay act on the row that had the focus before it opened.
  if (active?.closest('dialog, [popover]')) return;
  // A row and its checkbox are in the same list item.
  const row = active?.closest('li')?.querySelector<HTMLElement>('a[data-row]');
  const now = row?.dataset.row ?? null;
  if (now === focused) return;
  focused = now;
  for (const listener of listeners) listener();
}

/** Runs `look` once the current event is over, because the event fires before the focus has moved. */
const lookSoon = () => queueMicrotask(look);

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    document.addEventListener('focusin', lookSoon);
    document.addEventListener('focusout', lookSoon);
    // A removed row loses the focus without an event. Without this check, shortcuts would still act on that row.
    document.addEventListener('keydown', look, { capture: true });
  }
  listeners.add(listener);
  look();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('focusin', lookSoon);
    document.removeEventListener('focusout', lookSoon);
    document.removeEventListener('keydown', look, { capture: true });
  };
}

/** Returns the conversation whose row has the focus, or null. Re-renders when it changes. */
export function useFocusedRow(): string | null {
  return useSyncExternalStore(subscribe, () => focused);
}
