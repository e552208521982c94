import { useSyncExternalStore } from 'react';

let focused: string | null = null;
const listeners = new Set<() => void>();

function look(): void {
  const active = document.activeElement;
  // What lies over the page is used on what had the focus before.
  if (active?.closest('dialog, [popover]')) return;
  // A row and what chooses it stand in one item of the list.
  const row = active?.closest('li')?.querySelector<HTMLElement>('a[data-row]');
  const now = row?.dataset.row ?? null;
  if (now === focused) return;
  focused = now;
  for (const listener of listeners) listener();
}

/** The focus is on its way while it is told of. */
const lookSoon = () => queueMicrotask(look);

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    document.addEventListener('focusin', lookSoon);
    document.addEventListener('focusout', lookSoon);
    // A row that is taken out of the list loses the focus without a word: its key would act on what is not there.
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

/** The conversation whose row in the list has the focus, or null; re-rendering with it. */
export function useFocusedRow(): string | null {
  return useSyncExternalStore(subscribe, () => focused);
}
