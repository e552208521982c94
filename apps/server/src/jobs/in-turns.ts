/** Runs at most `atOnce` tasks at a time; further ones wait in a queue. */
export function inTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The next waiting task takes over this slot.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
