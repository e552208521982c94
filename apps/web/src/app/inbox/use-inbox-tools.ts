import { startTransition, useEffect, useState } from 'react';
import { later } from '../../lib/later.ts';
import { persistently } from '../../lib/lazy-part.ts';

type Tools = typeof import('./inbox-tools.tsx');

const loadTools = () => later(() => import('./inbox-tools.tsx'));

/**
 * What is around the list and in its rows beside the rows themselves, in one piece once the first rows are painted; null
 * until then.
 */
export function useInboxTools(): Tools | null {
  const [tools, setTools] = useState<Tools | null>(null);
  // What could not be loaded is thrown where it would have been shown.
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
