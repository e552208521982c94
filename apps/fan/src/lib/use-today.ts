import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE_MS);
  return () => clearInterval(timer);
}

const startOfToday = (): number => new Date().setHours(0, 0, 0, 0);

/** When the local day began, in milliseconds, re-rendering with the next. */
export function useToday(): number {
  return useSyncExternalStore(subscribe, startOfToday);
}

const thisMinute = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

/** The time to the minute, in milliseconds, re-rendering with it. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, thisMinute);
}
