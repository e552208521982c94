import { useSyncExternalStore } from 'react';

/** A state that changes as a whole, and those who want to know. */
export interface Store<S> {
  get: () => S;
  /** Replaces the state by what the function makes of it; the same state tells nobody. */
  update: (change: (state: S) => S) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createStore<S>(initial: S): Store<S> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    update(change) {
      const next = change(state);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A part of a store's state, re-rendering with it. `select` must give the same for the same state. */
export function useStore<S, T>(store: Store<S>, select: (state: S) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
