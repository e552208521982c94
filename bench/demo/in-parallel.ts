/** Runs `work` for each item, at most `atATime` at once, until the signal aborts. @throws the first error */
export async function inParallel<T>(
  items: readonly T[],
  atATime: number,
  signal: AbortSignal,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length && !signal.aborted) {
      const index = next++;
      await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, worker));
}
