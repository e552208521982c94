import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

function nextMidnight(now: number): number {
  return new Date(now).setHours(24, 0, 0, 0);
}

/** The time in milliseconds, renewed whenever the moment that `next` names has come. */
function useNowUntil(next: (now: number) => number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), Math.max(1, next(now) - Date.now()));
    return () => clearTimeout(timer);
  }, [now, next]);
  return now;
}

const nextMinute = (now: number) => now - (now % MINUTE_MS) + MINUTE_MS;

/** The time in milliseconds, as of the minute that runs. */
export function useMinute(): number {
  return useNowUntil(nextMinute);
}

/** The time in milliseconds, as of the day that runs. */
export function useToday(): number {
  return useNowUntil(nextMidnight);
}
