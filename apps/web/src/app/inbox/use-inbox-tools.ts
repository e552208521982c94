import { persistently } from '@stagedoor/browser/lazy-part';
import { createContext, startTransition, useContext, useEffect, useState } from 'react';
import { afterFirstPaint } from '../../lib/lazy-loads.ts';

type Tools = typeof import('./inbox-tools.tsx');

const loadTools = () => afterFirstPaint(() => import('./inbox-tools.tsx'));

/** The components around the list and in its rows that load after the first rows. */
export const InboxTools = createContext<Tools | null>(null);

/** Returns the lazy tools; null until they have loaded. */
export const useInboxTools = () => useContext(InboxTools);

/** Loads the lazy tools. Returns the value for the context. */
export function useLoadedTools(): Tools | null {
  const [tools, setTools] = useState<Tools | null>(null);
  // Thrown while rendering, so that the error boundary handles it.
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    let isOver = false;
    persistently(loadTools).then(
      (loaded) => {
        if (!isOver) startTransition(() => setTools(loaded));
      },
      (error: unknown) => {
        if (!isOver) setFailure(new Error('The tools did not load', { cause: error }));
      },
    );
    return () => {
      isOver = true;
    };
  }, []);
  if (failure !== null) throw failure;
  return tools;
}
