import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;

let now = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Ticks at the start of each clock minute, so that midnight is noticed on time. */
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

/** Returns the current time in milliseconds, updated every minute. All relative times share this one clock. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** Returns the time in milliseconds at which the current day began. */
export function useToday(): number {
  return useSyncExternalStore(subscribe, () => new Date(now).setHours(0, 0, 0, 0));
}
