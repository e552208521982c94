import type { Server } from 'socket.io';

/** A client's connection, as far as the library's types leave it out. */
interface Connection {
  readonly transport: {
    /** A WebSocket's, with the stream below it. */
    readonly socket?: { readonly _socket?: { cork(): void; uncork(): void } | null };
  };
}

/**
 * Hands what waits for a client to the system in one piece. The library writes each packet by itself, which for many clients
 * is most of what telling them costs.
 */
export function sendFramesTogether(io: Pick<Server, 'engine'>): void {
  // The library announces what it is about to write, and says at once when it has.
  io.engine.on('flush', (connection: Connection, packets: readonly unknown[]) => {
    if (packets.length > 1) streamOf(connection)?.cork();
  });
  io.engine.on('drain', (connection: Connection) => streamOf(connection)?.uncork());
}

const streamOf = ({ transport }: Connection) => transport.socket?._socket;
