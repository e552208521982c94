import { lazyExtra } from '@stagedoor/browser/lazy-part';
import type { ComponentType, FunctionComponent } from 'react';

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
export async function afterFirstPaint<Part>(load: () => Promise<Part>): Promise<Part> {
  await begun;
  return load();
}

/** Runs code that is not part of the first load, as soon as it is loaded. */
export function withPart<Part>(load: () => Promise<Part>, use: (part: Part) => unknown): void {
  load()
    .then(use)
    .catch((error: unknown) => console.error('Failed to load', error));
}

/** Creates a lazy component that loads only after the page's main content is painted. Until then it shows nothing. */
export function lazyAfterFirstPaint<Props>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  return lazyExtra(() => afterFirstPaint(load));
}
