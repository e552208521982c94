import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Between } from './fault.ts';

/**
 * Starts a proxy in front of several nodes. It sends each connection to the next node that accepts it.
 * @param options.split sends WebSockets to the first node and everything else to the second instead
 */
export async function startRoundRobin(
  ports: readonly number[],
  { split = false } = {},
): Promise<Between> {
  let turn = 0;
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };

  function reach(client: Socket, head: Buffer, left: number): void {
    if (split) turn = /^upgrade: websocket/im.test(head.toString('latin1')) ? 0 : 1;
    const port = ports[turn++ % ports.length] ?? 0;
    const node = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const next = () => {
      if (left > 1 && !client.destroyed) reach(client, head, left - 1);
      else client.destroy();
    };
    node.once('error', next);
    node.once('connect', () => {
      node.off('error', next);
      if (client.destroyed) {
        node.destroy();
        return;
      }
      keep(node);
      // If one side closes, both close, as when a connection is cut.
      const cut = () => {
        node.destroy();
        client.destroy();
      };
      node.on('error', cut);
      client.on('error', cut);
      client.once('close', cut);
      node.once('close', cut);
      client.pipe(node);
      node.pipe(client);
    });
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    client.on('error', () => undefined);
    client.once('data', (head) => {
      client.pause();
      client.unshift(head);
      reach(client, head, ports.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
