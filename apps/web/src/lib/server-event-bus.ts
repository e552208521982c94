import type { ServerEvent, ServerEventName } from '@stagedoor/contract/realtime';

type Listener = (name: ServerEventName, payload: ServerEvent<ServerEventName>) => void;

const listeners = new Set<Listener>();

/** Passes a server event to all listeners, after it was applied to the cache. */
export function emitServerEvent(name: ServerEventName, payload: unknown): void {
  for (const listener of listeners) listener(name, payload as ServerEvent<ServerEventName>);
}

/** Adds a listener for server events. Returns a function that removes it. */
export function onServerEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
