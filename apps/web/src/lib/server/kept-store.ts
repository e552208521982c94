/** Values of one kind, in their own IndexedDB database. */
export interface KeptStore {
  /** Runs a request in its own transaction. Resolves with the request's result once the transaction has completed. */
  transact: <R>(
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<R> | undefined,
  ) => Promise<R | undefined>;
  /** Deletes the database, in all tabs. */
  erase: () => Promise<void>;
}

/** Creates a store that opens its database on first use, and again after the browser or another tab closed it. */
export function createKeptStore(
  database: string,
  name: string,
  keyPath: string | string[],
): KeptStore {
  let opened: Promise<IDBDatabase> | null = null;
  const reset = () => {
    opened = null;
  };

  function open(): Promise<IDBDatabase> {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(database, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(name, { keyPath });
      request.onsuccess = () => {
        // Another tab is deleting the database, which waits until this connection is closed.
        request.result.onversionchange = () => {
          request.result.close();
          reset();
        };
        request.result.onclose = reset;
        resolve(request.result);
      };
      request.onerror = () => reject(request.error);
    });
    opened.catch(reset);
    return opened;
  }

  return {
    async transact(mode, act) {
      const transaction = (await open()).transaction(name, mode);
      const request = act(transaction.objectStore(name));
      return new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onabort = () => reject(transaction.error);
      });
    },
    async erase() {
      (await opened?.catch(() => null))?.close();
      reset();
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase(database);
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      });
    },
  };
}
