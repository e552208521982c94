import { type Database, isUnavailable } from './database.ts';
import type { Call } from './together.ts';

/** Calls that one transaction takes: how long the first of them waits for the last is bounded. */
const TOGETHER_MAX = 32;

interface Waiting extends Call {
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** Runs statements that would only wait for each other's locks in the order in which they came. */
export interface Lanes {
  /** @param lane names what they would wait for */
  run<Row>(lane: string, call: Call): Promise<Row[]>;
}

/**
 * Each lane has one transaction at a time, which takes all that came while the one before ran: the database commits once for
 * them, and a busy lane holds one connection and not all of them. Lanes don't wait for each other. Each call is answered once
 * it is committed, and fails alone: when one does, all of its transaction run again by themselves.
 */
export function createLanes(db: Pick<Database, 'run' | 'runTogether'>): Lanes {
  const lanes = new Map<string, Waiting[]>();

  async function drain(lane: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) await runAll(waiting.splice(0, TOGETHER_MAX));
    lanes.delete(lane);
  }

  async function runAll(calls: readonly Waiting[]): Promise<void> {
    if (calls.length > 1) {
      try {
        const results = await db.runTogether<unknown>(calls);
        for (const [index, call] of calls.entries()) call.resolve(results[index] ?? []);
        return;
      } catch (error) {
        // Whether it was committed, nobody knows. Whoever sends again is told.
        if (isUnavailable(error)) {
          for (const call of calls) call.reject(error);
          return;
        }
      }
    }
    for (const call of calls) {
      await db.run<unknown>(call.statement, call.values).then(call.resolve, call.reject);
    }
  }

  return {
    run: <Row>(lane: string, call: Call) =>
      new Promise<Row[]>((resolve, reject) => {
        const entry: Waiting = { ...call, resolve: resolve as Waiting['resolve'], reject };
        const waiting = lanes.get(lane);
        if (waiting !== undefined) {
          waiting.push(entry);
          return;
        }
        const fresh = [entry];
        lanes.set(lane, fresh);
        void drain(lane, fresh);
      }),
  };
}
