/** Does work so many at once; what comes later waits for its turn. */
export function inTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // Who waits takes the place over.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
