import type { ComponentType, LazyExoticComponent } from 'react';
import { lazyPart } from './lazy-part.ts';

let begin: () => void = () => undefined;

const begun = new Promise<void>((resolve) => {
  begin = resolve;
});

/** Tells that what the page was opened for is on screen, so that whatever waits for that may come. */
export function beginLater(): void {
  begin();
}

/**
 * Fetches what the page can do without until what it was opened for is painted: code that came before would keep
 * that waiting.
 */
export async function later<Part>(load: () => Promise<Part>): Promise<Part> {
  await begun;
  return load();
}

/** A component that is shown by itself, but not before the page's first content. */
export function laterPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazyPart(() => later(load));
}
