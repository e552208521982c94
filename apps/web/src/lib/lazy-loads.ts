import type { ComponentType, LazyExoticComponent } from 'react';
import { lazyPart } from './lazy-part.ts';

let begin: () => void = () => undefined;

const begun = new Promise<void>((resolve) => {
  begin = resolve;
});

/** Signals that the page's main content is on screen, which starts the loads that wait for it. */
export function startLazyLoads(): void {
  begin();
}

/**
 * Loads code that the page doesn't need for its main content, once that content is painted. Loading it earlier would delay the
 * main content.
 */
export async function later<Part>(load: () => Promise<Part>): Promise<Part> {
  await begun;
  return load();
}

/** A lazy component that loads only after the page's main content is painted. */
export function lazyAfterFirstPaint<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazyPart(() => later(load));
}
