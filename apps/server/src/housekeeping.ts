import { every } from './realtime/outbox.ts';

const HOUSEKEEPING_MS = 10 * 60_000;

type Step = () => Promise<unknown>;

/** Runs every step once every ten minutes. */
export function startHousekeeping(steps: readonly Step[], log: (error: unknown) => void) {
  return every(HOUSEKEEPING_MS, () => keepHouse(steps, log), log);
}

/** Runs every step once. A step that fails is logged, and the others run nevertheless. */
export async function keepHouse(
  steps: readonly Step[],
  log: (error: unknown) => void,
): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log(error);
    }
  }
}
