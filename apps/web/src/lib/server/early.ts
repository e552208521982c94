/** A call that public/early.js made while the scripts were loading. */
interface EarlyCall {
  readonly path: string;
  readonly token: string;
  readonly reply: Promise<Response>;
}

type EarlyPage = typeof globalThis & { stagedoorEarly?: EarlyCall[] };

/** Whether public/early.js made calls whose replies nobody has taken. */
export function wasAskedEarly(): boolean {
  const page: EarlyPage = globalThis;
  return (page.stagedoorEarly ?? []).length > 0;
}

/**
 * The reply to a GET that was asked for early by the same session, once. Null where there is none; it comes to null
 * where it failed, so that asking for it is still to be done.
 */
export function takeEarly(path: string, token: string | null): Promise<Response | null> | null {
  const page: EarlyPage = globalThis;
  const found = page.stagedoorEarly?.find((early) => early.path === path);
  if (!found) return null;
  page.stagedoorEarly = page.stagedoorEarly?.filter((early) => early !== found) ?? [];
  if (found.token !== token) return null;
  return found.reply.catch(() => null);
}
