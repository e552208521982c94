import { readFile } from 'node:fs/promises';

const SAMPLE_MS = 20;
const MEGABYTE = 1024 * 1024;

/** Returns the resident memory (RSS, on Linux) of a process in MB. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MEGABYTE;
}

/** Measures how far a process's memory rises while `work` runs. Memory in MB. */
export async function growthOf(
  pid: number,
  work: () => Promise<unknown>,
): Promise<{ before: number; growth: number; seconds: number }> {
  const before = await memoryOf(pid);
  let peak = before;
  let sampling: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    sampling = memoryOf(pid).then((now) => {
      peak = Math.max(peak, now);
    });
  }, SAMPLE_MS);
  const started = performance.now();
  try {
    await work();
  } finally {
    clearInterval(timer);
    await sampling;
  }
  const seconds = (performance.now() - started) / 1000;
  return { before, growth: peak - before, seconds };
}
