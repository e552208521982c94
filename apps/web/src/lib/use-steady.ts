import { useEffect, useState } from 'react';

/** What is over before this was not worth a placeholder. */
const APPEARS_AFTER_MS = 150;
/** A placeholder that goes at once only flickers. */
const STAYS_MS = 300;

/** Whether to show a placeholder for work that goes on: not for short work, and not for a moment only. */
export function useSteady(isWorking: boolean): boolean {
  const [shownSince, setShownSince] = useState<number | null>(null);
  useEffect(() => {
    if (isWorking === (shownSince !== null)) return;
    const delay =
      shownSince === null
        ? APPEARS_AFTER_MS
        : Math.max(0, shownSince + STAYS_MS - performance.now());
    const timer = setTimeout(() => setShownSince(isWorking ? performance.now() : null), delay);
    return () => clearTimeout(timer);
  }, [isWorking, shownSince]);
  return shownSince !== null;
}
