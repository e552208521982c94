import { useSyncExternalStore } from 'react';

/** How tightly the console lays out its content. */
export type Density = 'comfortable' | 'compact';

/** Where the choice is stored; `public/theme.js` reads the same key before the first paint. */
const STORED_DENSITY = 'density';

const listeners = new Set<() => void>();

function readDensity(): Density {
  return document.documentElement.dataset.density === 'compact' ? 'compact' : 'comfortable';
}

export function setDensity(density: Density): void {
  const { dataset } = document.documentElement;
  if (density === 'compact') {
    localStorage.setItem(STORED_DENSITY, density);
    dataset.density = density;
  } else {
    localStorage.removeItem(STORED_DENSITY);
    delete dataset.density;
  }
  for (const listener of listeners) listener();
}

export function useDensity(): Density {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readDensity);
}
