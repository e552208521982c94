import type { Database } from '../../db/database.ts';
import { recordActs } from './clocks.store.ts';

/** A buffer for the time of each admin's last act until it is written to the database. */
export interface Acts {
  /** Notes an act. Call it after the act is committed; it returns immediately. */
  note(adminId: string): void;
  /** Writes the time of each admin's last act to the admin's running clock, with one statement for all admins. */
  flush(): Promise<void>;
}

/** Creates the in-memory record of this process's acts. If the process dies, the acts of the last seconds are lost. */
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
        // Acts noted during the failed write are newer, so they replace the others.
        acts = new Map([...taken, ...acts]);
        throw error;
      }
    },
  };
}
