import { useSyncExternalStore } from 'react';

/** A short word on what was done, which goes by itself. */
export interface Toast {
  text: string;
  /** Takes back what was done. */
  onUndo?: (() => void) | undefined;
}

let current: Toast | null = null;
const listeners = new Set<() => void>();

/** Shows a toast in place of the one before; null takes it away. */
export function showToast(toast: Toast | null): void {
  current = toast;
  for (const listener of listeners) listener();
}

/** The toast that is due, re-rendering with it. */
export function useToast(): Toast | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
