import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  for (const name of ['focus', 'blur']) window.addEventListener(name, listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    for (const name of ['focus', 'blur']) window.removeEventListener(name, listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

const isFocused = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/** Returns whether the page is visible and has the focus. Re-renders when that changes. */
export function useFocused(): boolean {
  return useSyncExternalStore(subscribe, isFocused);
}
