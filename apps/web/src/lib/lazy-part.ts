import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** Milliseconds before a part is asked for again; each later time twice as long. */
const FIRST_RETRY_MS = 1_000;
/** Half a minute: a server that restarts is back by then. */
const TRIES = 6;

/**
 * A component whose code is fetched once it is shown. One request that fails must not take the page with it: it is made
 * again, and only a part that can't be had at all ends at the error boundary.
 * @param load gives the component
 */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await persistently(load) }));
}

/** What a load gives, which is made again a few times where it fails. */
export async function persistently<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let tries = 1, wait = FIRST_RETRY_MS; ; tries += 1, wait *= 2) {
    try {
      return await load();
    } catch (error) {
      if (tries === TRIES) throw error;
      console.warn('A part of the page did not load, and is asked for again', error);
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
