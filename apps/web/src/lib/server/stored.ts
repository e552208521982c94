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
  isEmpty: (value: T) => boolean;
}

/** Stores a value for the signed-in admin. If the storage is full, the value is kept in memory. */
export function createStored<T>({ name, empty, parse, isEmpty }: StoredOptions<T>): Stored<T> {
  const prefix = `stagedoor_${name}:`;
  const { notify, subscribe } = createListeners();
  let cached: { admin: string | null; value: T } | null = null;
  subscribeSession(notify);

  function admin(): string | null {
    const session = getSession();
    return session.status === 'signed_in' ? session.admin.id : null;
  }

  function read(owner: string): T {
    // The cached value must follow other tabs even without subscribers. Adding the same listener again has no effect.
    window.addEventListener('storage', onStorage);
    const text = localStorage.getItem(prefix + owner);
    try {
      return text === null ? empty : parse(text);
    } catch {
      return empty;
    }
  }

  function get(): T {
    const owner = admin();
    if (cached === null || cached.admin !== owner) {
      cached = { admin: owner, value: owner === null ? empty : read(owner) };
    }
    return cached.value;
  }

  function onStorage({ key }: StorageEvent): void {
    if (key !== null && !key.startsWith(prefix)) return;
    cached = null;
    notify();
  }

  function set(value: T): void {
    const owner = admin();
    if (owner === null) return;
    cached = { admin: owner, value };
    try {
      if (isEmpty(value)) localStorage.removeItem(prefix + owner);
      else localStorage.setItem(prefix + owner, JSON.stringify(value));
    } catch (error) {
      console.error(`Failed to store ${name}`, error);
    }
    notify();
  }

  return { get, set, subscribe };
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

/** Stores unsaved input of one kind for the signed-in admin. */
export function createStoredInput<T>(
  name: string,
  parse = (text: string) => JSON.parse(text) as Readonly<Record<string, T>>,
): StoredInput<T> {
  const isEmpty = (inputs: object) => Object.keys(inputs).length === 0;
  const { get, set, subscribe } = createStored<Readonly<Record<string, T>>>({
    name,
    empty: {},
    parse,
    isEmpty,
  });
  return {
    all: get,
    read: (id) => get()[id] ?? null,
    write(id, input) {
      const { [id]: before, ...others } = get();
      if (input !== null) set({ ...others, [id]: input });
      else if (before !== undefined) set(others);
    },
    hasAny: () => !isEmpty(get()),
    clear: () => set({}),
    subscribe,
  };
}
