/** Asked before the page is left for another address; `go` leaves it. */
export type LeaveGuard = (go: () => void) => void;

let current: LeaveGuard | null = null;

/** Lets `guard` be asked from now on; returns how to stop that. */
export function guardLeaving(guard: LeaveGuard): () => void {
  current = guard;
  return () => {
    if (current === guard) current = null;
  };
}

/** Goes at once, or where something may be lost by it when it was agreed to. */
export function leave(go: () => void): void {
  const guard = current;
  if (guard === null) go();
  else
    guard(() => {
      current = null;
      go();
    });
}

/** Whether somebody would be asked. */
export function isLeavingGuarded(): boolean {
  return current !== null;
}
