import { useEffect } from 'react';

/** Makes the browser ask before it closes or leaves the page, while there is unsaved input. */
export function useUnloadQuestion(wouldLose: boolean): void {
  useEffect(() => {
    if (!wouldLose) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [wouldLose]);
}
