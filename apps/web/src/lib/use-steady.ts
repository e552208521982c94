import { useEffect, useState } from 'react';

/** The delay before a placeholder appears, so that short work shows none. Milliseconds. */
const APPEARS_AFTER_MS = 150;
/** The minimum time a placeholder is shown, so that it doesn't flicker. Milliseconds. */
const STAYS_MS = 300;

/** Returns whether to show a placeholder for ongoing work, which appears after a delay and then stays for a minimum time. */
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
