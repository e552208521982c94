import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPath, type Location, type Navigator, Router, type To } from 'react-router';

/** What the browser's history keeps of an entry for us. */
interface Entry {
  key: string;
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

function write(method: 'pushState' | 'replaceState', to: To, state: unknown): void {
  const entry: Entry = { key: crypto.randomUUID?.() ?? String(performance.now()), state };
  window.history[method](entry, '', hrefOf(to));
  changes.dispatchEvent(new Event('change'));
}

const navigator: Navigator = {
  createHref: hrefOf,
  go: (delta) => window.history.go(delta),
  push: (to, state) => write('pushState', to, state),
  replace: (to, state) => write('replaceState', to, state),
};

/**
 * Routes by the browser's own history. The router library's ready-made one carries its data and framework modes along,
 * 5 kB that the first load would pay for nothing.
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(currentLocation);
  useLayoutEffect(() => {
    const update = () => setLocation(currentLocation());
    window.addEventListener('popstate', update);
    changes.addEventListener('change', update);
    return () => {
      window.removeEventListener('popstate', update);
      changes.removeEventListener('change', update);
    };
  }, []);
  return (
    <Router location={location} navigator={navigator}>
      {children}
    </Router>
  );
}
