import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

/** How tightly the console lays out its content. */
export type Density = 'comfortable' | 'compact';

/** The local storage key of the chosen density. `public/theme.js` also reads it, before the first paint. */
const STORED_DENSITY = 'density';

const listeners = createListeners();

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
  listeners.notify();
}

export function useDensity(): Density {
  return useSyncExternalStore(listeners.subscribe, readDensity);
}
