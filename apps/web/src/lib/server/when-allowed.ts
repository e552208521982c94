import { ApiError, isRateLimited } from './api.ts';

/** The pause after a rate limit response without a Retry-After, in milliseconds. */
const PAUSE_MS = 5_000;

/** Makes a call, and retries it after a pause as long as it is rate-limited. @throws ApiError, or the signal's reason */
export async function whenAllowed<Reply>(
  make: () => Promise<Reply>,
  signal: AbortSignal,
): Promise<Reply> {
  for (;;) {
    try {
      return await make();
    } catch (error) {
      if (!isRateLimited(error) || signal.aborted) throw error;
      await pause(error);
    }
  }
}

function pause(error: unknown): Promise<void> {
  const seconds = error instanceof ApiError ? error.retryAfter : null;
  return new Promise((resolve) => {
    setTimeout(resolve, seconds === null ? PAUSE_MS : seconds * 1_000);
  });
}
