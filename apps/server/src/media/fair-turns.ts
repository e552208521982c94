/** The person who submitted a task. At most one task per person runs at a time. */
export interface Worker {
  readonly kind: 'staff' | 'fan';
  readonly id: string;
}

interface Waiting {
  readonly by: Worker;
  readonly start: () => void;
}

/**
 * Shares a few slots fairly: staff come before fans, within each group the person served longest ago comes first, and nobody gets
 * two slots. So if someone sends a hundred pictures, everyone else waits for at most one of these.
 * @param slots maximum number of tasks that run at the same time
 * @returns a function that waits for a slot and runs `work` in it. If the signal aborts during the wait, the function rejects with
 * the signal's reason
 */
export function createFairTurns(slots: number) {
  /** In order of arrival; after a person was served, the rest of their tasks go to the end. */
  let waiting: Waiting[] = [];
  const served = new Set<string>();

  const startNext = () => {
    while (served.size < slots) {
      const idle = waiting.filter(({ by }) => !served.has(by.id));
      const next = idle.find(({ by }) => by.kind === 'staff') ?? idle[0];
      if (next === undefined) return;
      waiting.splice(waiting.indexOf(next), 1);
      served.add(next.by.id);
      next.start();
    }
  };
  const end = ({ id }: Worker) => {
    served.delete(id);
    const theirs = waiting.filter(({ by }) => by.id === id);
    waiting = [...waiting.filter(({ by }) => by.id !== id), ...theirs];
    startNext();
  };

  return async <T>(by: Worker, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      const leave = () => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(signal.reason);
      };
      const turn: Waiting = {
        by,
        start() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(turn);
      startNext();
    });
    try {
      return await work();
    } finally {
      end(by);
    }
  };
}
