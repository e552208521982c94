import type { ServerEvent, ServerEventName } from '@stagedoor/contract/realtime';

type Listener = (name: ServerEventName, payload: ServerEvent<ServerEventName>) => void;

const listeners = new Set<Listener>();

/** Has whoever listens hear of an event of the server's, after it was applied. */
export function announce(name: ServerEventName, payload: unknown): void {
  for (const listener of listeners) listener(name, payload as ServerEvent<ServerEventName>);
}

/** Hears of events as they come in; returns how to stop. */
export function onAnnounced(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
