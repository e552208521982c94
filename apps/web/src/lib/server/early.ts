/** A request that public/early.js sent while the scripts were loading. */
interface EarlyCall {
  readonly path: string;
  readonly token: string;
  readonly reply: Promise<Response>;
}

type EarlyPage = typeof globalThis & { stagedoorEarly?: EarlyCall[] };

/** Returns whether public/early.js sent requests whose responses are still unused. */
export function wasAskedEarly(): boolean {
  const page: EarlyPage = globalThis;
  return (page.stagedoorEarly ?? []).length > 0;
}

/**
 * Returns the response to a GET that public/early.js sent for the same session; null if it sent none, or if the response was
 * already taken. Resolves to null if the request failed, so that the caller sends it again.
 */
export function takeEarly(path: string, token: string | null): Promise<Response | null> | null {
  const page: EarlyPage = globalThis;
  const found = page.stagedoorEarly?.find((early) => early.path === path);
  if (!found) return null;
  page.stagedoorEarly = page.stagedoorEarly?.filter((early) => early !== found) ?? [];
  if (found.token !== token) return null;
  return found.reply.catch(() => null);
}
