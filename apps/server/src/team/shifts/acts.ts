import type { Database } from '../../db/database.ts';
import { recordActs } from './clocks.store.ts';

/** Remembers when each admin last did something that the server confirmed, until it is written. */
export interface Acts {
  /** Notes an act. Call it after the act is committed; it returns immediately. */
  note(adminId: string): void;
  /** Writes the newest act of each admin to their running clock, in one statement for all. */
  flush(): Promise<void>;
}

/** Creates the memory of this process's acts. A process that dies loses those of the last seconds. */
export function createActs(db: Database): Acts {
  let acts = new Map<string, number>();
  return {
    note: (adminId) => void acts.set(adminId, performance.now()),
    async flush() {
      if (acts.size === 0) return;
      const taken = acts;
      acts = new Map();
      const now = performance.now();
      try {
        await recordActs(db, new Map([...taken].map(([id, at]) => [id, (now - at) / 1_000])));
      } catch (error) {
        // Newer ones win.
        acts = new Map([...taken, ...acts]);
        throw error;
      }
    },
  };
}
