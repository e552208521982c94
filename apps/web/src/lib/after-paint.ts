/** Nothing waits for a frame longer than this: a tab behind another paints none. Milliseconds. */
const PATIENCE_MS = 50;

let pending: Promise<void> | null = null;

/**
 * What someone just did is on screen; null where nothing waits to be shown. Whatever comes from the network in that moment can
 * be shown a frame later: rendered at once it would keep them waiting for the answer to their own hand.
 */
export function afterPaint(): Promise<void> | null {
  return pending;
}

function waitForPaint(): void {
  pending ??= new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      pending = null;
      resolve();
    };
    const timer = setTimeout(finish, PATIENCE_MS);
    // The frame that this belongs to is painted once the next task runs.
    requestAnimationFrame(() => setTimeout(finish));
  });
}

/** Takes note of whatever someone does from now on. Called once. */
export function watchHands(): void {
  for (const type of ['pointerdown', 'pointerup', 'keydown'])
    window.addEventListener(type, waitForPaint, { capture: true, passive: true });
}
