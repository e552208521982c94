import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { seededRandom } from '../random.ts';
import { openPipe, type Speed, type Verdict } from './tcp-pipe.ts';

/** Counts since the start. */
interface ProxyCounts {
  /** Accepted and refused connections. */
  connections: number;
  refused: number;
  /** Connections ended by a fault. */
  broken: number;
  /** Bytes that arrived at the target, and at its clients. */
  toTarget: number;
  toClients: number;
  /** Bytes dropped by a fault, in both directions. */
  swallowed: number;
}

/**
 * A proxy that can break connections: clients connect to it instead of its target. Besides the speed, one fault at a time applies
 * to all connections, including new ones, until the next command; `restore` ends all faults.
 */
export interface TcpProxy {
  readonly port: number;
  readonly counts: Readonly<ProxyCounts>;
  /** The seed for random delays; a proxy with the same seed has the same delays. */
  readonly seed: number;
  /** Returns the number of open connections. */
  open(): number;
  slow(speed: Speed): void;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /** Freezes all connections: they stay open, and new ones are accepted, but nothing reaches either end, not even a close. */
  freeze(): void;
  /** Silences the currently open connections for good, as when a router drops their state. New ones work. */
  strand(): void;
  /** Drops all replies; the target still receives requests. */
  swallowReplies(): void;
  /** Resets a connection at the target's next reply, which is lost: the request was processed, but the client doesn't know. */
  loseReplies(): void;
  /** Resets all connections once. New ones work. */
  reset(): void;
  /** Resets each connection after `bytes` more bytes, both directions added up. */
  dropAfter(bytes: number): void;
  /** Ends all faults; connections that lost data are reset. */
  restore(): void;
  close(): Promise<void>;
}

type Fault = 'none' | 'cut' | 'frozen' | 'replies_swallowed' | 'replies_lost';

interface Wire {
  readonly ends: readonly [client: Socket, target: Socket];
  /** Whether data was lost, so that nothing after it can arrive. */
  hole: boolean;
  stranded: boolean;
  /** The bytes that may still pass. */
  left: number;
}

/** @param target for `net.connect`: a port, or the path of a Unix socket */
export async function startTcpProxy(
  target: NetConnectOpts,
  options: { readonly seed?: number } = {},
): Promise<TcpProxy> {
  const random = seededRandom(options.seed);
  const wires = new Set<Wire>();
  const counts: ProxyCounts = {
    connections: 0,
    refused: 0,
    broken: 0,
    toTarget: 0,
    toClients: 0,
    swallowed: 0,
  };
  let fault: Fault = 'none';
  let speed: Speed = {};
  let allowance = Number.POSITIVE_INFINITY;

  function judge(wire: Wire, chunk: Buffer, isReply: boolean): Verdict {
    const isLost =
      fault === 'frozen' || wire.stranded || (isReply && fault === 'replies_swallowed');
    const reset = isReply && fault === 'replies_lost';
    const pass = isLost || reset ? 0 : Math.min(chunk.length, wire.left);
    if (isLost) wire.hole = true;
    else wire.left -= pass;
    counts.swallowed += chunk.length - pass;
    return { pass, reset: reset || wire.left === 0 };
  }

  /** Decides whether to pass on a close. A close that isn't passed on counts as lost data. */
  function forwardsEnd(wire: Wire): boolean {
    if (fault === 'frozen' || wire.stranded) wire.hole = true;
    return !wire.hole;
  }

  function sever(wire: Wire): void {
    if (!wires.delete(wire)) return;
    counts.broken++;
    const [client, server] = wire.ends;
    client.resetAndDestroy();
    // Unix sockets have no reset.
    if ('path' in target) server.destroy();
    else server.resetAndDestroy();
  }

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    // The listener stays open during a cut, so that no other program can take its port.
    if (fault === 'cut') {
      counts.refused++;
      client.resetAndDestroy();
      return;
    }
    counts.connections++;
    const server = connect({ ...target, allowHalfOpen: true });
    const wire: Wire = { ends: [client, server], hole: false, stranded: false, left: allowance };
    wires.add(wire);
    client.setNoDelay();
    server.setNoDelay();
    const rules = {
      speed: () => speed,
      random: () => random.below(1_000_000) / 1_000_000,
      forwardsEnd: () => forwardsEnd(wire),
      reset: () => sever(wire),
    };
    openPipe(client, server, {
      ...rules,
      judge: (chunk) => judge(wire, chunk, false),
      passed(bytes) {
        counts.toTarget += bytes;
      },
    });
    openPipe(server, client, {
      ...rules,
      judge: (chunk) => judge(wire, chunk, true),
      passed(bytes) {
        counts.toClients += bytes;
      },
    });
    for (const end of wire.ends) {
      end.on('error', () => undefined);
      end.on('close', (failed) => {
        // Data on its way to the other end still arrives, unless this end was reset.
        if (wire.ends.every(({ destroyed }) => destroyed)) wires.delete(wire);
        else if (failed && forwardsEnd(wire)) sever(wire);
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port');

  function become(next: Fault): void {
    if (next === fault) return;
    fault = next;
    severAll(({ hole }) => hole);
  }
  const severAll = (which: (wire: Wire) => boolean = () => true) => {
    for (const wire of [...wires]) if (which(wire)) sever(wire);
  };
  return {
    port: address.port,
    counts,
    seed: random.seed,
    open: () => wires.size,
    slow(how) {
      speed = how;
    },
    cut() {
      become('cut');
      severAll();
    },
    freeze: () => become('frozen'),
    strand() {
      for (const wire of wires) wire.stranded = true;
    },
    swallowReplies: () => become('replies_swallowed'),
    loseReplies: () => become('replies_lost'),
    reset: () => severAll(),
    dropAfter(bytes) {
      allowance = bytes;
      for (const wire of wires) wire.left = bytes;
    },
    restore() {
      become('none');
      speed = {};
      allowance = Number.POSITIVE_INFINITY;
      severAll(({ hole }) => hole);
      for (const wire of wires) {
        wire.left = allowance;
        wire.stranded = false;
      }
    },
    async close() {
      become('cut');
      severAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
