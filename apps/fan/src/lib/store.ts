import { useSyncExternalStore } from 'react';

/** Holds a state that is only ever replaced as a whole, and notifies listeners of changes. */
export interface Store<S> {
  get: () => S;
  /** Replaces the state with the function's result. Listeners are not notified if the state is the same. */
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

/** Returns a part of a store's state, and re-renders when it changes. `select` must return the same value for the same state. */
export function useStore<S, T>(store: Store<S>, select: (state: S) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
