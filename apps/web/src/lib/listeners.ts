/** Creates the list of listeners for a value kept outside React. `subscribe` returns a function that removes the listener. */
export function createListeners() {
  const all = new Set<() => void>();
  return {
    notify() {
      for (const listener of all) listener();
    },
    subscribe(listener: () => void): () => void {
      all.add(listener);
      return () => all.delete(listener);
    },
  };
}
