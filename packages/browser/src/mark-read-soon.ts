/** How long the newest message must be in view to count as read, in milliseconds. */
const READ_AFTER_MS = 1_000;
const RETRY_MS = 5_000;

/**
 * Marks messages as read after a second in view. Retries until the call succeeds or fails for good.
 * @param isPassing whether a retry may succeed after this error
 * @returns a function that stops the timer and further retries
 */
export function markReadSoon(
  mark: () => Promise<void>,
  isPassing: (error: unknown) => boolean,
): () => void {
  let isStopped = false;
  let timer = setTimeout(run, READ_AFTER_MS);
  function run(): void {
    mark().catch((error: unknown) => {
      if (!isPassing(error)) console.error('Failed to mark as read', error);
      else if (!isStopped) timer = setTimeout(run, RETRY_MS);
    });
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
