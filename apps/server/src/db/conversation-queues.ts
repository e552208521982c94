import { type Database, isUnavailable } from './database.ts';
import type { Call } from './together.ts';

/** Maximum number of calls per transaction, which bounds how long the first one waits for the last. */
const TOGETHER_MAX = 32;

interface Waiting extends Call {
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** Per-conversation queues: run statements that would wait for each other's locks in the order of their calls. */
export interface ConversationQueues {
  /** @param conversationId selects the queue; statements that take the same locks must use the same id */
  run<Row>(conversationId: string, call: Call): Promise<Row[]>;
}

/**
 * Creates the queues. Each runs one transaction at a time, with all calls that arrived during the previous one: they share one
 * commit, and a busy queue uses a single connection. Queues don't wait for each other. Each call resolves once it is committed,
 * and fails alone: if one fails, all calls of its transaction are run again separately.
 */
export function createConversationQueues(
  db: Pick<Database, 'run' | 'runTogether'>,
): ConversationQueues {
  const queues = new Map<string, Waiting[]>();

  async function drain(conversationId: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) await runAll(waiting.splice(0, TOGETHER_MAX));
    queues.delete(conversationId);
  }

  async function runAll(calls: readonly Waiting[]): Promise<void> {
    if (calls.length > 1) {
      try {
        const results = await db.runTogether<unknown>(calls);
        for (const [index, call] of calls.entries()) call.resolve(results[index] ?? []);
        return;
      } catch (error) {
        // It is unknown whether the transaction was committed. A retry of the call finds out.
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
    run: <Row>(conversationId: string, call: Call) =>
      new Promise<Row[]>((resolve, reject) => {
        const entry: Waiting = { ...call, resolve: resolve as Waiting['resolve'], reject };
        const waiting = queues.get(conversationId);
        if (waiting !== undefined) {
          waiting.push(entry);
          return;
        }
        const fresh = [entry];
        queues.set(conversationId, fresh);
        void drain(conversationId, fresh);
      }),
  };
}
