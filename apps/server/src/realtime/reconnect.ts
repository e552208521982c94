import type { Socket } from 'socket.io';

/** Not all at once: each fetches anew what it shows. Milliseconds. */
const WITHIN_MS = 2_000;
/** So that other nodes, too, have found their way back. Milliseconds. */
const AFTER_MS = 500;

/** A namespace with the sockets of this node. */
interface Sockets {
  readonly sockets: ReadonlyMap<string, Pick<Socket, 'conn'>>;
}

/**
 * Makes a node's clients connect anew, upon which they fetch all that they show: for when events may not have reached them.
 * A connection that ends is what every client knows how to recover from.
 */
export function createReconnects(namespaces: readonly Sockets[]) {
  const due = new Set<NodeJS.Timeout>();
  const connections = () =>
    new Set(namespaces.flatMap(({ sockets }) => [...sockets.values()].map(({ conn }) => conn)));
  return {
    /** For a node that must not serve them any longer. */
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
