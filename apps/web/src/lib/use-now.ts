import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;

let now = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** As each minute of the clock begins, so that midnight is noticed when it comes. */
function awaitMinute(): void {
  timer = setTimeout(
    () => {
      now = Date.now();
      for (const notify of listeners) notify();
      awaitMinute();
    },
    MINUTE_MS - (Date.now() % MINUTE_MS),
  );
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    awaitMinute();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

/** The time in milliseconds, to the minute: one clock for all that show how long ago something was. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
