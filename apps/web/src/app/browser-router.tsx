import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPath, type Location, type Navigator, Router, type To } from 'react-router';
import { isLeavingGuarded, leave } from '../lib/leave-guard.ts';

/** The app's data in a browser history entry. */
interface Entry {
  key: string;
  /** The number of history entries that the app added before this entry. */
  index?: number;
  state: unknown;
}

function currentLocation(): Location {
  const { pathname, search, hash } = window.location;
  const entry = window.history.state as Partial<Entry> | null;
  return { pathname, search, hash, key: entry?.key ?? 'default', state: entry?.state ?? null };
}

function hrefOf(to: To): string {
  return typeof to === 'string' ? to : createPath(to);
}

const changes = new EventTarget();

function indexNow(): number {
  return (window.history.state as Partial<Entry> | null)?.index ?? 0;
}

let index = indexNow();

function write(method: 'pushState' | 'replaceState', to: To, state: unknown): void {
  if (method === 'pushState') index += 1;
  const key = crypto.randomUUID?.() ?? String(performance.now());
  const entry: Entry = { key, index, state };
  window.history[method](entry, '', hrefOf(to));
  changes.dispatchEvent(new Event('change'));
}

const navigator: Navigator = {
  createHref: hrefOf,
  go: (delta) => window.history.go(delta),
  push: (to, state) => {
    const go = () => write('pushState', to, state);
    const { pathname } = new URL(hrefOf(to), window.location.href);
    if (pathname === window.location.pathname) go();
    else leave(go);
  },
  replace: (to, state) => write('replaceState', to, state),
};

/**
 * A router based on the browser's history. Replaces React Router's `BrowserRouter`, which would add 5 kB of unused code (its data
 * and framework modes) to the first load.
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(currentLocation);
  useLayoutEffect(() => {
    const update = () => setLocation(currentLocation());
    const onPop = () => {
      const steps = indexNow() - index;
      if (steps !== 0 && isLeavingGuarded()) {
        // The browser has already navigated: go back to the page that asks for confirmation.
        window.history.go(-steps);
        leave(() => window.history.go(steps));
        return;
      }
      index = indexNow();
      update();
    };
    window.addEventListener('popstate', onPop);
    changes.addEventListener('change', update);
    return () => {
      window.removeEventListener('popstate', onPop);
      changes.removeEventListener('change', update);
    };
  }, []);
  return (
    <Router location={location} navigator={navigator}>
      {children}
    </Router>
  );
}
