import { every } from './realtime/outbox.ts';

const HOUSEKEEPING_MS = 10 * 60_000;

type Step = () => Promise<unknown>;

/** Runs every step every ten minutes. */
export function startHousekeeping(steps: readonly Step[], log: (error: unknown) => void) {
  return every(HOUSEKEEPING_MS, () => runHousekeeping(steps, log), log);
}

/** Runs every step once. If a step fails, the error is logged and the next step runs. */
export async function runHousekeeping(
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
