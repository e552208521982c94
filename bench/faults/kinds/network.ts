import { startTcpProxy, type TcpProxy } from '../../../apps/server/test/servers/tcp-proxy.ts';
import type { Fault } from '../fault.ts';
import { STRIKES, type Strike, strikeInTurn } from '../strikes.ts';

/** Creates a fault that repeats one strike, or several in turn, on the connections between clients and server. */
function networkFault(name: string, title: string, strikes: readonly Strike[]): Fault {
  let wire: TcpProxy | null = null;
  return {
    name,
    title,
    async between(port) {
      const proxy = await startTcpProxy({ port, host: '127.0.0.1' });
      wire = proxy;
      return { url: `http://127.0.0.1:${proxy.port}`, close: () => proxy.close() };
    },
    async run({ seconds, log }, signal, random) {
      if (wire === null) throw new Error('the proxy was not started');
      const struck = await strikeInTurn(wire, strikes, { seconds, random, signal }, (count) =>
        log(`struck ${count} times`),
      );
      const { connections, refused, broken, swallowed } = wire.counts;
      return { figures: { strikes: struck, connections, refused, broken, swallowed } };
    },
  };
}

const ofKind = (kind: keyof typeof STRIKES) =>
  networkFault(kind, STRIKES[kind].title, [STRIKES[kind]]);

/** A fault for each strike alone, and one that runs all strikes in turn. */
export const networkFaults = {
  latency: ofKind('latency'),
  cut: ofKind('cut'),
  halfOpen: ofKind('half-open'),
  stranded: ofKind('stranded'),
  reset: ofKind('reset'),
  dropAfterCommit: ofKind('drop-after-commit'),
  all: networkFault('network', 'all of these in turn', Object.values(STRIKES)),
} as const;
