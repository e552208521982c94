import { isPassing } from './api.ts';

/** Milliseconds before the first retry. The delay doubles with each further retry, up to the maximum. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5_000;

/** Runs work, and retries it until it succeeds or a retry can't help. */
export interface Persistence {
  /** Rejects with the work's error if a retry can't help. Does nothing if work with the same name is waiting for its retry. */
  run: (name: string, work: () => Promise<unknown>) => Promise<void>;
  stop: () => void;
}

export function createPersistence(): Persistence {
  const waiting = new Set<string>();
  let generation = 0;

  return {
    async run(name, work) {
      const mine = generation;
      for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
        // The waiting retry will start after this call, so it covers this call too.
        if (waiting.has(name)) return;
        try {
          await work();
          return;
        } catch (error) {
          if (!isPassing(error)) throw error;
        }
        if (generation !== mine || waiting.has(name)) return;
        waiting.add(name);
        await new Promise((resolve) => setTimeout(resolve, wait));
        if (generation !== mine) return;
        waiting.delete(name);
      }
    },
    stop() {
      generation += 1;
      waiting.clear();
    },
  };
}
