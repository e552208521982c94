/** Values that the browser stores for a fan. Nothing here throws: if storage is blocked, values are kept in memory. */
export interface Stored {
  get: (name: string) => string | null;
  set: (name: string, value: string) => void;
  remove: (name: string) => void;
}

const PREFIX = 'fan.';

/** Whether any other page shows the client in a frame. */
export const isFramed = window.parent !== window;

function openStorage(kind: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[kind];
  } catch {
    return null;
  }
}

function createStored(storage: Storage | null): Stored {
  const memory = new Map<string, string>();
  return {
    get(name) {
      return memory.get(name) ?? storage?.getItem(PREFIX + name) ?? null;
    },
    set(name, value) {
      try {
        if (storage === null) throw new Error('Storage is not available');
        storage.setItem(PREFIX + name, value);
        memory.delete(name);
      } catch {
        memory.set(name, value);
      }
    },
    remove(name) {
      memory.delete(name);
      storage?.removeItem(PREFIX + name);
    },
  };
}

// An embedded client's data ends with its tab: the embedding page opens a new session each time.
const storage = openStorage(isFramed ? 'sessionStorage' : 'localStorage');

export const stored = createStored(storage);

/** Values of this tab only. They survive a visit to another page, such as the payment page. */
export const storedInTab = createStored(openStorage('sessionStorage'));

/** Returns a stored JSON value; null if it is missing or does not parse. */
export function storedJson<T>(name: string): T | null {
  try {
    return JSON.parse(stored.get(name) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Calls the listener when another tab changes a stored value. @returns a function that removes the listener */
export function onStored(name: string, listener: (value: string | null) => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.storageArea === storage && event.key === PREFIX + name) listener(event.newValue);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
