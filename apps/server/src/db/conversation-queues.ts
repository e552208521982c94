import pg from 'pg';
import { type Database, isUnavailable } from './database.ts';
import type { Call } from './together.ts';

/** Maximum number of calls per transaction, which bounds how long the first call waits for the last. */
const TOGETHER_MAX = 32;

/** Maximum number of parallel transactions that span several conversations. They never wait for locks, so few are enough. */
const ACROSS_MAX = 2;

/**
 * Builds a call.
 * @param waits whether the call waits for locks. Without waiting, a call for a locked row fails, or does nothing and returns a row
 * with the outcome `busy`
 */
type MakeCall = (waits: boolean) => Call;

interface Waiting {
  readonly make: MakeCall;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** Runs statements that lock a conversation's row. Statements of one conversation run in the order of the calls. */
export interface ConversationQueues {
  run<Row>(conversationId: string, make: MakeCall): Promise<Row[]>;
}

/**
 * Creates the queues. Calls for different conversations that arrive at the same time share a transaction, and so one round trip and
 * one commit. If a conversation is locked, its call runs again in a separate transaction and waits there. Calls for a conversation
 * that already has a call running share its next transaction. Each call resolves once it is committed. If a call fails, all calls
 * of its transaction run again separately, so that only the failing call is rejected. If the database is unavailable, all of them
 * are rejected.
 */
export function createConversationQueues(db: Pick<Database, 'runTogether'>): ConversationQueues {
  /** The waiting calls of each conversation. An entry exists while a call of its conversation is waiting or running. */
  const queues = new Map<string, Waiting[]>();
  /** Conversations whose first call waits for a transaction that spans several conversations. */
  let fresh: { readonly id: string; readonly waiting: Waiting[] }[] = [];
  let running = 0;

  function start(): void {
    while (fresh.length > 0 && running < ACROSS_MAX) {
      const batch = fresh.slice(0, TOGETHER_MAX);
      fresh = fresh.slice(TOGETHER_MAX);
      running++;
      void runAcross(batch).then(() => {
        running--;
        start();
      });
    }
  }

  async function runAcross(batch: typeof fresh): Promise<void> {
    const firsts = batch.flatMap(({ waiting }) => waiting.splice(0, 1));
    const left = await attempt(firsts, false);
    for (const [index, { id, waiting }] of batch.entries()) {
      waiting.unshift(...left.filter((call) => call === firsts[index]));
      void drain(id, waiting);
    }
  }

  async function drain(id: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      const calls = waiting.splice(0, TOGETHER_MAX);
      const left = calls.length > 1 ? await attempt(calls, true) : calls;
      for (const { make, resolve, reject } of left) {
        await db.runTogether([make(true)]).then(([rows = []]) => resolve(rows), reject);
      }
    }
    queues.delete(id);
  }

  /** Runs calls in one transaction. @returns the calls to run separately */
  async function attempt(calls: readonly Waiting[], waits: boolean): Promise<readonly Waiting[]> {
    try {
      const results = await db.runTogether<unknown>(calls.map(({ make }) => make(waits)));
      return calls.filter(({ resolve }, index) => {
        const rows = results[index] ?? [];
        const isBusy = (rows[0] as { outcome?: unknown } | undefined)?.outcome === 'busy';
        if (!isBusy) resolve(rows);
        return isBusy;
      });
    } catch (error) {
      const isLocked = !waits && error instanceof pg.DatabaseError && error.code === '55P03';
      if (isLocked || !isUnavailable(error)) return calls;
      // The transaction may have been committed. The caller's retry finds out.
      for (const { reject } of calls) reject(error);
      return [];
    }
  }

  return {
    run: <Row>(id: string, make: MakeCall) =>
      new Promise<Row[]>((resolve, reject) => {
        const call: Waiting = { make, resolve: resolve as Waiting['resolve'], reject };
        const queue = queues.get(id);
        if (queue !== undefined) {
          queue.push(call);
          return;
        }
        const waiting = [call];
        queues.set(id, waiting);
        fresh.push({ id, waiting });
        start();
      }),
  };
}
