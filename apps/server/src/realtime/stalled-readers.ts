import type { Server } from 'socket.io';

/** Bytes that may wait for one client: what it was told in minutes. With them it has to ask anew anyway. */
const UNREAD_MAX = 1024 * 1024;
/** A packet takes memory beside its text. */
const PACKET_BYTES = 100;
const LOOK_MS = 1_000;
/** So many looks in a row: a burst that is on its way is no stall. */
const LOOKS = 3;

/** A packet that waits. */
interface Packet {
  readonly data?: string | Buffer;
}

/** A client's connection, as far as the library's types leave it out. */
interface Connection {
  readonly writeBuffer: readonly Packet[];
  readonly transport: {
    /** A WebSocket's. */
    readonly socket?: { readonly bufferedAmount: number; terminate(): void };
  };
  close(discard: boolean): void;
}

/**
 * Cuts off clients that are told and don't read. What waits for them is held in memory, and one that goes on saying that it
 * lives, as the protocol asks, is kept for as long as it likes. Who was cut off for a slow line comes back and fetches anew.
 */
export function dropStalledReaders(io: Pick<Server, 'engine'>): { stop(): void } {
  const looks = new WeakMap<Connection, number>();
  const timer = setInterval(() => {
    const { clients } = io.engine as unknown as { clients: Record<string, Connection> };
    for (const client of Object.values(clients)) {
      const count = unread(client) > UNREAD_MAX ? (looks.get(client) ?? 0) + 1 : 0;
      if (count > 0) looks.set(client, count);
      else looks.delete(client);
      if (count < LOOKS) continue;
      const { socket } = client.transport;
      // A farewell would wait behind all the rest.
      if (socket === undefined) client.close(true);
      else socket.terminate();
    }
  }, LOOK_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function unread({ writeBuffer, transport }: Connection): number {
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const { data } of writeBuffer) bytes += (data?.length ?? 0) + PACKET_BYTES;
  return bytes;
}
