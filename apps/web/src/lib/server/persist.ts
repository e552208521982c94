import { isPassing } from './api.ts';

/** Milliseconds before the second try; each later one waits twice as long, up to the last. */
export const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5_000;

/** Work that is done until it succeeds, whatever the server goes through meanwhile. */
export interface Persistence {
  /** Rejects with what the work rejects with, where trying again can't help. Work waiting under the same name is joined. */
  run: (name: string, work: () => Promise<unknown>) => Promise<void>;
  /** Gives up all that goes on. */
  stop: () => void;
}

export function createPersistence(): Persistence {
  const waiting = new Set<string>();
  let generation = 0;

  return {
    async run(name, work) {
      const mine = generation;
      for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
        // What waits will be done later than now, which is as good.
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
