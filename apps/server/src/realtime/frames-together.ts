import type { Server } from 'socket.io';

/** The parts of a client's connection that the library's types omit. */
interface Connection {
  readonly transport: {
    /** A WebSocket's underlying stream. */
    readonly socket?: { readonly _socket?: { cork(): void; uncork(): void } | null };
  };
}

/**
 * Writes all packets that wait for a client in one system call. The library writes each packet separately, which with many
 * clients is most of the cost of an event.
 */
export function sendFramesTogether(io: Pick<Server, 'engine'>): void {
  // The library emits `flush` before it writes, and `drain` right afterwards.
  io.engine.on('flush', (connection: Connection, packets: readonly unknown[]) => {
    if (packets.length > 1) streamOf(connection)?.cork();
  });
  io.engine.on('drain', (connection: Connection) => streamOf(connection)?.uncork());
}

const streamOf = ({ transport }: Connection) => transport.socket?._socket;
