/** Milliseconds after which a wait ends even if no frame was painted, as in a background tab. */
const PATIENCE_MS = 50;

let pending: Promise<void> | null = null;

/**
 * Returns a promise that resolves once the result of the user's latest input is painted; null if no paint is pending. Network
 * results wait for it, because rendering them at once would delay the response to the input.
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
    // The next task runs once this frame is painted.
    requestAnimationFrame(() => setTimeout(finish));
  });
}

/** Starts tracking the user's pointer and key input. Called once. */
export function watchInput(): void {
  for (const type of ['pointerdown', 'pointerup', 'keydown'])
    window.addEventListener(type, waitForPaint, { capture: true, passive: true });
}
