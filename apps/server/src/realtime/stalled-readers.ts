import type { Server } from 'socket.io';

/** Bytes that may be queued for one client: minutes of events. A client that far behind has to reload anyway. */
const UNREAD_MAX = 1024 * 1024;
/** The memory that a packet takes besides its text. */
const PACKET_BYTES = 100;
const POLL_MS = 1_000;
/** A client is disconnected after this number of consecutive checks over the limit, so a short burst doesn't count. */
const POLLS = 3;

interface Packet {
  readonly data?: string | Buffer;
}

/** The parts of a client's connection that the library's types omit. */
interface Connection {
  readonly writeBuffer: readonly Packet[];
  readonly transport: {
    /** Present for a WebSocket. */
    readonly socket?: { readonly bufferedAmount: number; terminate(): void };
  };
  close(discard: boolean): void;
}

/**
 * Disconnects clients that don't read their events. Their queue is held in memory, and answering pings alone would keep them
 * connected forever. A client with a slow line reconnects and reloads.
 */
export function dropStalledReaders(io: Pick<Server, 'engine'>): { stop(): void } {
  const polls = new WeakMap<Connection, number>();
  const timer = setInterval(() => {
    const { clients } = io.engine as unknown as { clients: Record<string, Connection> };
    for (const client of Object.values(clients)) {
      const count = unread(client) > UNREAD_MAX ? (polls.get(client) ?? 0) + 1 : 0;
      if (count > 0) polls.set(client, count);
      else polls.delete(client);
      if (count < POLLS) continue;
      const { socket } = client.transport;
      // A close frame would have to wait behind the whole queue.
      if (socket === undefined) client.close(true);
      else socket.terminate();
    }
  }, POLL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function unread({ writeBuffer, transport }: Connection): number {
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const { data } of writeBuffer) bytes += (data?.length ?? 0) + PACKET_BYTES;
  return bytes;
}
