import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE_MS);
  return () => clearInterval(timer);
}

const startOfToday = (): number => new Date().setHours(0, 0, 0, 0);

/** Returns the start of the local day in milliseconds, and re-renders when a new day begins. */
export function useToday(): number {
  return useSyncExternalStore(subscribe, startOfToday);
}

const thisMinute = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

/** Returns the current time to the minute, in milliseconds, and re-renders every minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, thisMinute);
}
