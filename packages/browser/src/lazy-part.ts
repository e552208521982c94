import {
  type ComponentType,
  createElement,
  type FunctionComponent,
  type LazyExoticComponent,
  lazy,
  Suspense,
} from 'react';

/** Milliseconds before the first retry. The delay doubles with each further retry. */
const FIRST_RETRY_MS = 1_000;
/** The maximum number of tries. The delays between them add up to half a minute, which is enough for a server restart. */
const TRIES = 6;

/**
 * Creates a component whose code is fetched on first render. A failed request is retried, so that a single failure doesn't
 * break the page. The error reaches the error boundary only after the last retry.
 * @param load fetches the component
 */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await persistently(load) }));
}

/** Creates a lazy component that shows nothing until its code has loaded, such as a dialog. */
export function lazyExtra<Props>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  const Part: ComponentType<Props & object> = lazyPart(load);
  return (props) =>
    createElement(Suspense, { fallback: null }, createElement(Part, props as Props & object));
}

/** Calls `load` until it succeeds, at most `TRIES` times, and returns its result. */
export async function persistently<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let tries = 1, wait = FIRST_RETRY_MS; ; tries += 1, wait *= 2) {
    try {
      return await load();
    } catch (error) {
      if (tries === TRIES) throw error;
      console.warn('Failed to load; retrying', error);
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
