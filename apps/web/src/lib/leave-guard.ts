/** Asked before the page is left for another address; `go` leaves it. */
export type LeaveGuard = (go: () => void) => void;

/** All that would lose something; the latest is the one that asks. */
let guards: readonly LeaveGuard[] = [];

/** Lets `guard` be asked from now on; returns how to stop that. */
export function guardLeaving(guard: LeaveGuard): () => void {
  guards = [...guards, guard];
  return () => {
    guards = guards.filter((other) => other !== guard);
  };
}

/** Goes at once, or where something may be lost by it when it was agreed to. */
export function leave(go: () => void): void {
  const guard = guards.at(-1);
  if (guard === undefined) go();
  else
    guard(() => {
      guards = [];
      go();
    });
}

/** Whether somebody would be asked. */
export function isLeavingGuarded(): boolean {
  return guards.length > 0;
}
