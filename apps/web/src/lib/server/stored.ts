import { createListeners } from '../listeners.ts';
import { getSession, subscribeSession } from './session.ts';

/** A value in local storage, separate for each admin. Other tabs may change it too. */
export interface Stored<T> {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
}

interface StoredOptions<T> {
  name: string;
  empty: T;
  /** Returns the usable part of a stored text; throws if it does not parse. */
  parse: (text: string) => T;
}

/**
 * Caches the signed-in admin's stored value until another tab changes it.
 * @param prefix the beginning of the names in local storage
 * @param read returns the stored value; may throw if it does not parse
 */
function createCache<T>(prefix: string, empty: T, read: (key: string) => T) {
  const { notify, subscribe } = createListeners();
  let cached: { admin: string | null; value: T } | null = null;
  subscribeSession(notify);

  function admin(): string | null {
    const session = getSession();
    return session.status === 'signed_in' ? session.admin.id : null;
  }

  /** Runs a read or write, and logs a failure: the storage may be full, or its text may not parse. */
  function attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      console.error(`Failed to store ${prefix}`, error);
    }
  }

  function get(): T {
    const owner = admin();
    if (cached?.admin !== owner) {
      const next = { admin: owner, value: empty };
      if (owner !== null) {
        // The cached value must follow other tabs even without subscribers. Adding the same listener again has no effect.
        window.addEventListener('storage', onStorage);
        attempt(() => {
          next.value = read(prefix + owner);
        });
      }
      cached = next;
    }
    return cached.value;
  }

  function onStorage({ key }: StorageEvent): void {
    if (key?.startsWith(prefix) === false) return;
    cached = null;
    notify();
  }

  /** Sets the value and stores the changed part; null removes that part. If the storage is full, the value stays in memory only. */
  function set(value: T, changed: unknown, suffix = ''): void {
    const owner = admin();
    if (owner === null) return;
    cached = { admin: owner, value };
    const key = prefix + owner + suffix;
    attempt(() => {
      if (changed === null) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(changed));
    });
    notify();
  }

  return { get, set, subscribe };
}

/** Stores a value for the signed-in admin. If the storage is full, the value is kept in memory. */
export function createStored<T>({ name, empty, parse }: StoredOptions<T>): Stored<T> {
  const { get, set, subscribe } = createCache(`stagedoor_${name}:`, empty, (key) => {
    const text = localStorage.getItem(key);
    return text === null ? empty : parse(text);
  });
  return {
    get,
    set: (value) => set(value, value),
    subscribe,
  };
}

/** Unsaved input by id, which survives a reload. */
interface StoredInput<T> {
  all: () => Readonly<Record<string, T>>;
  /** Returns the input for an id, or null. */
  read: (id: string) => T | null;
  /** Stores input; null removes it. */
  write: (id: string, input: T | null) => void;
  /** Returns whether there is any input, so that signing out asks first. */
  hasAny: () => boolean;
  /** Deletes all input of the signed-in admin. Call it before a sign-out clears the session. */
  clear: () => void;
  subscribe: (listener: () => void) => () => void;
}

/**
 * Stores unsaved input of one kind for the signed-in admin. Each input has its own entry, so that writing one doesn't restore
 * another that a second tab has just removed.
 * @param isCurrent false for input that is too old to be kept
 */
export function createStoredInput<T>(
  name: string,
  isCurrent: (input: T) => boolean = () => true,
): StoredInput<T> {
  const { get, set, subscribe } = createCache<Readonly<Record<string, T>>>(
    `stagedoor_${name}:`,
    {},
    (key) => {
      spread(key);
      const inputs: Record<string, T> = {};
      for (const [entry, text] of Object.entries<string>(localStorage)) {
        if (!entry.startsWith(`${key}:`)) continue;
        const input = JSON.parse(text) as T;
        if (isCurrent(input)) inputs[entry.slice(key.length + 1)] = input;
        else localStorage.removeItem(entry);
      }
      return inputs;
    },
  );
  const write = (id: string, input: T | null) => {
    const { [id]: before, ...others } = get();
    if (input !== null) set({ ...others, [id]: input }, input, `:${id}`);
    else if (before !== undefined) set(others, null, `:${id}`);
  };
  return {
    all: get,
    read: (id) => get()[id] ?? null,
    write,
    hasAny: () => Object.keys(get()).length > 0,
    clear() {
      for (const id of Object.keys(get())) write(id, null);
    },
    subscribe,
  };
}

/** Splits an entry in which an earlier app version stored all inputs together. */
function spread(key: string): void {
  const inputs = JSON.parse(localStorage.getItem(key) ?? '{}') as object;
  for (const [id, input] of Object.entries(inputs))
    localStorage.setItem(`${key}:${id}`, JSON.stringify(input));
  localStorage.removeItem(key);
}
