/**
 * Provides the browser APIs that the unmodified web clients need: storage, location and relative fetches.
 * Call this before importing their code, which reads some of these on import.
 * @param url the URL that the pages would have been loaded from
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
  // The pages log many errors while everything breaks.
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
