import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { seededRandom } from '../random.ts';
import { openLane, type Speed, type Verdict } from './tcp-lane.ts';

/** What has gone through since the start. */
interface ProxyCounts {
  /** Connections that were let in, and those that were not. */
  connections: number;
  refused: number;
  /** Connections that a fault ended. */
  broken: number;
  /** Bytes that arrived at the target, and at its clients. */
  toTarget: number;
  toClients: number;
  /** Bytes that a fault made away with, in both directions. */
  swallowed: number;
}

/**
 * A wire that can be cut: clients connect to it instead of to its target. One fault at a time holds, beside the speed, for all
 * connections, those to come included, until the next command; `restore` ends them all.
 */
export interface TcpProxy {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly counts: Readonly<ProxyCounts>;
  /** The seed of what is random; another proxy with the same one delays alike. */
  readonly seed: number;
  /** Open connections. */
  open(): number;
  slow(speed: Speed): void;
  /** Ends all connections and turns away new ones. */
  cut(): void;
  /** Half open: connections stay or come about, and nothing arrives at either end, not even that the other end has gone. */
  freeze(): void;
  /** The connections that are open now fall silent for good, as when something on the way forgets them. New ones are well. */
  strand(): void;
  /** The target hears its clients, and they never hear its replies. */
  swallowReplies(): void;
  /** A connection breaks at the first thing that its target says from now on, which is lost: it was done, and nobody was told. */
  loseReplies(): void;
  /** Ends all connections by a reset, once. New ones come about as before. */
  reset(): void;
  /** Resets a connection once so many bytes have gone through it from now on, in both directions together. */
  dropAfter(bytes: number): void;
  /** Everything goes through at full speed; connections with a hole in what they carried are reset. */
  restore(): void;
  close(): Promise<void>;
}

type Fault = 'none' | 'cut' | 'frozen' | 'replies_swallowed' | 'replies_lost';

interface Wire {
  readonly ends: readonly [client: Socket, target: Socket];
  /** Whether something that was sent will never arrive, so that nothing can that follows it. */
  hole: boolean;
  stranded: boolean;
  /** Bytes that may still go through. */
  left: number;
}

/** @param target as `net.connect` takes it: a port, or the path of a Unix socket */
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

  /** An end that goes unnoticed is a hole too. */
  function tellsEnd(wire: Wire): boolean {
    if (fault === 'frozen' || wire.stranded) wire.hole = true;
    return !wire.hole;
  }

  function sever(wire: Wire): void {
    if (!wires.delete(wire)) return;
    counts.broken++;
    const [client, server] = wire.ends;
    client.resetAndDestroy();
    // Unix sockets know no reset.
    if ('path' in target) server.destroy();
    else server.resetAndDestroy();
  }

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    // Its port stays ours while it is cut, which closing the listener would not make sure of.
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
      tellsEnd: () => tellsEnd(wire),
      reset: () => sever(wire),
    };
    openLane(client, server, {
      ...rules,
      judge: (chunk) => judge(wire, chunk, false),
      passed(bytes) {
        counts.toTarget += bytes;
      },
    });
    openLane(server, client, {
      ...rules,
      judge: (chunk) => judge(wire, chunk, true),
      passed(bytes) {
        counts.toClients += bytes;
      },
    });
    for (const end of wire.ends) {
      end.on('error', () => undefined);
      end.on('close', (failed) => {
        // What the other end has not got yet is still on its way, unless this one was reset.
        if (wire.ends.every(({ destroyed }) => destroyed)) wires.delete(wire);
        else if (failed && tellsEnd(wire)) sever(wire);
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
