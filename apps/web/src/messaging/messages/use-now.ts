import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

function nextMidnight(now: number): number {
  return new Date(now).setHours(24, 0, 0, 0);
}

/** Returns the time in milliseconds, updated at each moment that `next` returns. */
function useNowUntil(next: (now: number) => number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), Math.max(1, next(now) - Date.now()));
    return () => clearTimeout(timer);
  }, [now, next]);
  return now;
}

const nextMinute = (now: number) => now - (now % MINUTE_MS) + MINUTE_MS;

/** Returns the time in milliseconds, updated every minute. */
export function useMinute(): number {
  return useNowUntil(nextMinute);
}

/** Returns the time in milliseconds, updated at midnight. */
export function useToday(): number {
  return useNowUntil(nextMidnight);
}
