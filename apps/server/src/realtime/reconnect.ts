import type { Socket } from 'socket.io';

/** Reconnects are spread over this time, because each client reloads what it shows. Milliseconds. */
const WITHIN_MS = 2_000;
/** Delay before the first reconnect, during which the other nodes can restore their connections, too. Milliseconds. */
const AFTER_MS = 500;

/** A namespace with the sockets of this node. */
interface Sockets {
  readonly sockets: ReadonlyMap<string, Pick<Socket, 'conn'>>;
}

/**
 * Makes a node's clients reconnect and reload what they show, because they may have missed events. Clients do the same after any
 * lost connection.
 */
export function createReconnects(namespaces: readonly Sockets[]) {
  const due = new Set<NodeJS.Timeout>();
  const connections = () =>
    new Set(namespaces.flatMap(({ sockets }) => [...sockets.values()].map(({ conn }) => conn)));
  return {
    /** Closes all connections immediately: for a node that must stop serving. */
    atOnce(): void {
      for (const connection of connections()) connection.close();
    },
    all(): void {
      for (const connection of connections()) {
        const timer = setTimeout(
          () => {
            due.delete(timer);
            connection.close();
          },
          AFTER_MS + Math.random() * WITHIN_MS,
        );
        due.add(timer);
      }
    },
    stop(): void {
      for (const timer of due) clearTimeout(timer);
    },
  };
}
