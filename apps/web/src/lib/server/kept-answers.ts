/** A server response as stored in IndexedDB. */
export interface KeptAnswer {
  /** The id of the admin who received it. */
  admin: string;
  /** The key of the request. */
  key: string;
  data: unknown;
  /** Milliseconds. */
  savedAt: number;
}

const DATABASE = 'stagedoor_kept';
const STORE = 'answers';

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(STORE, { keyPath: ['admin', 'key'] });
    request.onsuccess = () => {
      // Another tab is deleting the database.
      request.result.onversionchange = () => {
        request.result.close();
        opened = null;
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function transact<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
  const transaction = (await open()).transaction(STORE, mode);
  const request = act(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Stores answers, replacing earlier ones with the same keys. */
export async function keepAnswers(answers: readonly KeptAnswer[]): Promise<void> {
  await transact('readwrite', (store) => {
    for (const answer of answers) store.put(answer);
    return undefined;
  });
}

/** Returns an admin's stored answer, or undefined if there is none. */
export async function keptAnswer(admin: string, key: string): Promise<KeptAnswer | undefined> {
  return transact<KeptAnswer>('readonly', (store) => store.get([admin, key]));
}

/** Deletes the answers of all other admins, and this admin's oldest ones once they exceed `most` by more than a quarter. */
export async function pruneAnswers(admin: string, most: number): Promise<void> {
  // The answers are large: they are only read when some must be deleted.
  const keys = (await transact('readonly', (store) => store.getAllKeys())) as [string, string][];
  if (keys.length <= most * 1.25 && keys.every(([of]) => of === admin)) return;
  const all = (await transact<KeptAnswer[]>('readonly', (store) => store.getAll())) ?? [];
  const own = all.filter((answer) => answer.admin === admin);
  const old = own.sort((a, b) => b.savedAt - a.savedAt).slice(most);
  const gone = [...all.filter((answer) => answer.admin !== admin), ...old];
  await transact('readwrite', (store) => {
    for (const answer of gone) store.delete([answer.admin, answer.key]);
    return undefined;
  });
}

/** Deletes all stored answers of all admins. */
export async function eraseAnswers(): Promise<void> {
  (await opened?.catch(() => null))?.close();
  opened = null;
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(DATABASE);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}
