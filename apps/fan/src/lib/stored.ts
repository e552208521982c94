/** What a browser keeps for a fan, by a short name. Nothing here throws: where keeping is refused, the tab's memory serves. */
export interface Stored {
  get: (name: string) => string | null;
  set: (name: string, value: string) => void;
  remove: (name: string) => void;
}

const PREFIX = 'fan.';

/** Whether the client stands inside another page. */
export const isFramed = window.parent !== window;

function openStorage(): Storage | null {
  try {
    // What is embedded forgets with its tab: the page around it hands out a new session whenever it is opened.
    return isFramed ? window.sessionStorage : window.localStorage;
  } catch {
    return null;
  }
}

const storage = openStorage();
const memory = new Map<string, string>();

export const stored: Stored = {
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

/** Reads what was kept as JSON; null where nothing was, or nothing that can be read. */
export function storedJson<T>(name: string): T | null {
  try {
    return JSON.parse(stored.get(name) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Calls back when another tab changes what is kept under the name. @returns how to stop */
export function onStored(name: string, listener: (value: string | null) => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.storageArea === storage && event.key === PREFIX + name) listener(event.newValue);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
