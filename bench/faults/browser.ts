/**
 * What the web clients' code, run here as it is, asks of a browser: its storage, its address and fetches relative to it.
 * Must be called before that code is imported, which reads some of it at once.
 * @param url where the pages would have come from
 */
export function becomeBrowser(url: string): void {
  const scope = globalThis as Record<string, unknown>;
  scope.location = new URL(url);
  if (scope.window !== undefined) return;
  const silent = { addEventListener: () => undefined, removeEventListener: () => undefined };
  Object.assign(scope, silent);
  scope.window = globalThis;
  scope.parent = globalThis;
  scope.document = { visibilityState: 'visible', ...silent };
  scope.localStorage = memoryStorage();
  scope.sessionStorage = memoryStorage();
  // What pages say to their console while everything breaks is nothing to print.
  console.error = () => undefined;
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    send(typeof input === 'string' ? new URL(input, globalThis.location.href) : input, init);
}

function memoryStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const held = new Map<string, string>();
  return {
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, value) => void held.set(name, value),
    removeItem: (name) => void held.delete(name),
  };
}
